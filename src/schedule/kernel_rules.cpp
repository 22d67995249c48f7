#include "schedule/kernel_rules.h"

#include <algorithm>
#include <optional>

#include "ir/build.h"
#include "rewrite/rules/bound.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::c0;
using pattern::rest;
using pattern::x;
using pattern::y;

Op reduce_op(const Match& m) {
  return static_cast<Op>(m.graph().ints_of(m.graph().arg(m.root()))[0]);
}

Id reduce_or_value(Match& m, Id value, std::span<const Id> ranges) {
  return ranges.empty() ? value : reduce(m.graph(), reduce_op(m), value, ranges);
}

std::vector<Id> without(std::span<const Id> ranges, Id range) {
  std::vector<Id> others(ranges.begin(), ranges.end());
  std::erase(others, range);
  return others;
}

/// `count`, an index expression, copies of `value`.
Id times(Graph& g, Id value, Id count) { return mul(g, value, cast(g, count, g.dtype(value))); }

/// A reduction over loops that the value does not depend on: x * n, or x.
Id drop_unused_ranges(Match& m) {
  Graph& g = m.graph();
  const Op op = reduce_op(m);
  if (op == Op::kMul) return 0;
  const Id value = m[x];
  std::vector<Id> used = m[rest];
  Id count = 0;
  std::erase_if(used, [&](Id range) {
    if (g.depends_on(value, range)) return false;
    count = count ? mul(g, count, g.src(range, 0)) : g.src(range, 0);
    return true;
  });
  if (count == 0) return 0;
  const bool is_empty = g.bounds(count).lo <= 0;  // the identity element then, not the value
  if (is_empty && op != Op::kAdd) return 0;
  return reduce_or_value(m, op == Op::kAdd ? times(g, value, count) : value, used);
}

/// Loops that became constants are none: END(x, 0, r) -> END(x, r), and REDUCE likewise.
Id drop_constant_ranges(Match& m) {
  Graph& g = m.graph();
  std::vector<Id> src = m[rest];
  const bool is_reduce = g.op(m.root()) == Op::kReduce;
  if (std::erase_if(src, [&](Id range) { return is_const(g, range); }) == 0) return 0;
  if (is_reduce) return reduce_or_value(m, m[x], src);
  src.insert(src.begin(), m[x]);
  return g.add(Op::kEnd, kVoid, src);
}

/// sum(x * c) -> sum(x) * c, for integers.
Id factor_out(Match& m) {
  if (reduce_op(m) != Op::kAdd) return 0;
  return binary(m.graph(), Op::kMul, reduce_or_value(m, m[x], m[rest]), m[c0]);
}

Id conjunction(Graph& g, std::span<const Id> conditions) {
  Id all = 0;
  for (const Id condition : conditions) all = all ? logical_and(g, all, condition) : condition;
  return all ? all : bool_const(g, true);
}

/// r + offset < limit, or the other way round, as a bound on r alone.
struct RangeBound {
  Id bound = 0;
  bool is_upper = false;  // r < bound; else bound <= r
};

/// `id` as r * factor + rest with a factor of 1 or -1 and a rest that does not depend on r.
struct Linear {
  int64_t factor = 0;
  Id rest = 0;
};

std::optional<Linear> linear_in(Graph& g, Id id, Id range) {
  Linear result{1, 0};
  for (;;) {
    if (id == range) break;
    const Op op = g.op(id);
    if (op == Op::kMul && g.src(id, 0) == range && is_const_value(g, g.src(id, 1), -1)) {
      result.factor = -1;
      break;
    }
    if (op != Op::kAdd) return std::nullopt;
    const bool is_left = g.depends_on(g.src(id, 0), range);
    const Id other = g.src(id, is_left ? 1 : 0);
    if (g.depends_on(other, range)) return std::nullopt;
    result.rest = result.rest ? add(g, result.rest, other) : other;
    id = g.src(id, is_left ? 0 : 1);
  }
  if (result.rest == 0) result.rest = index_const(g, 0);
  return result;
}

