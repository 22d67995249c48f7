#include "engine/realization.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "engine/capture.h"
#include "engine/memory_nodes.h"
#include "ir/build.h"

namespace loom {

// --- What is to be computed. ---

void Realization::collect(Session::Access& access, std::span<const RealizeTarget> targets,
                          std::span<const int64_t> slots) {
  for (const RealizeTarget& target : targets) add_target(access, target);
  // Readers may have assignments of their own below them, which overwrite more.
  for (size_t before = SIZE_MAX; before != seen_.size();) {
    before = seen_.size();
    find_effects(access);
    if (!effect_ids_.empty() || !slots.empty()) {
      add_readers(access, overwritten(access.graph(), slots));
    }
  }
  for (Target& target : targets_) target.expression = access.root(target.id);
  for (Id effect : effect_ids_) effects_.push_back(access.root(effect));
}

void Realization::add_target(const Session::Access& access, const RealizeTarget& target) {
  const Graph& graph = access.graph();
  const Id id = access.roots()[target.place];
  if (id == 0) return;  // its tensor is gone by now
  if (realized_buffer(graph, id) != 0 || uniform_constant(graph, id) != 0) return;
  if (!seen_.insert(id).second) return;
  if (graph.op(below_reshapes(graph, id)) == Op::kAfter)
    waiting_.push_back(id);
  else
    targets_.push_back({.id = id, .place = target.place, .home = target.home});
}

void Realization::find_effects(Session::Access& access) {
  std::vector<Id> roots = waiting_;
  for (const Target& target : targets_) roots.push_back(target.id);
  effect_ids_.clear();
  for (Id id : reachable(access.graph(), roots)) {
    if (access.graph().op(id) == Op::kAfter) effect_ids_.push_back(id);
  }
}

Realization::Overwritten Realization::overwritten(const Graph& graph,
                                                  std::span<const int64_t> slots) const {
  Overwritten lost;
  lost.slots.insert(slots.begin(), slots.end());
  std::unordered_map<int64_t, Id> last;
  const std::vector<Id> memory = assigned_memory(graph, effect_ids_);
  for (size_t i = 0; i < memory.size(); i++) {
    last[graph.arg(realized_buffer(graph, memory[i]))] = effect_ids_[i];
  }
  for (const auto& [slot, effect] : last) {
    lost.slots.insert(slot);
    lost.last.insert(effect);
  }
  return lost;
}

// A value is stale when it reaches overwritten memory other than through its last version.
void Realization::add_readers(Session::Access& access, const Overwritten& lost) {
  const Graph& graph = access.graph();
  std::vector<Id> roots;
  std::ranges::copy_if(access.roots(), std::back_inserter(roots), [](Id id) { return id != 0; });
  std::vector<bool> is_stale(graph.size());
  for (Id id : reachable(graph, roots)) {
    if (lost.last.contains(id)) continue;
    is_stale[id] = graph.op(id) == Op::kBuffer
                       ? lost.slots.contains(graph.arg(id))
                       : std::ranges::any_of(graph.src(id), [&](Id s) { return is_stale[s]; });
  }
  for (uint32_t place = 0; place < access.roots().size(); place++) {
    if (is_stale[access.roots()[place]]) add_reader(access, place, lost);
  }
}

void Realization::add_reader(Session::Access& access, uint32_t place, const Overwritten& lost) {
  const Graph& graph = access.graph();
  const Id id = access.roots()[place];
  const Id base = below_reshapes(graph, id);
  const bool is_memory = graph.op(base) == Op::kBuffer;
  if (is_memory && engine_.buffers().owner(graph.arg(base)) == place) return;  // it is to change
  const bool is_earlier_version =
      std::ranges::binary_search(effect_ids_, base) && !lost.last.contains(base);
  if (!is_memory && !is_earlier_version) return add_target(access, {place, nullptr});
  const bool is_known = std::ranges::any_of(
      targets_, [&](const Target& target) { return target.place == place && target.id == id; });
  if (is_known) return;
  seen_.insert(id);
  targets_.push_back({.id = id, .place = place, .moves_alone = true});
}

// --- The private graph. ---

void Realization::import(Session::Access& access) {
  const Graph& from = access.graph();
  std::vector<Id> roots;
  roots.reserve(effects_.size() + targets_.size());
  for (const Root& effect : effects_) roots.push_back(access[effect]);
  for (const Target& target : targets_) {
    const Id id = access[target.expression];
    roots.push_back(from.op(id) == Op::kContiguous ? from.src(id, 0) : id);
  }
  const std::vector<Id> devices = device_of_nodes(from, reachable(from, roots));
  std::vector<Device*> homes;
  for (Id root : roots) {
    const Id node = devices[root];
    homes.push_back(node == 0 ? nullptr : &device(from.text_of(from.arg(node))));
  }
  add_stores(from, roots, homes);
}

void Realization::add_stores(const Graph& from, std::span<const Id> roots,
                             std::span<Device* const> homes) {
  const std::vector<Id> copies = copy_nodes(from, roots);
  program_.existing = program_.buffers.size();
  home_ = homes.front();
  std::vector<Id> stores;
  for (size_t i = 0; i < effects_.size(); i++) {
    const std::span<const Id> src = program_.graph.src(copies[i]);
    stores.insert(stores.end(), src.begin() + 1, src.end());
  }
  for (size_t i = 0; i < targets_.size(); i++) {
    Target& target = targets_[i];
    const size_t k = effects_.size() + i;
    // An expression of constants is at home on every device, and so is what others make of it:
    // that it now lies on one is of no concern to them.
    target.moves_alone |= homes[k] == nullptr;
    Device* home = homes[k] != nullptr ? homes[k] : target.home;
    if (home == nullptr) home = &engine_.device({});
    if (home_ == nullptr) home_ = home;
    target.dtype = from.dtype(roots[k]);
    target.shape = shape_values(from, roots[k]);
    stores.push_back(store_target(target, copies[k], *home));
  }
  program_.sink = program_.graph.add(Op::kSink, kVoid, stores);
}

// Like loom::import, but in an order that depends on structure only, and with the buffers numbered
// in it: programs that do the same to other buffers are equal then, whatever was built before.
std::vector<Id> Realization::copy_nodes(const Graph& from, std::span<const Id> roots) {
  std::vector<Id> copies(from.size());
  std::vector<Id> src;
  for (Id id : postorder(from, roots)) {
    src.clear();
    for (Id source : from.src(id)) src.push_back(copies[source]);
    if (from.op(id) != Op::kBuffer) {
      copies[id] = copy_node(program_.graph, from, id, src);
      continue;
    }
    const int64_t slot = std::ssize(program_.buffers);
    copies[id] = program_.graph.add(Op::kBuffer, from.dtype(id), src, slot);
    program_.buffers.push_back(engine_.buffers().at(from.arg(id)));
  }
  std::vector<Id> results;
  for (Id root : roots) results.push_back(copies[root]);
  return results;
}

Id Realization::store_target(Target& target, Id value, Device& device) {
  const int64_t count = check_product(target.shape, "number of elements");
  const Id home = program_.graph.add(Op::kDevice, kVoid, {}, program_.graph.text(device.name()));
  const Id buffer =
      program_.graph.add(Op::kBuffer, target.dtype, {index_const(program_.graph, count), home},
                         std::ssize(program_.buffers));
  target.buffer = std::make_shared<Buffer>(device, count * target.dtype.bytes());
  program_.buffers.push_back(target.buffer);
  std::vector<Id> src{buffer};
  for (int64_t dim : target.shape) src.push_back(index_const(program_.graph, dim));
  const Id view = program_.graph.add(Op::kReshape, target.dtype, src);
  return program_.graph.add(Op::kStore, kVoid, {view, value});
}

// --- Running it. ---

void Realization::run() {
  const auto plan = engine_.plan_of(program_.graph, program_.sink,
                                    static_cast<uint32_t>(program_.buffers.size()), *home_);
  const PlanMemory memory = allocate(*plan, program_.buffers);
  loom::run(*plan, memory);
  if (Capture* capture = Capture::current()) capture->record(plan, memory);
}

int64_t Realization::new_bytes() const {
  int64_t total = 0;
  for (const Target& target : targets_) total += target.buffer->bytes();
  return total;
}

void Realization::commit(Session::Access& access) {
  std::vector<Id> from, to;
  std::unordered_set<Id> replaced;
  const auto replace = [&](Id old, Id by) {
    if (!replaced.insert(old).second) return;
    from.push_back(old);
    to.push_back(by);
  };
  const Graph& graph = access.graph();
  for (Target& target : targets_) {
    const Id old = access[target.expression];
    // Another thread may have been faster.
    if (!target.moves_alone && realized_buffer(graph, old) != 0) continue;
    const bool is_owned = access.roots()[target.place] == old;
    const uint32_t owner = is_owned ? target.place : BufferTable::kNobody;
    const Id node = engine_.buffer_node(access, target.buffer, target.dtype, target.shape, owner);
    if (!target.moves_alone)
      replace(old, node);
    else if (is_owned)
      access.set(target.place, node);
  }
  std::vector<Id> effects;
  effects.reserve(effects_.size());
  for (const Root& effect : effects_) effects.push_back(access[effect]);
  const std::vector<Id> memory = assigned_memory(graph, effects);
  for (size_t i = 0; i < effects.size(); i++) replace(effects[i], memory[i]);
  access.replace(from, to);
}

}  // namespace loom
