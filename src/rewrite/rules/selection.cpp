// WHERE, whose condition is a bool, and MAX.
#include "rewrite/rules/chain.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

bool is_at_least(const Graph& g, Id a, Id b) {
  const int64_t limit = g.bounds(b).hi;
  const bool may_be_more = g.dtype(b).scalar == Scalar::kUInt64 && limit == INT64_MAX;
  return !may_be_more && g.bounds(a).lo >= limit;
}

// f(WHERE(x, c0, c1), c2) -> WHERE(x, f(c0, c2), f(c1, c2)), whichever source the WHERE is;
// constants then fold.
Id choose_result(Match& m) {
  Graph& g = m.graph();
  const Node node = g[m.root()];
  const std::array<Id, 3> choice = {m[pattern::x], m[pattern::c0], m[pattern::c1]};
  std::array<Id, 2> results;
  for (size_t k = 0; k < 2; k++) {
    std::array<Id, 2> src = {node.src[0], node.src[1]};
    for (size_t i = 0; i < node.src_count; i++) {
      if (g.op(src[i]) == Op::kWhere) src[i] = broadcast(g, choice[k + 1], g.dtype(src[i]).lanes);
    }
    results[k] = g.add(node.op, node.dtype(), std::span(src).first(node.src_count), node.arg);
  }
  return g.add(Op::kWhere, node.dtype(), {choice[0], results[0], results[1]});
}

Id merge_same(Graph&, Id a, Id b) { return a == b ? a : 0; }
Id sort_max(Match& m) { return place_operand(m, merge_same); }

// Names for guards.
constexpr auto at_least(auto a, auto b) { return pattern::check<is_at_least>(a, b); }

}  // namespace

const RuleSet& selection() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"selection",
          "WHERE and MAX."},
      // Nothing to choose.
      where(yes, x, y)                            >> x,
      where(no, x, y)                             >> y,
      where(x, y, y)                              >> y,
      where(x, where(x, y, z), w)                 >> where(x, y, w),
      where(x, w, where(x, y, z))                 >> where(x, w, z),
      where(~x, y, z)                             >> where(x, z, y),
      // Choosing among bools is logic.
      where(x, yes, no)                           >> x,
      where(x, no, yes)                           >> ~x,
      bools(where(x, yes, y))                     >> (x | y),
      bools(where(x, y, no))                      >> (x & y),
      bools(where(x, no, y))                      >> (~x & y),
      bools(where(x, y, yes))                     >> (~x | y),
      // Two choices that are one.
      where(x, where(y, z, w), w)                 >> where(x & y, z, w),
      where(x, z, where(y, z, w))                 >> where(x | y, z, w),
      ints(x * cast(bools(y)))                    >> where(y, x, lit<0>),
      // Operations on a choice between constants are done at once.
      any_of<kFoldableOps>(where(x, c0, c1))         >> call<choose_result>,
      any_of<kFoldableOps>(where(x, c0, c1), c2)     >> call<choose_result>,
      any_of<kFoldableOps>(c2, where(x, c0, c1))     >> call<choose_result>,
      // MAX.
      ints(max(x, y))                             >> x | when(at_least(x, y)),
      max(max(x, c0), c1)                         >> max(x, fold(max(c0, c1))),
      ints(max(max(x, c0), y))                    >> max(max(x, y), c0) | when(not_constant(y)),
      indices(max(x + c0, x + c1))                >> (x + fold(max(c0, c1))),
      indices(max(x + c0, x))                     >> (x + fold(max(c0, lit<0>))),
      ints(exactly(max(x, y)))                    >> call<sort_max> | when(not_constant(y)));
  // clang-format on
  return table;
}

}  // namespace loom
