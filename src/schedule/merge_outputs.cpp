#include "schedule/merge_outputs.h"

#include <algorithm>

#include "ir/build.h"
#include "schedule/dependencies.h"
#include "schedule/schedule.h"
#include "schedule/staging.h"

namespace loom {
namespace {

// A kernel's level is above the levels of all kernels that it reads from. When the kernel that is
// to be joined is the only one on the highest level among these, no path leads from it over a third
// kernel to the one that joins, so joining makes no cycle; and the joint kernel keeps that level,
// so all levels stay right without another look at the graph.
class Merger {
 public:
  Merger(Graph& graph, const std::vector<Facts>& node_facts, Fusion& all)
      : g(graph),
        facts(node_facts),
        fusion(all),
        reads(memory_reads(graph, all)),
        contested(contested_memory(graph, all, node_facts)),
        level(all.kernels.size()),
        joined(all.kernels.size()) {}

  void run() {
    for (uint32_t k = static_cast<uint32_t>(fusion.kernels.size()); k-- > 0;) {  // writers first
      joined[k] = k;
      const uint32_t host = only_top_writer(k);
      if (host != kNoKernel && may_join(k, host)) join(k, host);
    }
    drop_unread_outputs();
  }

 private:
  /// Sets the level of `k`. The writer on the highest level below it, if there is only one.
  uint32_t only_top_writer(uint32_t k) {
    std::vector<uint32_t> writers;
    for (const uint32_t read : reads[k]) {
      append_writers(g, fusion, version_read(g, fusion.instances[read]), writers);
    }
    const Kernel& kernel = fusion.kernels[k];
    if (kernel.copy_from) append_writers(g, fusion, kernel.copy_from, writers);
    for (const Output& output : kernel.outputs) {
      if (output.version) append_writers(g, fusion, output.version, writers);
    }
    uint32_t top = kNoKernel;
    bool is_only = true;
    for (uint32_t writer : writers) {
      writer = joined[writer];
      if (top == kNoKernel || level[writer] > level[top]) {
        top = writer, is_only = true;
      } else if (writer != top && level[writer] == level[top]) {
        is_only = false;
      }
    }
    if (top != kNoKernel) level[k] = level[top] + 1;
    return is_only ? top : kNoKernel;
  }

  bool may_join(uint32_t k, uint32_t host) const {
    const Kernel &kernel = fusion.kernels[k], &into = fusion.kernels[host];
    if (kernel.copy_from || into.copy_from || kernel.loops != into.loops) return false;
    if (kernel.device != into.device || touches_contested(k) || touches_contested(host))
      return false;
    if (kernel.nodes + into.nodes > kMaxKernelNodes) return false;
    if (kernel.reductions && into.reductions && is_serial(loops_of(into), into.work)) return false;
    if (into.contraction ? kernel.reductions > 0 : kernel.contraction != 0) return false;
    return std::ranges::all_of(reads[k], [&](uint32_t read) {
      return writer_of(read) != host || is_at_loops(fusion.instances[read], kernel);
    });
  }

  static double loops_of(const Kernel& kernel) {
    return kernel.extent.empty() ? 1 : kernel.extent.back();
  }

  bool touches_contested(uint32_t k) const {
    const auto is_contested = [&](uint32_t read) {
      const Id version = version_read(g, fusion.instances[read]);
      return version < facts.size() && contested[facts[version].memory];
    };
    return std::ranges::any_of(reads[k], is_contested) ||
           std::ranges::any_of(fusion.kernels[k].outputs,
                               [&](const Output& output) { return contested[output.buffer]; });
  }

  /// The kernel that wrote what a read loads, if it is a buffer with one writer.
  uint32_t writer_of(uint32_t read) const {
    const Id buffer = fusion.instances[read].buffer;
    return buffer ? joined[fusion.writer.at(buffer)] : kNoKernel;
  }

  bool is_at_loops(const Instance& instance, const Kernel& kernel) const {
    const Place place = place_of(g, instance.place);
    std::vector<Id> index;
    const std::span<const Id> shape = g.shape(instance.node);
    for (size_t axis = 0; axis < place.index.size(); axis++) {
      if (!is_const_value(g, shape[axis], 1)) index.push_back(place.index[axis]);
    }
    return place.gate == 0 && index == kernel.loops;
  }

  void join(uint32_t k, uint32_t host) {
    for (const uint32_t read : reads[k]) {
      if (writer_of(read) == host) forward(fusion.instances[read], host);
    }
    std::erase_if(reads[k], [&](uint32_t read) { return fusion.instances[read].forwarded; });
    for (const uint32_t read : reads[k]) {
      fusion.instances[read].kernel = host;
      reads[host].push_back(read);
    }
    Kernel &kernel = fusion.kernels[k], &into = fusion.kernels[host];
    for (const Output& output : kernel.outputs) {
      fusion.writer[kernel.effect ? kernel.effect : output.buffer] = host;
      into.outputs.push_back(output);
    }
    into.reductions += kernel.reductions;
    into.nodes += kernel.nodes;
    kernel.outputs.clear();
    joined[k] = host;
  }

  void forward(Instance& instance, uint32_t host) {
    for (const Output& output : fusion.kernels[host].outputs) {
      if (output.buffer != instance.buffer) continue;
      instance.first_source = static_cast<uint32_t>(fusion.sources.size());
      fusion.sources.push_back(output.value);
    }
    instance.buffer = 0;
    instance.forwarded = true;
  }

  void drop_unread_outputs() {
    std::vector<bool> is_read(g.size());
    for (const std::vector<uint32_t>& list : reads) {
      for (const uint32_t read : list) is_read[version_read(g, fusion.instances[read])] = true;
    }
    for (const Kernel& kernel : fusion.kernels) is_read[kernel.copy_from] = true;
    for (Kernel& kernel : fusion.kernels) {
      std::erase_if(kernel.outputs, [&](const Output& output) {
        return g.arg(output.buffer) >= kTempSlot && !is_read[output.buffer];
      });
    }
  }

  Graph& g;
  const std::vector<Facts>& facts;
  Fusion& fusion;
  std::vector<std::vector<uint32_t>> reads;
  std::vector<bool> contested;
  std::vector<uint32_t> level;
  std::vector<uint32_t> joined;  // the kernel that has a kernel's outputs now
};

}  // namespace

void merge_outputs(Graph& g, const std::vector<Facts>& facts, Fusion& fusion) {
  Merger(g, facts, fusion).run();
}

}  // namespace loom
