#include "schedule/fuse.h"

#include <algorithm>

#include "base/error.h"
#include "base/str.h"
#include "ir/build.h"
#include "schedule/schedule.h"
#include "schedule/staging.h"

namespace loom {
namespace {

struct Asking {
  Id node;
  uint32_t kernel;
  Id place;
  bool operator==(const Asking&) const = default;
};

struct AskingHash {
  size_t operator()(const Asking& a) const {
    uint64_t h = (uint64_t{a.node} << 32 | a.place) * 0x9e3779b97f4a7c15;
    h = (h ^ h >> 29 ^ a.kernel) * 0xbf58476d1ce4e5b9;
    return h ^ h >> 32;
  }
};

class Fuser {
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static constexpr size_t kFewAsked = 8;

 public:
  Fuser(Graph& graph, Id root, std::vector<Facts>& node_facts, Indexer& places)
      : g(graph), sink(root), facts(node_facts), indexer(places), asked(root + 1) {
    for (size_t id = 1; id <= sink && default_device == 0; id++) default_device = facts[id].device;
  }

  Fusion run() {
    for (Id id = sink; id > 0; id--) {
      if (facts[id].live) visit(id);
    }
    return std::move(out);
  }

 private:
  void visit(Id id) {
    if (facts[id].empty) return;
    const Op op = g.op(id);
    if (op == Op::kStore) return visit_store(id);
    const bool has_storage = is_computed(op) && out.storage.contains(id);
    if (asked[id].empty() && !has_storage) return;
    if (op == Op::kContiguous) return visit_contiguous(id);
    if (op == Op::kCopy) return visit_copy(id);
    if (has_storage || (is_computed(op) && wants_buffer(g, out, facts, id, asked[id])))
      return stage(id);
    push_all(id);
  }

  // --- Kernels. ---

  uint32_t start_kernel(Id node, Id effect, Place& place) {
    const std::vector<Id> shape(g.shape(node).begin(), g.shape(node).end());
    Kernel kernel = loop_over(g, shape, place.index);
    kernel.node = node, kernel.effect = effect, kernel.device = device_of(node);
    kernel.work = std::max(kernel.work, facts[node].work.domain);
    out.kernels.push_back(std::move(kernel));
    return static_cast<uint32_t>(out.kernels.size() - 1);
  }

  Id device_of(Id node) const { return facts[node].device ? facts[node].device : default_device; }

  /// The BUFFER of a computed value, made now when it has none.
  Id storage_of(Id node) {
    const auto [entry, is_new] = out.storage.try_emplace(node);
    if (is_new) {
      const Id size = element_count(g, g.shape(node));
      entry->second = temporary(g, out, g.dtype(node), size, device_of(node));
    }
    return entry->second;
  }

  /// `node` gets its buffer, whoever asked for it reads that, and a new kernel computes it.
  void stage(Id node) {
    const Id buffer = storage_of(node);
    load_asked(node, buffer);
    write_to(buffer, node, node);
  }

  void load_asked(Id node, Id buffer) {
    for (const uint32_t reader : asked[node]) out.instances[reader].buffer = buffer;
    emit_asked(node);
  }

  /// A kernel that writes all of `value` to `buffer`, row-major; `node` is the value or what stands
  /// for it.
  void write_to(Id buffer, Id node, Id value) {
    Place place;
    const uint32_t kernel = start_kernel(value, 0, place);
    out.writer[buffer] = kernel;
    const Id offset = indexer.flatten(place.index, g.shape(value));
    const uint32_t root =
        node == value ? push_root(node, kernel, place) : ask(value, kernel, place);
    out.kernels[kernel].outputs.push_back({buffer, 0, {{offset}, 0}, root});
  }

  /// The instance of a staged node in the kernel that computes it.
  uint32_t push_root(Id node, uint32_t kernel, const Place& place) {
    const auto root = static_cast<uint32_t>(out.instances.size());
    out.instances.push_back({.node = node, .kernel = kernel, .place = intern(g, place)});
    out.order.push_back(root);
    push(root);
    return root;
  }

