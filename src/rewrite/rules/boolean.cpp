// AND, OR and XOR: on the bits of integers of any width, and as logic on bools. NOT is XOR true.
#include "rewrite/rules/bound.h"
#include "rewrite/rules/chain.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::scalar_constant;

bool is_not_of(const Graph& g, Id a, Id b) {
  if (g.op(a) != Op::kXor || g.src(a, 0) != b || !g.dtype(a).is_bool()) return false;
  const Id constant = scalar_constant(g, g.src(a, 1));
  return constant != 0 && int_value(g, constant) != 0;
}

// Two bounds on the same node: the tighter one of two on one side is implied by, or implies, the
// other.
Id merge_bounds(Graph& g, Id a, Id b, bool wants_tighter) {
  const Bound p = Bound::of(g, a), q = Bound::of(g, b);
  if (p.node == 0 || p.node != q.node) return 0;
  if (p.is_upper == q.is_upper) {
    const bool is_first_tighter = p.is_upper ? p.limit <= q.limit : p.limit >= q.limit;
    return is_first_tighter == wants_tighter ? a : b;
  }
  const int64_t upper = p.is_upper ? p.limit : q.limit, lower = p.is_upper ? q.limit : p.limit;
  const bool is_empty = upper <= lower || upper == lower + 1;  // nothing is between them
  const bool covers_all = lower < upper;  // everything is on one side or the other
  if (wants_tighter && is_empty) return constant(g, g.dtype(a), 0);
  if (!wants_tighter && covers_all) return constant(g, g.dtype(a), 1);
  return 0;
}

Id merge_conjuncts(Graph& g, Id a, Id b) {
  if (a == b) return a;
  if (is_not_of(g, a, b) || is_not_of(g, b, a)) return constant(g, g.dtype(a), 0);
  return merge_bounds(g, a, b, true);
}

Id merge_disjuncts(Graph& g, Id a, Id b) {
  if (a == b) return a;
  if (is_not_of(g, a, b) || is_not_of(g, b, a)) return constant(g, g.dtype(a), 1);
  return merge_bounds(g, a, b, false);
}

Id merge_differences(Graph& g, Id a, Id b) { return a == b ? constant(g, g.dtype(a), 0) : 0; }

Id sort_conjunction(Match& m) { return place_operand(m, merge_conjuncts); }
Id sort_disjunction(Match& m) { return place_operand(m, merge_disjuncts); }
Id sort_difference(Match& m) { return place_operand(m, merge_differences); }

}  // namespace

const RuleSet& boolean() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"boolean",
          "AND, OR and XOR: on the bits of integers that may wrap around, and as logic on bools."},
      // Arithmetic on bools is logic.
      bools(x + y)             >> (x | y),
      bools(x * y)             >> (x & y),
      bools(x - y)             >> (x ^ y),
      bools(max(x, y))         >> (x | y),
      // Constants go to the outside.
      ((x & c0) & c1)          >> (x & fold(c0 & c1)),
      ((x | c0) | c1)          >> (x | fold(c0 | c1)),
      ((x ^ c0) ^ c1)          >> (x ^ fold(c0 ^ c1)),
      ((x & c0) & y)           >> ((x & y) & c0) | when(not_constant(y)),
      ((x | c0) | y)           >> ((x | y) | c0) | when(not_constant(y)),
      ((x ^ c0) ^ y)           >> ((x ^ y) ^ c0) | when(not_constant(y)),
      ((x | c0) & c1)          >> (x & c1) | when((c0 & c1) == lit<0>),
      // Absorption and factors.
      (x & (x | y))            >> x,
      (x | (x & y))            >> x,
      ((x & y) | (x & z))      >> (x & (y | z)),
      bools(~x & ~y)           >> ~(x | y),
      bools(~x | ~y)           >> ~(x & y),
      bools(x & (~x | y))      >> (x & y),
      bools(x | (~x & y))      >> (x | y),
      // Operands have an order; those that say the same become one.
      exactly(x & y)           >> call<sort_conjunction> | when(not_constant(y)),
      exactly(x | y)           >> call<sort_disjunction> | when(not_constant(y)),
      exactly(x ^ y)           >> call<sort_difference> | when(not_constant(y)));
  // clang-format on
  return table;
}

}  // namespace loom
