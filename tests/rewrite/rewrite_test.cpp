#include "rewrite/rewrite.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/expr.h"

namespace loom {
namespace {

using namespace pattern;

class RewriteTest : public ::testing::TestWithParam<Strategy> {
 protected:
  Expr var(const char* name, DType dtype = kInt32) {
    return {g, g.add(Op::kVariable, dtype, {constant(g, dtype, 0), constant(g, dtype, 100)},
                     g.text(name))};
  }
  /// The text of the error that the rewrite ends in.
  std::string error_of(Id id, const RuleSet& table, uint64_t limit = 1000) {
    Rewriter rewriter(g, table, GetParam());
    rewriter.set_limit(limit);
    try {
      rewriter(id);
    } catch (const InternalError& error) {
      return error.what();
    }
    return "";
  }

  Graph g;
  Expr a = var("a"), b = var("b");
};

INSTANTIATE_TEST_SUITE_P(Strategies, RewriteTest,
                         ::testing::Values(Strategy::kBottomUp, Strategy::kTopDown),
                         [](const auto& strategy) {
                           return std::string(strategy.param == Strategy::kBottomUp ? "BottomUp"
                                                                                    : "TopDown");
                         });

TEST_P(RewriteTest, AppliesRulesUntilNoneFires) {
  const RuleSet table = rules("t", (x + lit<0>) >> x, ((x + c0) + c1) >> (x + fold(c0 + c1)));
  EXPECT_EQ(rewrite(g, ((a + 3) + 4) + -7, table, GetParam()), a);
  EXPECT_EQ(rewrite(g, (((a + 3) + 4) + -7) * b, table, GetParam()), a * b);
}

TEST_P(RewriteTest, WhatARuleBuildsIsRewrittenToo) {
  const RuleSet table = rules(
      "t",
      (x - y) >>
          [](Match& m) {
            return add(m.graph(), m[x], mul(m.graph(), m[y], constant(m.graph(), kInt32, 1)));
          },
      (x * lit<1>) >> x);
  EXPECT_EQ(rewrite(g, a - b, table, GetParam()), a + b);
}

TEST_P(RewriteTest, ARewriterSharesWhatRootsShare) {
  const RuleSet table = rules("t", (x + lit<0>) >> x);
  Rewriter rewriter(g, table, GetParam());
  const Expr shared = (a + 0) * b;
  EXPECT_EQ(rewriter(shared - 1), a * b - 1);
  const uint64_t visits = rewriter.stats().visits;
  EXPECT_EQ(rewriter(shared - 2), a * b - 2);
  EXPECT_LE(rewriter.stats().visits, visits + 3);
  EXPECT_EQ(rewriter(shared - 2), a * b - 2);
}

TEST_P(RewriteTest, EveryNodeIsRewrittenOnce) {
  const RuleSet table = rules("t", (x + lit<0>) >> x);
  Expr e = a;
  for (int i = 0; i < 60; i++) e = (e + 0) * (e + 0);  // 2^60 paths
  Rewriter rewriter(g, table, GetParam());
  rewriter(e);
  EXPECT_EQ(rewriter.stats().applications, 60u);
}

TEST(Rewrite, BottomUpSeesRewrittenSourcesAndTopDownTheOriginals) {
  Graph g;
  const Expr a(g, g.add(Op::kVariable, kInt32, {constant(g, kInt32, 0), constant(g, kInt32, 9)},
                        g.text("a")));
  const RuleSet table = rules("t", (-(-x)) >> x, (-(x + lit<0>)) >> lit<7>, (x + lit<0>) >> x);
  EXPECT_EQ(rewrite(g, -(a + 0), table, Strategy::kBottomUp), -a);
  EXPECT_EQ(rewrite(g, -(a + 0), table, Strategy::kTopDown), a.number(7));
}

TEST(Rewrite, TopDownGoesOnIntoTheResult) {
  Graph g;
  const Expr a(g, g.add(Op::kVariable, kInt32, {constant(g, kInt32, 0), constant(g, kInt32, 9)},
                        g.text("a")));
  // Pushes negation inwards, and tries a node again that its sources have changed.
  const RuleSet table = rules("t", (-(x + y)) >> (-x + -y), (-(-x)) >> x, (x + x) >> x * lit<2>);
  EXPECT_EQ(rewrite(g, -((-a) + (-(-(-a)))), table, Strategy::kTopDown), a * 2);
}

struct Count {
  int seen = 0;
};

TEST_P(RewriteTest, ContextIsHandedThrough) {
  const RuleSet table = rules(
      "t", exactly(x + y) >> [](Match& m) -> Id {
        m.context<Count>().seen++;
        return 0;
      });
  Count count;
  rewrite(g, (a + b) * (b + b), table, GetParam(), count);
  EXPECT_EQ(count.seen, 2);
  std::string wrong;
  EXPECT_THROW(rewrite(g, a + b, table, GetParam(), wrong), InternalError);
  EXPECT_THROW(rewrite(g, a + b, table, GetParam()), InternalError);
}

TEST_P(RewriteTest, ARuleMayAskForTheNormalFormOfWhatItBuilds) {
  // x + y -> 0 when x - y comes to 0.
  const RuleSet table = rules(
      "t", (x - x) >> lit<0>, (x * lit<1>) >> x, exactly(x + y) >> [](Match& m) -> Id {
        const Id difference = m.normal(binary(m.graph(), Op::kSub, m[x], m[y]));
        return is_const_value(m.graph(), difference, 0) ? difference : 0;
      });
  EXPECT_EQ(rewrite(g, (a * 1) + a, table, GetParam()), a.number(0));
  EXPECT_EQ(rewrite(g, a + b, table, GetParam()), a + b);
}

TEST_P(RewriteTest, ACircleIsAnErrorThatShowsItsRules) {
  const RuleSet table = rules("circle", (x + y) >> (x ^ y), (x ^ y) >> (x | y), (x | y) >> (x + y),
                              (x - y) >> (y + x));
  const std::string error = error_of(a - b, table);
  for (const char* part :
       {"in a circle", "circle:0  x + y -> x ^ y", "circle:1", "circle:2  x | y -> x + y"}) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  }
  EXPECT_EQ(error.find("circle:3"), std::string::npos) << error;  // it only led there
}

TEST_P(RewriteTest, AResultThatContainsItsNodeIsACircle) {
  const RuleSet table = rules("growth", (x + y) >> ((x + y) * lit<2>));
  EXPECT_NE(error_of(a + b, table).find("growth:0"), std::string::npos);
}

TEST_P(RewriteTest, GrowthWithoutEndIsAnErrorThatShowsItsRules) {
  const RuleSet up = rules("up", exactly(x + c0) >> (x + fold(c0 + lit<1>)));
  EXPECT_NE(error_of(a + 1, up).find("up:0  x + c0 -> x + [c0 + 1]"), std::string::npos);
  const RuleSet wide = rules("wide", exactly(x + c0) >> -(x + fold(c0 + lit<1>)));
  EXPECT_NE(error_of(a + 1, wide).find("wide:0"), std::string::npos);
}

TEST_P(RewriteTest, OneNodeMayBeRewrittenManyTimes) {
  const RuleSet table = rules("t", (x + c0) >> (x + fold(c0 - lit<1>)) | when(c0 > lit<0>));
  EXPECT_EQ(rewrite(g, a + 5000, table, GetParam()), a + 0);
}

TEST_P(RewriteTest, SameGraphGivesSameIds) {
  const auto run = [&] {
    Graph fresh;
    const Expr v(fresh, fresh.add(Op::kVariable, kInt32,
                                  {constant(fresh, kInt32, 0), constant(fresh, kInt32, 9)},
                                  fresh.text("a")));
    const RuleSet table = rules("t", ((x + c0) + c1) >> (x + fold(c0 + c1)), (x * y) >> (y - x));
    const Id result = rewrite(fresh, (((v + 1) + 2) * v) * ((v + 3) + 4), table, GetParam());
    return std::pair(result, fresh.size());
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace loom
