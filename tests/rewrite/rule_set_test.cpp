#include "rewrite/rule_set.h"

#include <gtest/gtest.h>

#include "ir/expr.h"
#include "rewrite/rewrite.h"

namespace loom {
namespace {

using namespace pattern;

class RuleSetTest : public ::testing::Test {
 protected:
  Graph g;
  Expr a{g, g.add(Op::kVariable, kInt32, {constant(g, kInt32, 0), constant(g, kInt32, 9)},
                  g.text("a"))};
};

TEST_F(RuleSetTest, FirstWrittenRuleWins) {
  const RuleSet first = rules("first", (x + c0) >> x), second = rules("second", (x + c0) >> c0);
  EXPECT_EQ(apply_once(g, a + 3, first + second), a);
  EXPECT_EQ(apply_once(g, a + 3, second + first), a.number(3));
}

TEST_F(RuleSetTest, RulesKeepTheirNamesWhenTablesAreAdded) {
  constexpr uint32_t kLine = __LINE__ + 2;
  const RuleSet sum =
      rules("one", (x + lit<0>) >> x, (x * lit<1>) >> x) + rules("two", (x - x) >> lit<0>);
  ASSERT_EQ(sum.size(), 3u);
  EXPECT_EQ(sum.rules()[1].name(), "one:1");
  EXPECT_EQ(sum.rules()[2].name(), "two:0");
  EXPECT_EQ(sum.rules()[2].text(), "x - x -> 0");
  EXPECT_EQ(sum.rules()[0].at.line(), kLine);
}

TEST_F(RuleSetTest, OneRuleCanBeTakenOut) {
  const RuleSet table = rules("t", (x + lit<0>) >> x, (x * lit<1>) >> x);
  const RuleSet product = table.only(1);
  EXPECT_EQ(product.size(), 1u);
  EXPECT_EQ(product.rules()[0].name(), "t:1");
  EXPECT_EQ(apply_once(g, a * 1, product), a);
  EXPECT_EQ(apply_once(g, a + 0, product), 0u);
}

TEST_F(RuleSetTest, EmptyTableDoesNothing) { EXPECT_EQ(rewrite(g, a + 0, RuleSet()), a + 0); }

// 200 rules on one op: more than one word of every bit set.
template <int... K>
RuleSet sums_to_products(std::integer_sequence<int, K...>) {
  return rules("many", exactly(x + lit<K>) >> x * lit<K>...);
}

TEST_F(RuleSetTest, HundredsOfRulesOnOneOp) {
  const RuleSet table = sums_to_products(std::make_integer_sequence<int, 200>());
  for (int64_t k : {0, 63, 64, 127, 128, 199}) EXPECT_EQ(apply_once(g, a + k, table), a * k);
  EXPECT_EQ(apply_once(g, a + 200, table), 0u);
}

TEST_F(RuleSetTest, OnlyRulesThatCanMatchAreTried) {
  const RuleSet table =
      rules("t", (x + lit<7>) >> x, (x - y) >> x, (-x + y) >> y, floats(x + y) >> x, (x + y) >> y);
  Rewriter rewriter(g, table);
  rewriter(a + (a ^ a));
  EXPECT_EQ(rewriter.stats().tries, 1u);  // of t:4: the others see no constant, SUB, NEG or float
}

TEST_F(RuleSetTest, SourcesPastTheThirdAreMatchedToo) {
  const RuleSet table = rules("t", op<Op::kGroup>(x, y, x, y, c0) >> y);
  EXPECT_EQ(
      apply_once(g, g.add(Op::kGroup, kVoid, std::array<Id, 5>{a, a, a, a, a.number(1)}), table),
      a);
  EXPECT_EQ(apply_once(g, g.add(Op::kGroup, kVoid, std::array<Id, 5>{a, a, a, a, a}), table), 0u);
  EXPECT_EQ(apply_once(g, g.add(Op::kGroup, kVoid, std::array<Id, 4>{a, a, a, a}), table), 0u);
}

}  // namespace
}  // namespace loom
