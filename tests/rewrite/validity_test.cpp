#include <gtest/gtest.h>

#include "ir/expr.h"
#include "ir/text.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"
#include "tests/rewrite/random_expression.h"

namespace loom::testing {
namespace {

class Validity : public ::testing::Test {
 protected:
  Expr loop(int64_t size, int64_t axis) { return {g, range(g, size, axis, AxisType::kLoop)}; }
  /// The simplified INDEX of a buffer of 1000 elements.
  Id simple_index(Id offset, Id gate) { return simplify(g, index(g, buffer, offset, gate)); }

  Graph g;
  Id buffer = g.add(Op::kParam, kFloat32, {index_const(g, 1000)}, 0);
};

TEST_F(Validity, OffsetIsSimplifiedUnderItsGate) {
  const Expr r = loop(20, 0);
  // r % 10 is r where r < 10.
  EXPECT_EQ(simple_index(r % 10, r < 10), index(g, buffer, r, r < 10));
}

TEST_F(Validity, AssumptionsOnSumsHelp) {
  const Expr r = loop(20, 0), k = loop(3, 1);
  const Expr row = r + k - 1;
  const Expr inside = (row > -1) & (row < 12);
  const Id simple = simple_index((row + 12) % 12, inside);
  EXPECT_EQ(g.src(simple, 1), simplify(g, row)) << print(g, simple);
}

TEST_F(Validity, ConjunctsThatFollowFromOthersGo) {
  const Expr r = loop(20, 0), k = loop(3, 1);
  const Id simple = simple_index(r, (r < 5) & (r * 3 + k < 15));
  EXPECT_EQ(g.src(simple, 2), (r < 5).id) << print(g, simple);
}

TEST_F(Validity, ConjunctsAreSimplifiedUnderTheOthers) {
  const Expr r = loop(20, 0);
  // (2 r + 8) % 10 is 2 r - 2 where 1 <= r <= 5.
  const Id simple = simple_index(r, (r > 0) & (r < 6) & ((r * 2 + 8) % 10 < 5));
  for (Id id : reachable(g, simple)) EXPECT_NE(g.op(id), Op::kMod) << print(g, simple);
}

TEST_F(Validity, LoadsInAnOffsetKeepTheirOwnGate) {
  const Expr r = loop(20, 0);
  const Id numbers = g.add(Op::kParam, kInt32, {index_const(g, 10)}, 1);
  const Id number = load(g, index(g, numbers, r, r < 10), constant(g, kInt32, 0));
  const Id offset = Expr(g, cast(g, number, kIndex)) % 1000;
  const Id simple = simple_index(offset, r < 10);
  for (Id id : reachable(g, simple)) {
    if (g.op(id) != Op::kIndex) continue;
    EXPECT_EQ(g.src(id).size(), 3u) << print(g, simple);
  }
}

TEST_F(Validity, GateThatAlwaysHoldsGoes) {
  const Expr r = loop(20, 0);
  const Id alternative = constant(g, kFloat32, 0);
  const Id value = load(g, index(g, buffer, r, r < 30), alternative);
  EXPECT_EQ(simplify(g, value), load(g, index(g, buffer, r)));
}

TEST_F(Validity, ClosedGateGivesTheAlternative) {
  const Expr r = loop(20, 0);
  const Id alternative = constant(g, kFloat32, 7);
  EXPECT_EQ(simplify(g, load(g, index(g, buffer, r, r < -3), alternative)), alternative);
}

// Same gate before and after, and same offset where it holds.
void expect_same_access(Graph& g, Id before, Id after, RandomExpression& random, uint64_t seed) {
  Assignment assignment = random.first_assignment();
  int count = 0;
  do {
    const auto value = [&](Id index, size_t source) {
      return evaluate(g, g.src(index, source), random.leaves(), assignment)[0].as_int();
    };
    const bool is_open = value(before, 2) != 0;
    const bool is_open_after = g.src(after).size() == 2 || value(after, 2) != 0;
    ASSERT_EQ(is_open, is_open_after) << "seed " << seed << "\n"
                                      << print(g, before) << print(g, after);
    if (is_open) {
      ASSERT_EQ(value(before, 1), value(after, 1)) << "seed " << seed << "\n"
                                                   << print(g, before) << print(g, after);
    }
  } while (random.next_assignment(assignment) && ++count < 1000);
}

TEST(ValidityFuzz, AccessesStayTheSame) {
  const int count = rounds(5000);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); i++) {
    const uint64_t seed = base_seed() + static_cast<uint64_t>(i);
    Graph g;
    RandomExpression random(g, seed, RandomExpression::kIndices);
    Id gate = random.make(kBool, 2);
    for (size_t k = random.below(4); k-- > 0;) gate = logical_and(g, gate, random.make(kBool, 2));
    const Id offset = random.make(kIndex, 4);
    const Id before =
        index(g, g.add(Op::kParam, kFloat32, {index_const(g, 1000)}, 0), offset, gate);
    expect_same_access(g, before, simplify(g, before), random, seed);
  }
}

}  // namespace
}  // namespace loom::testing
