// Masked memory: INDEX(buffer, offset, gate) matters only where its gate holds, so its offset may
// be simplified as if it did. Of the gate itself, conjuncts that follow from the others go.
//
// An assumption `lo <= e <= hi` is used by putting a variable of that interval in e's place,
// simplifying, and taking e back. When e is a sum, as in 0 <= r + k - 1, then its term r becomes
// `variable - k + 1`.
#include <algorithm>

#include "base/str.h"
#include "rewrite/rules/bound.h"
#include "rewrite/rules/small_expression.h"
#include "rewrite/rules/sum.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::x;
using pattern::y;
using pattern::z;

// --- The gate. ---

// Does the conjunct follow from the assumptions, by interval analysis of its linear form?
bool is_implied(const Graph& g, Id conjunct, const Assumptions& assumptions) {
  const Bound bound = Bound::of(g, conjunct);
  if (bound.node == 0 || g.dtype(bound.node) != kIndex) return false;
  const auto known =
      Sum::of(g, bound.node).bounds([&](Id base) { return assumptions.bounds(g, base); });
  const Interval wanted = bound.interval();
  return known && known->within(wanted.lo, wanted.hi);
}

Id drop_implied_conjuncts(Match& m) {
  Graph& g = m.graph();
  std::vector<Id> conjuncts = conjuncts_of(g, m[z]);
  const size_t count = conjuncts.size();
  for (size_t i = 0; i < conjuncts.size() && conjuncts.size() > 1;) {
    Assumptions others;
    for (size_t k = 0; k < conjuncts.size(); k++) {
      if (k != i) others.assume(g, conjuncts[k]);
    }
    if (is_implied(g, conjuncts[i], others))
      conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    else
      i++;
  }
  if (conjuncts.size() == count) return 0;
  Id gate = conjuncts[0];
  for (size_t i = 1; i < conjuncts.size(); i++) gate = logical_and(g, gate, conjuncts[i]);
  return index(g, m[x], m[y], gate);
}

// --- The offset. ---

constexpr int kDivisionCost = 8;

// What interval analysis can make simpler; sums and products it cannot.
int cost_of(const Graph& g, const SmallExpression& expression) {
  int cost = 0;
  for (Id id : expression.nodes()) {
    switch (g.op(id)) {
      case Op::kIDiv:
      case Op::kMod: cost += kDivisionCost; break;
      case Op::kMax:
      case Op::kWhere:
      case Op::kCmpLt:
      case Op::kCmpEq:
      case Op::kCmpNe: cost += 2; break;
      default: break;
    }
  }
  return cost;
}

int cost_of(const Graph& g, Id id) {
  const auto expression = SmallExpression::of(g, id);
  return expression ? cost_of(g, *expression) : INT_MAX;
}

// What is read happens whether or not the assumption holds, so its own gate must stay.
bool reads_memory(const Graph& g, const SmallExpression& expression) {
  return std::ranges::any_of(expression.nodes(), [&](Id id) { return g.op(id) == Op::kLoad; });
}

// A node inside of the expression that stands for the assumed one, and what it is when `variable`
// has the assumed one's value: the assumed node itself, or a term of it.
struct Stand {
  Id node = 0;
  Id value = 0;
};

Stand stand_for(Graph& g, const SmallExpression& expression, Id assumed, Id variable) {
  if (expression.contains(assumed) && !is_const(g, assumed)) return {assumed, variable};
  Sum sum = Sum::of(g, assumed);
  for (size_t i = 0; i < sum.size; i++) {
    const Scaled term = sum.term[i];
    if ((term.factor != 1 && term.factor != -1) || !expression.contains(term.base)) continue;
    std::swap(sum.term[i], sum.term[sum.size - 1]);
    sum.size--;
    const Id rest = binary(g, Op::kSub, variable, sum.build(g, kIndex));
    return {term.base, binary(g, Op::kMul, rest, index_const(g, term.factor))};
  }
  return {};
}

// The offset under one assumption, or the same when that makes it no simpler.
Id simplify_given(Graph& g, Id offset, Id assumed, Interval interval) {
  const auto expression = SmallExpression::of(g, offset);
  if (!expression || cost_of(g, *expression) == 0 || reads_memory(g, *expression)) return offset;
  const Id variable =
      g.add(Op::kVariable, kIndex, {index_const(g, interval.lo), index_const(g, interval.hi)},
            g.text(str("assumed ", assumed)));
  const Stand stand = stand_for(g, *expression, assumed, variable);
  if (stand.node == 0) return offset;
  const Id simpler = simplify(g, expression->substitute(g, stand.node, stand.value));
  const auto result = SmallExpression::of(g, simpler);
  if (!result) return offset;
  const Id back =
      simplify(g, result->contains(variable) ? result->substitute(g, variable, assumed) : simpler);
  return cost_of(g, back) < cost_of(g, *expression) ? back : offset;
}

Id simplify_offset(Match& m) {
  Graph& g = m.graph();
  Assumptions assumptions;
  for (Id conjunct : conjuncts_of(g, m[z])) assumptions.assume(g, conjunct);
  if (assumptions.is_contradiction) return 0;
  Id offset = m[y];
  for (const Assumptions::Item& item : assumptions.items) {
    if (g.dtype(item.node) == kIndex) offset = simplify_given(g, offset, item.node, item.interval);
  }
  return offset == m[y] ? 0 : index(g, m[x], offset, m[z]);
}

// A conjunct that divides, under the assumption that the others hold.
Id simplify_conjuncts(Match& m) {
  Graph& g = m.graph();
  std::vector<Id> conjuncts = conjuncts_of(g, m[z]);
  bool has_changed = false;
  for (Id& conjunct : conjuncts) {
    if (cost_of(g, conjunct) < kDivisionCost) continue;
    Assumptions others;
    for (Id other : conjuncts) {
      if (other != conjunct) others.assume(g, other);
    }
    if (others.is_contradiction) return 0;
    const Id before = conjunct;
    for (const Assumptions::Item& item : others.items) {
      if (g.dtype(item.node) == kIndex)
        conjunct = simplify_given(g, conjunct, item.node, item.interval);
    }
    has_changed |= conjunct != before;
  }
  if (!has_changed) return 0;
  Id gate = conjuncts[0];
  for (size_t i = 1; i < conjuncts.size(); i++) gate = logical_and(g, gate, conjuncts[i]);
  return index(g, m[x], m[y], gate);
}

Id drop_gate(Match& m) { return index(m.graph(), m[x], m[y]); }
Id load_without_alternative(Match& m) { return load(m.graph(), m[pattern::n]); }

}  // namespace

const RuleSet& validity() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"validity",
          "A masked access is simplified under the assumption that its gate holds. The values "
          "of the two sides may differ where it does not."},
      // A gate that always holds is none, and what a closed one lets through is the alternative.
      op<Op::kIndex>(x, y, yes) >> call<drop_gate>,
      op<Op::kLoad>(n.as(op<Op::kIndex>(x, y)), z) >> call<load_without_alternative>,
      op<Op::kLoad>(op<Op::kIndex>(x, y, no), z) >> z,
      op<Op::kIndex>(x, y, bools(z)) >> call<drop_implied_conjuncts>,
      op<Op::kIndex>(x, y, bools(z)) >> call<simplify_conjuncts>,
      op<Op::kIndex>(x, indices(y), bools(z)) >> call<simplify_offset>);
  // clang-format on
  return table;
}

}  // namespace loom