/// What a comparison says about `range`, if it is a bound.
std::optional<RangeBound> bound_on(Graph& g, Id condition, Id range) {
  const bool is_negated = g.op(condition) == Op::kXor && is_const_value(g, g.src(condition, 1), 1);
  const Id comparison = is_negated ? g.src(condition, 0) : condition;
  if (g.op(comparison) != Op::kCmpLt || g.dtype(g.src(comparison, 0)) != kIndex)
    return std::nullopt;
  // left - right < 0, and left - right is range * factor + rest.
  const Id left = g.src(comparison, 0), right = g.src(comparison, 1);
  const bool is_left = g.depends_on(left, range);
  if (is_left == g.depends_on(right, range)) return std::nullopt;
  const std::optional<Linear> linear = linear_in(g, is_left ? left : right, range);
  if (!linear) return std::nullopt;
  const Id other = is_left ? right : left;
  // With the other side e: r + rest < e, -r + rest < e, e < r + rest, e < -r + rest.
  const Id difference = linear->factor > 0 ? binary(g, Op::kSub, other, linear->rest)
                                           : binary(g, Op::kSub, linear->rest, other);
  const bool is_upper = is_left == (linear->factor > 0);
  const Id bound = is_upper ? difference : add(g, difference, index_const(g, 1));
  return RangeBound{bound, is_upper != is_negated};
}

/// In terms of MAX, which interval analysis understands.
Id minimum(Graph& g, Id a, Id b) {
  return unary(g, Op::kNeg, binary(g, Op::kMax, unary(g, Op::kNeg, a), unary(g, Op::kNeg, b)));
}

/// How many steps of `range` all conditions let through; 0 when one of them is no bound.
Id count_steps(Graph& g, Id range, std::span<const Id> conditions) {
  Id low = index_const(g, 0), high = g.src(range, 0);
  for (const Id condition : conditions) {
    const std::optional<RangeBound> bound = bound_on(g, condition, range);
    if (!bound) return 0;
    if (bound->is_upper) {
      high = minimum(g, high, bound->bound);
    } else {
      low = binary(g, Op::kMax, low, bound->bound);
    }
  }
  return binary(g, Op::kMax, binary(g, Op::kSub, high, low), index_const(g, 0));
}

/// The index that the only condition r == e picks, or 0.
Id picked_step(const Graph& g, Id range, std::span<const Id> conditions) {
  if (conditions.size() != 1 || g.op(conditions[0]) != Op::kCmpEq) return 0;
  const Id a = g.src(conditions[0], 0), b = g.src(conditions[0], 1);
  if (a == range && !g.depends_on(b, range)) return b;
  return b == range && !g.depends_on(a, range) ? a : 0;
}

/// The range, kept inside its bounds.
Id clamped(Graph& g, Id index, Id size) {
  const Id last = binary(g, Op::kSub, size, index_const(g, 1));
  return binary(g, Op::kMax, minimum(g, index, last), index_const(g, 0));
}

/// sum over `range` of WHERE(inside, value, 0) without a loop, or 0. Adds to `outside` when that is
/// 0.
Id closed_sum(Graph& g, Id range, Id value, std::span<const Id> inside, std::vector<Id>& outside) {
  const Id size = g.src(range, 0);
  if (const Id step = picked_step(g, range, inside)) {
    outside.push_back(binary(g, Op::kCmpLt, index_const(g, -1), step));
    outside.push_back(binary(g, Op::kCmpLt, step, size));
    const Id at = clamped(g, step, size);
    return substitute(g, value, std::span(&range, 1), std::span(&at, 1));
  }
  const bool is_exact =
      is_const(g, value) || !g.dtype(value).is_float();  // no steps of an infinity are 0
  if (!is_exact || g.depends_on(value, range)) return 0;
  const Id count = count_steps(g, range, inside);
  return count ? times(g, value, count) : 0;
}

