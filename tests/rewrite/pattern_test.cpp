#include "rewrite/pattern.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/expr.h"
#include "rewrite/rewrite.h"

namespace loom {
namespace {

using namespace pattern;

class PatternTest : public ::testing::Test {
 protected:
  Expr var(const char* name, DType dtype = kInt32) {
    return {g, g.add(Op::kVariable, dtype,
                     {constant(g, dtype.element(), 0), constant(g, dtype.element(), 100)},
                     g.text(name))};
  }
  /// What the only rule of a table makes of the node; 0 when it does not fire.
  Id apply(const RuleSet& table, Id id) { return apply_once(g, id, table); }

  Graph g;
  Expr a = var("a"), b = var("b");
};

TEST_F(PatternTest, SameCaptureIsSameNode) {
  const RuleSet table = rules("t", (x - x) >> lit<0>);
  EXPECT_EQ(apply(table, a - a), a.number(0));
  EXPECT_EQ(apply(table, a - b), 0u);
}

TEST_F(PatternTest, CommutativeOperandsMatchInBothOrders) {
  const RuleSet table = rules("t", ((x * c0) + y) >> y);
  EXPECT_EQ(apply(table, a * 3 + b), b);
  EXPECT_EQ(apply(table, 3 * a + b), b);
  EXPECT_EQ(apply(table, b + a * 3), b);
  EXPECT_EQ(apply(table, b + 3 * a), b);
  EXPECT_EQ(table.orders().size(), 4u);
}

TEST_F(PatternTest, ExactlyKeepsTheOrder) {
  const RuleSet table = rules("t", exactly(c0 + x) >> x);
  EXPECT_EQ(apply(table, 3 + a), a);
  EXPECT_EQ(apply(table, a + 3), 0u);
}

TEST_F(PatternTest, ConstantsMatchBroadcastsToo) {
  const Expr v = var("v", kInt32.vec(4));
  const RuleSet table = rules("t", ((x + c0) + c1) >> (x + fold(c0 + c1)), (x * lit<1>) >> x);
  EXPECT_EQ(apply(table, (v + 3) + 4), v + 7);
  EXPECT_EQ(apply(table, v * 1), v);
}

TEST_F(PatternTest, CapturedConstantIsTheScalar) {
  const Expr v = var("v", kInt32.vec(4));
  const RuleSet table =
      rules("t", (x + c0) >> [](Match& m) { return m.value(c0) == 5 ? m[c0] : 0; });
  EXPECT_EQ(apply(table, v + 5), constant(g, kInt32, 5));
}

TEST_F(PatternTest, LiteralsTakeTheDTypeOfTheirPlace) {
  const Expr f = var("f", kFloat32), v = var("v", kFloat16.vec(2));
  const RuleSet table = rules("t", (-x) >> x * lit<-1>);
  EXPECT_EQ(apply(table, -f), f * -1.0);
  EXPECT_EQ(apply(table, -v), v * -1.0);
  EXPECT_EQ(apply(table, -a), a * -1);
}

TEST_F(PatternTest, FloatLiteralsTellZeros) {
  const Expr f = var("f", kFloat32);
  const RuleSet table = rules("t", (x + lit<-0.0>) >> x);
  EXPECT_EQ(apply(table, f + -0.0), f);
  EXPECT_EQ(apply(table, f + 0.0), 0u);
  EXPECT_EQ(apply(table, a + 0), 0u);
}

TEST_F(PatternTest, ComparisonsKnowTheDTypeOfTheirOperands) {
  const RuleSet table = rules("t", ((x + c0) < c1) >> (x < fold(c1 - c0)));
  EXPECT_EQ(apply(table, (a + 3) < 10), a < 7);
  const Expr v = var("v", kInt8.vec(4));
  EXPECT_EQ(apply(table, (v + 3) < 10), v < 7);
  EXPECT_EQ(g.dtype(apply(table, (v + 3) < 10)), kBool.vec(4));
}

TEST_F(PatternTest, WhereHasABoolConditionAndValuesOfItsDType) {
  const RuleSet table =
      rules("t", max(x, y) >> where(x < y, y, x), (x * cast(bools(y))) >> where(y, x, lit<0>));
  EXPECT_EQ(apply(table, a.max(b)), where(a < b, b, a));
  const Expr p = var("p", kBool);
  EXPECT_EQ(apply(table, a * p.to(kInt32)), where(p, a, 0));
}

TEST_F(PatternTest, CastBuildsTheDTypeOfItsPlace) {
  const RuleSet table = rules("t", cast(cast(x)) >> cast(x));
  EXPECT_EQ(apply(table, a.to(kInt64).to(kFloat64)), a.to(kFloat64));
}

TEST_F(PatternTest, FoldWrapsAtTheWidthOfTheConstants) {
  const Expr e = var("e", kInt8);
  const RuleSet table = rules("t", ((x * c0) * c1) >> x * fold(c0 * c1));
  EXPECT_EQ(apply(table, (e * 100) * 3), e * 44);
}

TEST_F(PatternTest, TypedPatternsLookAtTheDType) {
  const Expr f = var("f", kFloat32), i = var("i", kIndex), p = var("p", kBool);
  const RuleSet table =
      rules("t", ints(x + y) >> x, floats(x + y) >> y, (bools(x) == y) >> (x ^ y));
  EXPECT_EQ(apply(table, a + b), a);
  EXPECT_EQ(apply(table, i + 1), i);
  EXPECT_EQ(apply(table, f + 2.0), f.number(2.0));
  EXPECT_EQ(apply(table, a == b), 0u);
  EXPECT_EQ(apply(table, p == p), p ^ p);
  const RuleSet index_only = rules("t", indices(x + y) >> x);
  EXPECT_EQ(apply(index_only, a + b), 0u);
  EXPECT_EQ(apply(index_only, i + 1), i);
}

TEST_F(PatternTest, RestCapturesWhatIsLeft) {
  const RuleSet table = rules(
      "t", op<Op::kGroup>(x, rest) >> op<Op::kGroup>(rest),
      op<Op::kSink>(x, rest) >> [](Match& m) { return m[rest].at(1); });
  const std::array<Id, 5> src = {a, b, a, b, a};
  EXPECT_EQ(apply(table, g.add(Op::kGroup, kVoid, src)),
            g.add(Op::kGroup, kVoid, std::span(src).subspan(1)));
  EXPECT_EQ(apply(table, g.add(Op::kGroup, kVoid, {a})), g.add(Op::kGroup, kVoid, {}));
  EXPECT_EQ(apply(table, g.add(Op::kGroup, kVoid, {})), 0u);
  EXPECT_EQ(apply(table, g.add(Op::kSink, kVoid, src)), a);
}

TEST_F(PatternTest, ANodeIsCapturedTogetherWithItsParts) {
  const RuleSet table = rules("t", (n.as(x + c0) * y) >> (y - n) | when(c0 > lit<2>));
  EXPECT_EQ(apply(table, (a + 3) * b), b - (a + 3));
  EXPECT_EQ(apply(table, (a + 2) * b), 0u);
}

TEST_F(PatternTest, AnyOpOfASetAndANodeLikeIt) {
  const RuleSet table = rules("t", n.as(any_of<kComparisonOps>(x, c0)) >> like(n, c0, x),
                              any_of<kUnaryOps>(any_of<kUnaryOps>(x)) >> x);
  EXPECT_EQ(apply(table, a < 3), 3 < a);
  EXPECT_EQ(apply(table, a == 3), 3 == a);
  EXPECT_EQ(apply(table, -(-a)), a);
  EXPECT_EQ(apply(table, a + 3), 0u);
}

TEST_F(PatternTest, GuardsMayBeExpressionsConditionsAndFunctions) {
  const RuleSet table =
      rules("t", ((x * c0) / c1) >> x * fold(c0 / c1) | when(positive(c1), c0 % c1 == lit<0>),
            ((x + c0) / y) >> x | when([](Match& m) { return m.value(c0) == 9; }));
  EXPECT_EQ(apply(table, a * 12 / 4), a * 3);
  EXPECT_EQ(apply(table, a * 12 / 5), 0u);
  EXPECT_EQ(apply(table, a * 12 / -4), 0u);
  EXPECT_EQ(apply(table, (a + 9) / b), a);
  EXPECT_EQ(apply(table, (a + 8) / b), 0u);
}

TEST_F(PatternTest, FunctionsMayDecideNotToFire) {
  const RuleSet table = rules("t", (x + y) >> [](Match&) -> Id { return 0; }, (x + y) >> x);
  EXPECT_EQ(apply(table, a + b), a);
}

TEST_F(PatternTest, NodesOfOtherOpsKeepTheRootsArgument) {
  const RuleSet table = rules("t", op<Op::kStage>(-x, rest) >> op<Op::kStage>(x, rest));
  const Id r = range(g, 10, 0, AxisType::kLoop);
  const int64_t arg = stage_arg(AddrSpace::kLocal, true);
  EXPECT_EQ(apply(table, g.add(Op::kStage, kInt32, {-a, r}, arg)),
            g.add(Op::kStage, kInt32, {a, r}, arg));
  const RuleSet without = rules("t", (-x) >> op<Op::kStage>(x));
  EXPECT_THROW(apply(without, -a), InternalError);
}

TEST_F(PatternTest, TextIsWhatTheAuthorWrote) {
  const RuleSet table = rules("t", ((x + c0) + c1) >> (x + fold(c0 + c1)),
                              ((x * c0 + y) % c0) >> y % c0 | when(positive(c0), nonnegative(y)),
                              where(~x, yes, n.as(y < lit<-3>)) >> op<Op::kCustom>(x, y, n));
  EXPECT_EQ(table.text(),
            "t:0  (x + c0) + c1 -> x + [c0 + c1]\n"
            "t:1  (x * c0 + y) % c0 -> y % c0 if is_positive(c0), is_nonnegative(y)\n"
            "t:2  WHERE(~x, true, n: (y < -3)) -> CUSTOM(x, y, n)\n");
}

// A rule whose replacement or guard uses what its pattern never binds does not compile.
static_assert(kIsBound<decltype(x + y), decltype(y + x)>);
static_assert(!kIsBound<decltype(x + y), decltype(x + z)>);
static_assert(!kIsBound<decltype(x + c0), decltype(fold(c0 + c1))>);
static_assert(!kIsBound<decltype(x + y), decltype(positive(c0))>);
static_assert(!kIsBound<decltype(op<Op::kSink>(x)), decltype(op<Op::kSink>(rest))>);

}  // namespace
}  // namespace loom
