#include "rewrite/rules/bound.h"

#include <algorithm>

#include "rewrite/pattern_build.h"
#include "rewrite/rules/chain.h"

namespace loom {

using pattern::scalar_constant;

Bound Bound::of(const Graph& g, Id comparison) {
  if (g.op(comparison) != Op::kCmpLt) return {};
  const Id left = g.src(comparison, 0), right = g.src(comparison, 1);
  const DType dtype = g.dtype(left);
  if (!dtype.is_int() || dtype.scalar == Scalar::kUInt64) return {};
  if (const Id c = scalar_constant(g, right)) return {left, int_value(g, c), true};
  if (const Id c = scalar_constant(g, left)) return {right, int_value(g, c), false};
  return {};
}

Interval Bound::interval() const {
  if (is_upper) return {INT64_MIN, limit == INT64_MIN ? INT64_MIN : limit - 1};
  return {limit == INT64_MAX ? INT64_MAX : limit + 1, INT64_MAX};
}

void Assumptions::assume(const Graph& g, Id condition) {
  const Bound bound = Bound::of(g, condition);
  if (bound.node == 0) return;
  auto item = std::ranges::find(items, bound.node, &Item::node);
  if (item == items.end()) item = items.insert(items.end(), {bound.node, g.bounds(bound.node)});
  const Interval given = bound.interval();
  const Interval both = {std::max(item->interval.lo, given.lo),
                         std::min(item->interval.hi, given.hi)};
  if (both.lo > both.hi)
    is_contradiction = true;
  else
    item->interval = both;
}

Interval Assumptions::bounds(const Graph& g, Id node) const {
  const auto item = std::ranges::find(items, node, &Item::node);
  return item == items.end() ? g.bounds(node) : item->interval;
}

std::vector<Id> conjuncts_of(const Graph& g, Id condition) {
  const Chain chain = Chain::of(g, Op::kAnd, condition);
  if (!chain.is_whole()) return {};
  std::vector<Id> result(chain.operands.begin(), chain.operands.begin() + chain.size);
  std::ranges::reverse(result);
  return result;
}

}  // namespace loom