/// sum of WHERE(conditions, value, 0): a loop goes when its conditions pick one step, or bound it
/// and the value is the same in all steps. Conditions on nothing but outer loops go outside then.
Id sum_of_masked(Match& m, Id value, std::span<const Id> conditions) {
  Graph& g = m.graph();
  const std::vector<Id> ranges = m[rest];
  if (conditions.empty()) return 0;
  for (const Id range : ranges) {
    std::vector<Id> outside, inside;
    for (const Id condition : conditions) {
      (g.depends_on(condition, range) ? inside : outside).push_back(condition);
    }
    const Id sum = closed_sum(g, range, value, inside, outside);
    if (sum == 0) continue;
    const Id zero = constant(g, m.dtype(), 0);
    return reduce_or_value(m, where(g, conjunction(g, outside), sum, zero), without(ranges, range));
  }
  return 0;
}

Id sum_where(Match& m) {
  if (reduce_op(m) != Op::kAdd || !is_const_value(m.graph(), m[c0], 0)) return 0;
  return sum_of_masked(m, m[y], conjuncts_of(m.graph(), m[x]));
}

Id sum_where_not(Match& m) {
  if (reduce_op(m) != Op::kAdd || !is_const_value(m.graph(), m[c0], 0)) return 0;
  const Id condition = logical_not(m.graph(), m[x]);
  return sum_of_masked(m, m[y], std::span(&condition, 1));
}

/// The number of steps in which a condition holds.
Id sum_condition(Match& m) {
  if (reduce_op(m) != Op::kAdd) return 0;
  return sum_of_masked(m, constant(m.graph(), m.dtype(), 1), conjuncts_of(m.graph(), m[x]));
}

/// Does the gate of a load imply the mask around it?
bool is_implied(const Graph& g, Id mask, Id gate) {
  const std::vector<Id> wanted = conjuncts_of(g, mask), given = conjuncts_of(g, gate);
  Assumptions assumptions;
  for (const Id condition : given) assumptions.assume(g, condition);
  const auto holds = [&](Id condition) {
    if (std::ranges::find(given, condition) != given.end()) return true;
    const Bound bound = Bound::of(g, condition);
    const Interval allowed = bound.interval();
    return bound.node != 0 && assumptions.bounds(g, bound.node).within(allowed.lo, allowed.hi);
  };
  return !wanted.empty() && std::ranges::all_of(wanted, holds);
}

}  // namespace

const RuleSet& reductions() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"reductions", "What does not depend on a range leaves its loop, and sums of conditions become bounds."},
      op<Op::kEnd>(x, rest)                   >> call<drop_constant_ranges>,
      op<Op::kReduce>(x, rest)                >> call<drop_constant_ranges>,
      op<Op::kReduce>(x, rest)                >> call<drop_unused_ranges>,
      op<Op::kReduce>(ints(x * c0), rest)     >> call<factor_out>,
      op<Op::kReduce>(where(x, y, c0), rest)  >> call<sum_where>,
      op<Op::kReduce>(where(x, c0, y), rest)  >> call<sum_where_not>,
      op<Op::kReduce>(cast(bools(x)), rest)   >> call<sum_condition>);
  // clang-format on
  return table;
}

const RuleSet& masked_loads() {
  using namespace pattern;
  constexpr auto gated_load = n.as(op<Op::kLoad>(op<Op::kIndex>(y, z, w), c0));
  static const RuleSet table =
      rules({"masked loads", "A condition that a load's own mask implies is not asked again."},
            where(x, gated_load, c0) >> n | when(check<is_implied>(x, w)));
  return table;
}

const RuleSet& kernel_simplifications() {
  static const RuleSet table = symbolic() + reductions() + masked_loads();
  return table;
}

}  // namespace loom
