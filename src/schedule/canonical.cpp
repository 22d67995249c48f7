#include "schedule/canonical.h"

#include <algorithm>

#include "ir/build.h"

namespace loom {
namespace {

struct Leaves {
  std::vector<Id> ranges, params, variables;
};

Leaves leaves_below(const Graph& g, Id sink) {
  Leaves leaves;
  for (const Id id : reachable(g, sink)) {
    const Op op = g.op(id);
    if (op == Op::kRange) leaves.ranges.push_back(id);
    if (op == Op::kParam) leaves.params.push_back(id);
    if (op == Op::kVariable) leaves.variables.push_back(id);
  }
  std::ranges::sort(leaves.ranges, {}, [&](Id range) { return range_axis(g.arg(range)); });
  return leaves;
}

/// Slots of the buffers that the kernel stores into.
std::vector<int64_t> stored_slots(const Graph& g, Id sink) {
  std::vector<int64_t> slots;
  for (const Id id : reachable(g, sink)) {
    if (g.op(id) != Op::kStore) continue;
    const int64_t slot = g.arg(g.src(g.src(id, 0), 0));
    if (std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
  }
  std::ranges::sort(slots);
  return slots;
}

}  // namespace

void canonicalise(EmittedKernel& kernel) {
  Graph& g = kernel.graph;
  const Leaves leaves = leaves_below(g, kernel.sink);
  std::vector<Id> from, to;
  for (size_t axis = 0; axis < leaves.ranges.size(); axis++) {
    const Id range = leaves.ranges[axis];
    from.push_back(range);
    to.push_back(
        loom::range(g, g.src(range, 0), static_cast<int64_t>(axis), range_type(g.arg(range))));
  }
  std::vector<Id> buffers;
  std::vector<int64_t> new_slot(kernel.buffers.size(), -1);
  const auto number = [&](int64_t slot) {
    if (new_slot[static_cast<size_t>(slot)] >= 0) return;
    new_slot[static_cast<size_t>(slot)] = static_cast<int64_t>(buffers.size());
    buffers.push_back(kernel.buffers[static_cast<size_t>(slot)]);
  };
  std::ranges::for_each(stored_slots(g, kernel.sink), number);
  for (const Id param : leaves.params) number(g.arg(param));
  for (const Id param : leaves.params) {
    from.push_back(param);
    to.push_back(g.add(Op::kParam, g.dtype(param), {g.src(param, 0)},
                       new_slot[static_cast<size_t>(g.arg(param))]));
  }
  std::erase_if(kernel.bindings, [&](const Binding& binding) {
    return std::ranges::find(leaves.variables, binding.variable) == leaves.variables.end();
  });
  kernel.sink = substitute(g, kernel.sink, from, to);
  kernel.buffers = std::move(buffers);
}

}  // namespace loom
