#include "rewrite/rewrite.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace loom {
namespace {

using namespace pattern;

const RuleSet& small() {
  // clang-format off
  static const RuleSet table = rules("small",
      (x + lit<0>) >> x,
      ((x + c0) + c1) >> (x + fold(c0 + c1)),
      (c0 + c1) >> fold(c0 + c1),
      ((x * c0 + y) % c0) >> y % c0 | when(positive(c0), nonnegative(y)),
      where(yes, x, y) >> x,
      ((x + c0) < c1) >> (x < fold(c1 - c0)) | when(c0 > lit<0>),
      op<Op::kSink>(x, rest) >> [](Match& m) -> Id { return m[rest].empty() ? m[x] : 0; });
  // clang-format on
  return table;
}

Id var(Graph& g, const char* name, DType dtype = kIndex) {
  return g.add(Op::kVariable, dtype, {constant(g, dtype, 0), constant(g, dtype, 100)},
               g.text(name));
}

TEST(Rewrite, AppliesRulesUntilNoneFires) {
  Graph g;
  const Id a = var(g, "a");
  const Id sum =
      add(g, add(g, add(g, a, index_const(g, 3)), index_const(g, 4)), index_const(g, -7));
  EXPECT_EQ(rewrite(g, sum, small()), a);
  EXPECT_EQ(rewrite(g, sum, small(), Strategy::kTopDown), a);
}

TEST(Rewrite, CommutativeOpsMatchInBothOrders) {
  Graph g;
  const Id a = var(g, "a");
  EXPECT_EQ(rewrite(g, add(g, index_const(g, 0), a), small()), a);
}

TEST(Rewrite, TableText) {
  EXPECT_EQ(small().rules()[3].name(), "small:3");
  EXPECT_EQ(small().rules()[3].text(),
            "(x * c0 + y) % c0 -> y % c0 if is_positive(c0), is_nonnegative(y)");
  EXPECT_EQ(small().rules()[6].text(), "SINK(x, rest...) -> (code)");
}

TEST(Rewrite, CircleIsAnError) {
  static const RuleSet circle = rules("circle", (x + y) >> (x ^ y), (x ^ y) >> (x + y));
  Graph g;
  EXPECT_THROW(
      try { rewrite(g, add(g, var(g, "a"), var(g, "b")), circle); } catch (InternalError& e) {
        std::puts(e.what());
        throw;
      },
      InternalError);
  static const RuleSet growth = rules("growth", (x + y) >> ((x + y) + lit<1>));
  EXPECT_THROW(
      try { rewrite(g, add(g, var(g, "a"), var(g, "b")), growth); } catch (InternalError& e) {
        std::puts(e.what());
        throw;
      },
      InternalError);
}

}  // namespace
}  // namespace loom