  void visit_store(Id store) {
    const Id target = g.src(store, 0), value = g.src(store, 1);
    if (facts[value].empty) return;
    require(facts[target].memory != 0, "schedule: a STORE whose target is not memory");
    const Id buffer = without_reshapes(g, target), core = without_reshapes(g, value);
    if (is_fresh(target) && g.op(buffer) == Op::kBuffer && can_have_storage(core)) {
      out.storage[core] = buffer;
      return;
    }
    Place place;
    const uint32_t kernel = start_kernel(value, store, place);
    out.writer[store] = kernel;
    Output output{.buffer = facts[target].memory, .version = facts[target].version};
    output.offset = place_in_memory(target, place);
    output.value = ask(value, kernel, place);
    out.kernels[kernel].device = device_of(output.buffer);
    out.kernels[kernel].outputs.push_back(std::move(output));
  }

  /// Is the store that uses `target` the only node that knows its buffer?
  bool is_fresh(Id target) const {
    for (;; target = g.src(target, 0)) {
      if (facts[target].consumers > 1) return false;
      if (g.op(target) != Op::kReshape) return true;
    }
  }

  bool can_have_storage(Id node) const {
    return is_computed(g.op(node)) && !facts[node].uniform && !out.storage.contains(node);
  }

  /// CONTIGUOUS gives its source a buffer. It computes nothing itself unless the source is a view,
  /// or already lies in another buffer than the one wanted here.
  void visit_contiguous(Id id) {
    const Id core = without_reshapes(g, g.src(id, 0));
    const auto wanted = out.storage.find(id);
    const bool lies = g.op(core) == Op::kBuffer || out.storage.contains(core);
    if (can_have_storage(core)) {
      const Id buffer = wanted != out.storage.end() ? wanted->second : storage_of(id);
      out.storage[core] = buffer;
      out.storage.erase(id);
      return push_all(id);
    }
    if (lies && wanted == out.storage.end()) return push_all(id);
    stage(id);
  }

  void visit_copy(Id id) {
    const Id buffer = storage_of(id);
    load_asked(id, buffer);
    out.writer[buffer] = static_cast<uint32_t>(out.kernels.size());
    out.kernels.push_back({.node = id, .device = facts[id].device});
    out.kernels.back().outputs.push_back({.buffer = buffer});
    const Id from = in_memory(without_reshapes(g, g.src(id, 0)));
    out.kernels[out.writer[buffer]].copy_from = from;
  }

  /// A buffer that holds `node` row-major; a kernel that fills it is started when there is none.
  Id in_memory(Id node) {
    if (g.op(node) == Op::kBuffer) return node;
    if (is_computed(g.op(node)) && !facts[node].uniform) return storage_of(node);
    const Id size = element_count(g, g.shape(node));
    const Id buffer = temporary(g, out, g.dtype(node), size, device_of(node));
    write_to(buffer, 0, node);
    return buffer;
  }

  /// The position of an element of a view of memory.
  Place place_in_memory(Id view, Place place) {
    while (g.op(view) != Op::kBuffer) {
      if (g.op(view) == Op::kAfter) {
        view = facts[view].below;
      } else {
        place = indexer.through_view(view, place).place;
        view = g.src(view, 0);
      }
    }
    return place;
  }

  // --- Instances. ---

  uint32_t ask(Id node, uint32_t kernel, Place place) {
    if (facts[node].uniform) kernel = kNoKernel, place = {};
    const Asking asking{node, kernel, intern(g, place)};
    if (const uint32_t known = find_asked(asking); known != kUnknown) return known;
    const auto created = static_cast<uint32_t>(out.instances.size());
    out.instances.push_back({.node = node, .kernel = kernel, .place = asking.place});
    if (asked[node].size() >= kFewAsked) often_asked[asking] = created;
    asked[node].push_back(created);
    return created;
  }

