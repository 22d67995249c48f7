#include "schedule/order.h"

#include <algorithm>
#include <queue>

#include "base/error.h"
#include "ir/build.h"
#include "schedule/dependencies.h"
#include "schedule/schedule.h"

namespace loom {
namespace {

/// What is known about a kernel while it waits for its turn.
struct Waiting {
  std::vector<uint32_t> readers;      // kernels that read what it writes
  std::vector<uint32_t> overwriters;  // stores that destroy what it reads
  std::vector<Id> temps;              // intermediates that it reads
  uint32_t writes_pending =
      0;  // kernels that have to run before it because they write what it reads
  uint32_t reads_pending = 0;  // kernels that still have to read what it writes over
  double growth = 0;  // bytes of intermediates made, less those that it is the last to read
  bool done = false;

  bool is_ready() const { return writes_pending == 0 && reads_pending == 0 && !done; }
};

struct Candidate {
  double growth;
  uint32_t kernel;
  /// The top of the queue adds the least memory; among equals it is the first in program order.
  bool operator<(const Candidate& other) const {
    return growth != other.growth ? growth > other.growth : kernel < other.kernel;
  }
};

void make_unique(std::vector<uint32_t>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Orderer {
 public:
  Orderer(Graph& graph, Fusion& all) : g(graph), fusion(all), waiting(all.kernels.size()) {
    find_reads();
    for (uint32_t k = 0; k < waiting.size(); k++) link_writers(k);
    for (uint32_t k = 0; k < waiting.size(); k++) link_overwriters(k);
  }

  std::vector<uint32_t> run() {
    size_t left = 0;
    for (uint32_t k = 0; k < waiting.size(); k++) {
      if (fusion.kernels[k].outputs.empty()) waiting[k].done = true;
      left += !waiting[k].done;
      offer(k);
    }
    for (; left > 0; left--) {
      if (next() == kNoKernel) save_overwritten(most_urgent_blocked());
      finish(next());
    }
    return std::move(order);
  }

 private:
  /// Fills in `reads`, `readers_of` and what follows from them.
  void find_reads() {
    reads = memory_reads(g, fusion);
    for (uint32_t k = 0; k < waiting.size(); k++) {
      for (const uint32_t read : reads[k])
        readers_of[version_read(g, fusion.instances[read])].push_back(k);
      if (fusion.kernels[k].copy_from) readers_of[fusion.kernels[k].copy_from].push_back(k);
    }
    for (auto& [version, readers] : readers_of) {
      make_unique(readers);
      if (!is_temp(version)) continue;
      for (const uint32_t reader : readers) waiting[reader].temps.push_back(version);
      readers_left[version] = readers.size();
      credit_last_reader(version);
    }
  }

  bool is_temp(Id version) const {
    return g.op(version) == Op::kBuffer && g.arg(version) >= kTempSlot;
  }

  double bytes_of(Id buffer) const {
    return static_cast<double>(g.bounds(g.src(buffer, 0)).hi) *
           static_cast<double>(g.dtype(buffer).bytes());
  }

  /// A kernel that is the only one left to read an intermediate will free it.
  void credit_last_reader(Id temp) {
    if (readers_left[temp] != 1) return;
    const std::vector<uint32_t>& readers = readers_of[temp];
    const auto last =
        std::ranges::find_if(readers, [&](uint32_t reader) { return !waiting[reader].done; });
    waiting[*last].growth -= bytes_of(temp);
    offer(*last);
  }

  void link_writers(uint32_t k) {
    const Kernel& kernel = fusion.kernels[k];
    std::vector<uint32_t> writers;
    for (const uint32_t read : reads[k]) {
      append_writers(g, fusion, version_read(g, fusion.instances[read]), writers);
    }
    if (kernel.copy_from) append_writers(g, fusion, kernel.copy_from, writers);
    for (const Output& output : kernel.outputs) {
      if (output.version) append_writers(g, fusion, output.version, writers);
      if (is_temp(output.buffer)) waiting[k].growth += bytes_of(output.buffer);
    }
    make_unique(writers);
    for (const uint32_t writer : writers) {
      if (writer == k) continue;
      waiting[writer].readers.push_back(k);
      waiting[k].writes_pending++;
    }
  }

  /// Whoever reads the version that a store writes over comes before the store.
  void link_overwriters(uint32_t k) {
    for (const Output& output : fusion.kernels[k].outputs) {
      const auto found = readers_of.find(output.version);
      if (output.version == 0 || found == readers_of.end()) continue;
      for (const uint32_t reader : found->second) {
        if (reader == k) continue;
        waiting[reader].overwriters.push_back(k);
        waiting[k].reads_pending++;
      }
    }
  }

  void offer(uint32_t k) {
    if (waiting[k].is_ready()) queue.push({waiting[k].growth, k});
  }

  /// The kernel to run next: the top of the queue that is not an outdated offer.
  uint32_t next() {
    while (!queue.empty()) {
      const Candidate& top = queue.top();
      if (waiting[top.kernel].is_ready() && waiting[top.kernel].growth == top.growth)
        return top.kernel;
      queue.pop();
    }
    return kNoKernel;
  }

  void finish(uint32_t k) {
    waiting[k].done = true;
    order.push_back(k);
    for (const uint32_t reader : waiting[k].readers) {
      waiting[reader].writes_pending--;
      offer(reader);
    }
    for (const uint32_t store : waiting[k].overwriters) {
      waiting[store].reads_pending--;
      offer(store);
    }
    for (const Id temp : waiting[k].temps) {
      readers_left[temp]--;
      credit_last_reader(temp);
    }
  }

  /// The first store in program order that waits for nothing but readers of what it writes over.
  uint32_t most_urgent_blocked() const {
    for (uint32_t k = static_cast<uint32_t>(waiting.size()); k-- > 0;) {
      if (!waiting[k].done && waiting[k].writes_pending == 0) return k;
    }
    fail<InternalError>("schedule: kernels wait for each other");
  }

  void save_overwritten(uint32_t store) {
    const std::vector<Output> outputs = fusion.kernels[store].outputs;
    for (const Output& output : outputs) {
      if (output.version) save(output, store);
    }
    waiting[store].reads_pending = 0;
    offer(store);
  }

  /// Copies the content that `output` writes over to a temporary, for all who still want to read
  /// it.
  void save(const Output& output, uint32_t store) {
    const Id size = g.src(output.buffer, 0), device = fusion.kernels[store].device;
    const Id temp = temporary(g, fusion, g.dtype(output.buffer), size, device);
    Place place;
    Kernel copy = loop_over(g, std::span(&size, 1), place.index);
    copy.node = output.version, copy.device = device;
    const auto k = static_cast<uint32_t>(fusion.kernels.size());
    const auto loaded = static_cast<uint32_t>(fusion.instances.size());
    fusion.instances.push_back({.node = output.version, .kernel = k, .place = intern(g, place)});
    fusion.order.push_back(loaded);
    copy.outputs.push_back({temp, 0, place, loaded});
    fusion.writer[temp] = k;
    fusion.kernels.push_back(std::move(copy));
    order.push_back(k);
    for (const uint32_t reader : readers_of[output.version]) {
      if (!waiting[reader].done && reader != store) read_instead(reader, output.version, temp);
    }
  }

  void read_instead(uint32_t reader, Id version, Id temp) {
    for (const uint32_t read : reads[reader]) {
      Instance& instance = fusion.instances[read];
      if (version_read(g, instance) == version) instance.buffer = temp;
    }
    Kernel& kernel = fusion.kernels[reader];
    if (kernel.copy_from == version) kernel.copy_from = temp;
  }

  Graph& g;
  Fusion& fusion;
  std::vector<Waiting> waiting;
  std::vector<std::vector<uint32_t>> reads;
  std::unordered_map<Id, std::vector<uint32_t>> readers_of;  // by version
  std::unordered_map<Id, size_t> readers_left;               // by intermediate
  std::priority_queue<Candidate> queue;
  std::vector<uint32_t> order;
};

}  // namespace

std::vector<uint32_t> order_kernels(Graph& g, Fusion& fusion) { return Orderer(g, fusion).run(); }

}  // namespace loom
