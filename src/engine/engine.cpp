#include "engine/engine.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "engine/capture.h"
#include "engine/interp.h"
#include "engine/memory_nodes.h"
#include "engine/realization.h"
#include "ir/build.h"
#include "ir/text.h"

namespace loom {

Engine::Engine() { register_device("INTERP", open_interpreter); }

Engine& engine() {
  static Engine* const instance = new Engine;
  return *instance;
}

Device& Engine::device(std::string_view name) const {
  return loom::device(name.empty() ? settings()->device : name);
}

// --- Memory. ---

Id Engine::buffer_node(Session::Access& access, std::shared_ptr<Buffer> buffer, DType dtype,
                       std::span<const int64_t> shape, uint32_t owner) {
  Graph& graph = access.graph();
  const Id device = graph.add(Op::kDevice, kVoid, {}, graph.text(buffer->device().name()));
  const Id size = index_const(graph, check_product(shape, "number of elements"));
  const int64_t slot = buffers_.add(std::move(buffer), owner);
  std::vector<Id> src{graph.add(Op::kBuffer, dtype, {size, device}, slot)};
  for (int64_t dim : shape) src.push_back(index_const(graph, dim));
  return graph.add(Op::kReshape, dtype, src);
}

Root Engine::add_buffer(std::shared_ptr<Buffer> buffer, DType dtype,
                        std::span<const int64_t> shape) {
  Session::Access access = session_.access();
  const Id node = buffer_node(access, std::move(buffer), dtype, shape, BufferTable::kNobody);
  Root root = access.root(node);
  buffers_.set_owner(access.graph().arg(realized_buffer(access.graph(), node)), root.place());
  return root;
}

Memory Engine::memory_of(const Root& root) {
  const Session::Access access = session_.access();
  const Id buffer = realized_buffer(access.graph(), access[root]);
  if (buffer == 0) return {};
  const int64_t slot = access.graph().arg(buffer);
  return {buffers_.at(slot), slot};
}

int64_t Engine::next_slot() {
  const Session::Access access = session_.access();
  return buffers_.next_slot();
}

std::vector<std::pair<const Buffer*, int64_t>> Engine::slots_before(int64_t slot) {
  const Session::Access access = session_.access();
  return buffers_.before(slot);
}

// Memory is needed as long as a live root reaches its BUFFER. Finding that out costs a look at
// every root, so it waits until as much was done since the last time: a run counts like 64 roots,
// and memory like one root for each page.
void Engine::collect_garbage(Session::Access& access, int64_t new_bytes) {
  garbage_debt_ += 64 + new_bytes / 4096;
  if (garbage_debt_ < std::ssize(access.roots())) return;
  garbage_debt_ = 0;
  const Graph& graph = access.graph();
  std::vector<int64_t> slots;
  std::vector<Id> expressions;
  for (Id id : access.roots()) {
    if (id == 0) continue;
    const Id buffer = realized_buffer(graph, id);
    if (buffer != 0)
      slots.push_back(graph.arg(buffer));
    else
      expressions.push_back(id);
  }
  for (Id id : reachable(graph, expressions)) {
    if (graph.op(id) == Op::kBuffer) slots.push_back(graph.arg(id));
  }
  buffers_.keep_only(slots);
}

// --- Realizing. ---

void Engine::realize(std::span<const RealizeTarget> targets) {
  if (realize_without_effects(targets)) return;
  const auto lock = own_memory();
  Realization realization(*this);
  {
    Session::Access access = session_.access();
    realization.collect(access, targets);
    if (realization.is_empty()) return;
    realization.import(access);
  }
  finish(realization);
}

// The common case: nothing is assigned to. False, with nothing done, when it is another.
bool Engine::realize_without_effects(std::span<const RealizeTarget> targets) {
  const auto lock = share_memory();
  Realization realization(*this);
  {
    Session::Access access = session_.access();
    realization.collect(access, targets);
    if (realization.has_effects()) return false;
    if (realization.is_empty()) return true;
    realization.import(access);
  }
  finish(realization);
  return true;
}

void Engine::finish(Realization& realization) {
  realization.run();
  Session::Access access = session_.access();
  realization.commit(access);
  collect_garbage(access, realization.new_bytes());
}

std::shared_lock<std::shared_mutex> Engine::share_memory() {
  return Capture::current() ? std::shared_lock<std::shared_mutex>() : std::shared_lock(memory_);
}

std::unique_lock<std::shared_mutex> Engine::own_memory() {
  return Capture::current() ? std::unique_lock<std::shared_mutex>() : std::unique_lock(memory_);
}

void Engine::note_assignment(uint32_t place) {
  has_assignments_ = true;
  if (Capture* capture = Capture::current()) capture->note_assignment(place);
}

std::vector<RealizeTarget> Engine::assigned_roots() {
  const Session::Access access = session_.access();
  std::vector<RealizeTarget> targets;
  const auto add = [&](uint32_t place) {
    const Id id = access.roots()[place];
    if (access.graph().op(below_reshapes(access.graph(), id)) == Op::kAfter) {
      targets.push_back({place, nullptr});
    }
  };
  if (const Capture* capture = Capture::current()) {
    std::ranges::for_each(capture->assigned(), add);
  } else {
    for (uint32_t place = 0; place < access.roots().size(); place++) add(place);
  }
  return targets;
}

void Engine::realize_assigned() {
  if (Capture::current() != nullptr) return realize(assigned_roots());
  // One thread at a time: who finds that another one took on its assignments waits for them.
  const std::lock_guard lock(assigned_mutex_);
  if (!has_assignments_.exchange(false)) return;
  try {
    realize(assigned_roots());
  } catch (...) {
    has_assignments_ = true;
    throw;
  }
}

TensorProgram Engine::export_program(std::span<const RealizeTarget> targets) {
  Realization realization(*this);
  Session::Access access = session_.access();
  realization.collect(access, targets);
  if (realization.is_empty()) fail<UserError>("nothing to realize");
  realization.import(access);
  return realization.release();
}

std::shared_ptr<const Plan> Engine::plan_of(Graph& graph, Id sink, uint32_t buffer_count,
                                            Device& home) {
  if (debug_level() >= 5) log_line(print(graph, sink));
  const StructuralHash key = structural_hash(graph, sink);
  {
    const std::lock_guard lock(plans_mutex_);
    if (auto plan = plans_.get(key)) return plan;
  }
  auto plan = std::make_shared<const Plan>(make_plan(graph, sink, buffer_count, home, kernels_));
  const std::lock_guard lock(plans_mutex_);
  plans_.put(key, plan, plan->size());
  return plan;
}

// --- Runs that others bring along: a Jit's replay. ---

void Engine::overwrite(std::span<const int64_t> slots, function_ref<void()> launch) {
  const auto lock = own_memory();
  Realization readers(*this);
  {
    Session::Access access = session_.access();
    readers.collect(access, {}, slots);
    if (!readers.is_empty()) readers.import(access);
  }
  if (!readers.is_empty()) finish(readers);
  launch();
}

void Engine::read_memory(function_ref<void()> launch) {
  const auto lock = share_memory();
  launch();
}

}  // namespace loom