  /// Most nodes are asked for a few instances, which are looked through; the others have a table.
  uint32_t find_asked(const Asking& asking) const {
    const std::vector<uint32_t>& list = asked[asking.node];
    for (size_t k = 0; k < std::min(list.size(), kFewAsked); k++) {
      const Instance& instance = out.instances[list[k]];
      if (instance.place == asking.place && instance.kernel == asking.kernel) return list[k];
    }
    if (list.size() <= kFewAsked) return kUnknown;
    const auto found = often_asked.find(asking);
    return found == often_asked.end() ? kUnknown : found->second;
  }

  void emit_asked(Id node) {
    out.order.insert(out.order.end(), asked[node].begin(), asked[node].end());
  }

  void push_all(Id node) {
    emit_asked(node);
    for (const uint32_t instance : asked[node]) push(instance);
  }

  /// Asks the sources of an instance for what it needs.
  void push(uint32_t id) {
    const Instance instance = out.instances[id];
    const Op op = g.op(instance.node);
    note_in_kernel(instance);
    if (is_view(op)) return push_view(id, instance);
    if (is_elementwise(op)) return push_elementwise(id, instance);
    if (op == Op::kReduce) return push_reduce(id, instance);
    if (op == Op::kIndex) return push_gather(id, instance);
    if (op == Op::kContiguous) return set_sources(id, {ask_at(g.src(instance.node, 0), instance)});
    if (op == Op::kAfter) {
      const Place place = place_in_memory(instance.node, place_of(g, instance.place));
      out.instances[id].place = intern(g, place);
    }
  }

  void note_in_kernel(const Instance& instance) {
    if (instance.kernel == kNoKernel) return;
    Kernel& kernel = out.kernels[instance.kernel];
    kernel.nodes += is_computed(g.op(instance.node));
    const Id contraction = facts[instance.node].work.contraction;
    if (contraction != 0) kernel.contraction = contraction;
  }

  void set_sources(uint32_t id, std::span<const uint32_t> sources) {
    out.instances[id].first_source = static_cast<uint32_t>(out.sources.size());
    out.sources.insert(out.sources.end(), sources.begin(), sources.end());
  }
  void set_sources(uint32_t id, std::initializer_list<uint32_t> sources) {
    set_sources(id, std::span(sources.begin(), sources.size()));
  }

  uint32_t ask_at(Id node, const Instance& where) {
    return ask(node, where.kernel, place_of(g, where.place));
  }

  void push_view(uint32_t id, const Instance& instance) {
    const Id source = g.src(instance.node, 0);
    facts[source].split |= facts[instance.node].split;
    if (instance.kernel == kNoKernel) return set_sources(id, {ask_at(source, instance)});
    const SourcePlace pushed = indexer.through_view(instance.node, place_of(g, instance.place));
    out.instances[id].extra = pushed.valid;
    if (!facts[source].empty) set_sources(id, {ask(source, instance.kernel, pushed.place)});
  }

  void push_elementwise(uint32_t id, const Instance& instance) {
    const size_t rank = g.shape(instance.node).size();
    std::vector<uint32_t> sources;
    for (const Id source : sources_of(instance.node)) {
      Place place = place_of(g, instance.place);
      if (g.shape(source).size() != rank) place.index.clear();
      sources.push_back(ask(source, instance.kernel, std::move(place)));
    }
    set_sources(id, sources);
  }

  std::vector<Id> sources_of(Id node) const { return {g.src(node).begin(), g.src(node).end()}; }

