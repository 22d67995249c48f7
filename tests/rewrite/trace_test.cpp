#include "rewrite/trace.h"

#include <gtest/gtest.h>

#include "ir/expr.h"
#include "rewrite/rewrite.h"

namespace loom {
namespace {

using namespace pattern;

class TraceTest : public ::testing::Test {
 protected:
  Graph g;
  Expr a{g, g.add(Op::kVariable, kInt32, {constant(g, kInt32, 0), constant(g, kInt32, 9)},
                  g.text("a"))};
  RuleSet table = rules("t", (x + lit<0>) >> x, (x - y) >> (x + y * lit<-1>),
                        (x * c0) >> fold(c0) | when(c0 > lit<5>));
};

TEST_F(TraceTest, RecordsRulePlaceBeforeAndAfter) {
  Trace trace;
  const Expr minus = (a + 0) - a;
  rewrite(g, minus, table);
  ASSERT_EQ(trace.applications().size(), 2u);
  const Application& first = trace.applications()[0];
  EXPECT_EQ(first.rule->name(), "t:0");
  EXPECT_EQ(first.place, a + 0);
  EXPECT_EQ(first.before, a + 0);
  EXPECT_EQ(first.after, a);
  const Application& second = trace.applications()[1];
  EXPECT_EQ(second.rule->name(), "t:1");
  EXPECT_EQ(second.place, minus);
  EXPECT_EQ(second.before, a - a);  // its source had been rewritten
  EXPECT_EQ(second.after, a + a * -1);
}

TEST_F(TraceTest, TheInnermostTraceRecords) {
  Trace outer;
  {
    Trace inner;
    rewrite(g, a + 0, table);
    EXPECT_EQ(inner.applications().size(), 1u);
  }
  EXPECT_TRUE(outer.applications().empty());
  rewrite(g, a + 0, table);
  EXPECT_EQ(outer.applications().size(), 1u);
}

TEST_F(TraceTest, RulesOutliveTheirTable) {
  Trace trace;
  rewrite(g, -a, rules("short lived", (-x) >> x));
  rewrite(g, a + 0, table);
  EXPECT_EQ(trace.applications()[0].rule->text(), "-x -> x");
  EXPECT_EQ(trace.applications()[1].rule->name(), "t:0");
}

}  // namespace
}  // namespace loom