  void push_reduce(uint32_t id, const Instance& instance) {
    const Id source = g.src(instance.node, 0);
    if (facts[source].empty) return;
    if (instance.kernel == kNoKernel) return set_sources(id, {ask_at(source, instance)});
    Place place = place_of(g, instance.place);
    std::vector<Id> ranges;
    double iterated = iterations(g, out, instance.kernel, instance.place);
    for (const int64_t axis : reduce_axes(g, instance.node)) {
      const Id dim = g.shape(source)[static_cast<size_t>(axis)];
      if (is_const_value(g, dim, 1)) continue;
      const auto number = kFirstReduceAxis + static_cast<int64_t>(out.reduce_extent.size());
      ranges.push_back(range(g, dim, number, AxisType::kReduce));
      place.index[static_cast<size_t>(axis)] = ranges.back();
      iterated *= static_cast<double>(g.bounds(dim).hi);
      out.reduce_extent.push_back(iterated);
    }
    Kernel& kernel = out.kernels[instance.kernel];
    kernel.work = std::max(kernel.work, iterated);
    kernel.reductions++;
    out.instances[id].extra = g.add(Op::kTuple, kVoid, ranges);
    set_sources(id, {ask(source, instance.kernel, std::move(place))});
  }

  /// INDEX: the index tensors are asked at the same place, x at their values. These are not known
  /// yet: `gathered` remembers which instance each placeholder stands for. Under the gate that
  /// keeps it in bounds a placeholder equals its MOD by the size, which tells interval analysis
  /// what to expect. Results of reductions are not computed at gathered places.
  void push_gather(uint32_t id, const Instance& instance) {
    const std::vector<Id> src = sources_of(instance.node);
    Place inner{{}, place_of(g, instance.place).gate};
    std::vector<uint32_t> sources;
    Id valid = 0;
    for (size_t axis = 0; axis + 1 < src.size(); axis++) {
      sources.push_back(ask_at(src[axis + 1], instance));
      const int64_t name = g.text(str("gathered ", out.gathered.size()));
      const Id size = g.shape(src[0])[axis];
      out.gathered[name] = {sources.back(), size};
      const Id index = g.add(Op::kCustom, kIndex, {instance.place}, name);
      valid = indexer.both(valid, indexer.in_bounds(index, size));
      inner.index.push_back(is_const_value(g, size, 1) ? index_const(g, 0)
                                                       : binary(g, Op::kMod, index, size));
    }
    out.instances[id].extra = valid;
    if (facts[src[0]].empty) return;
    facts[src[0]].split |= facts[src[0]].work.reduced > 0 && is_epilogue(facts[src[0]]);
    inner.gate = indexer.both(inner.gate, valid);
    sources.insert(sources.begin(), ask(src[0], instance.kernel, std::move(inner)));
    set_sources(id, sources);
  }

  Graph& g;
  const Id sink;
  std::vector<Facts>& facts;
  Indexer& indexer;
  Id default_device = 0;
  Fusion out;
  std::vector<std::vector<uint32_t>> asked;  // by node: its instances
  std::unordered_map<Asking, uint32_t, AskingHash> often_asked;
};

}  // namespace

Fusion fuse(Graph& g, Id sink, std::vector<Facts>& facts, Indexer& indexer) {
  return Fuser(g, sink, facts, indexer).run();
}

Kernel loop_over(Graph& g, std::span<const Id> shape, std::vector<Id>& index) {
  Kernel kernel;
  for (const Id dim : shape) {
    if (is_const_value(g, dim, 1)) {
      index.push_back(index_const(g, 0));
      continue;
    }
    const auto axis = static_cast<int64_t>(kernel.loops.size());
    kernel.loops.push_back(range(g, dim, axis, AxisType::kLoop));
    index.push_back(kernel.loops.back());
    kernel.work *= static_cast<double>(g.bounds(dim).hi);
    kernel.extent.push_back(kernel.work);
  }
  return kernel;
}

Id temporary(Graph& g, Fusion& fusion, DType dtype, Id size, Id device) {
  const int64_t slot = kTempSlot + fusion.temp_count++;
  return device ? g.add(Op::kBuffer, dtype, {size, device}, slot)
                : g.add(Op::kBuffer, dtype, {size}, slot);
}

}  // namespace loom
