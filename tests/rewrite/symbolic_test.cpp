// What the simplifier makes of things, by example. That it is right is for the fuzzers to say.
#include "rewrite/rules/symbolic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/expr.h"
#include "ir/text.h"
#include "rewrite/rewrite.h"

namespace loom {
namespace {

class SymbolicTest : public ::testing::Test {
 protected:
  Expr var(const char* name, DType dtype, int64_t lo = -100, int64_t hi = 100) {
    const DType element = dtype.element();
    return {g, g.add(Op::kVariable, dtype, {constant(g, element, lo), constant(g, element, hi)},
                     g.text(name))};
  }
  Expr loop(int64_t size, int64_t axis) { return {g, range(g, size, axis, AxisType::kLoop)}; }
  Id simple(Id id) { return simplify(g, id); }
  Id boolean(bool value) { return bool_const(g, value); }
  /// Expects that `from` becomes exactly `to`.
  void expect(Expr from, Expr to) {
    EXPECT_EQ(simple(from), to.id) << print(g, from) << "becomes\n" << print(g, simple(from));
  }

  Graph g;
  Expr a = var("a", kInt32, INT32_MIN, INT32_MAX), b = var("b", kInt32, INT32_MIN, INT32_MAX);
  Expr f = var("f", kFloat32), p = var("p", kBool, 0, 1), q = var("q", kBool, 0, 1);
  Expr i = loop(8, 0), j = loop(32, 1), k = loop(5, 2), l = loop(100, 3);
};

TEST_F(SymbolicTest, SumsHaveConstantsLastAndTermsInOrder) {
  expect(3 + i + j, i + j + 3);
  expect(j + i, i + j);
  expect((i + 3) + (j + 4), i + j + 7);
  expect(k + (j + i), i + j + k);
  expect((l + j) + (k + i), i + j + k + l);
}

TEST_F(SymbolicTest, LikeTermsMeet) {
  expect(i * 3 + j + i, i * 4 + j);
  expect((i + j + k) - j, i + k);
  expect((i + 1) * 3 - 3 * i, i.number(3));
  expect(a * 5 - a, a * 4);
  expect(a - a, a.number(0));
}

TEST_F(SymbolicTest, IntegersWrapWhereTheyMay) {
  const Expr e = var("e", kInt8, -128, 127);
  expect((e * 100) * 3, e * 44);
  expect((a * 4) / 4, a * 4 / 4);          // a * 4 may have wrapped
  expect((a + 1) < b + 1, a + 1 < b + 1);  // so may a + 1
  expect(var("s", kInt32, 0, 10) + 3 < 5, var("s", kInt32, 0, 10) < 2);
}

TEST_F(SymbolicTest, FloatsKeepWhatIsNotExact) {
  expect(f * 1.0, f);
  expect(f + -0.0, f);
  expect(f + 0.0, f + 0.0);  // turns -0 into 0
  expect(f * 0.0, f * 0.0);  // NaN, infinities
  expect((f + 1.0) + 2.0, (f + 1.0) + 2.0);
  expect(f / 4.0, f * 0.25);
  expect(f / 3.0, f / 3.0);
  expect(f == f, f == f);  // false for NaN
}

TEST_F(SymbolicTest, DivisionTakesMultiplesOut) {
  expect((i * 32 + j) / 32, i);
  expect((i * 32 + j) % 32, j);
  expect((i * 32 + j) / 64, i / 2);
  expect((i * 160 + j * 5 + k) / 5, i * 32 + j);
  expect((i * 160 + j * 5 + k) % 5, k);
  expect(((i * 160 + j * 5 + k) / 5) % 32, j);
  expect((l * 3 + 2) / 3, l);
  expect((l + 250) % 100, (l + 50) % 100);
}

TEST_F(SymbolicTest, DivisionFloors) {
  expect(Expr(g, index_const(g, -7)) / 2, i.number(-4));
  expect(Expr(g, index_const(g, -7)) % 2, i.number(1));
  expect((i * 4 - 3) / 4, i + -1);
  expect(a / 0, a.number(0));
}

TEST_F(SymbolicTest, DivisionsMeet) {
  expect((l / 2) / 5, l / 10);
  expect((l % 50) % 10, l % 10);
  expect((l % 50) / 10, (l / 10) % 5);
  expect((l / 4 + 1) / 3, (l + 4) / 12);
}

TEST_F(SymbolicTest, QuotientAndRestGiveTheNumberBack) {
  expect((a / 7) * 7 + a % 7, a);
  expect((l / 10 % 5) * 10 + l % 10, l % 50);
  expect(l / 50 * 5 + l / 10 % 5, l / 10);
  expect(((i * 32 + j) / 64) * 64 + (i * 32 + j) % 64, i * 32 + j);
}

TEST_F(SymbolicTest, IntervalsDecide) {
  expect(j % 32, j);
  expect(j / 32, j.number(0));
  expect(i < 8, {g, boolean(true)});
  expect(i + j < 0, {g, boolean(false)});
  expect(i.max(0), i);
  expect((i + 10).max(i), i + 10);
}

TEST_F(SymbolicTest, ComparisonsHaveConstantsOnOneSide) {
  expect(i + 3 < 5, i < 2);
  expect(5 < i + 3, 2 < i);
  expect(i * 4 < 13, i < 4);
  expect(i * 32 + j < 64, i < 2);
  expect(-i < -2, 2 < i);
  expect(l / 10 < 3, l < 30);
  expect(~(i < 3), 2 < i);
  expect(i - k < j - k, i < j);
  expect(i * 4 == 9, {g, boolean(false)});
  expect(a + 3 == 5, a == 2);
}

TEST_F(SymbolicTest, Logic) {
  expect(~~p, p);
  expect(p & (p | q), p);
  expect(p & ~p, {g, boolean(false)});
  expect((i < 5) & (i < 3), i < 3);
  expect((i < 3) & (5 < i), {g, boolean(false)});
  expect((i < 5) | (3 < i), {g, boolean(true)});
  expect(p == q, ~(p ^ q));
}

TEST_F(SymbolicTest, Choices) {
  expect(where(p, a, a), a);
  expect(where(~p, a, b), where(p, b, a));
  expect(where(p, where(q, a, b), b), where(p & q, a, b));
  expect(where(p, a.number(1), a.number(0)) * 5, where(p, a.number(5), a.number(0)));
  expect(a * p.to(kInt32), where(p, a, 0));
}

TEST_F(SymbolicTest, Casts) {
  expect(a.to(kInt64).to(kInt8), a.to(kInt8));
  expect(a.to(kFloat64).to(kInt32), a);
  expect(a.to(kFloat32).to(kInt32), a.to(kFloat32).to(kInt32));  // a may have more than 24 bits
  expect(a.to(kFloat64).to(kInt8),
         a.to(kFloat64).to(kInt8));  // saturates; from int32 it would wrap
  expect(a.to(kBool), a != 0);
  expect(p.to(kFloat32) < 0.5, ~p);
}

// An interval cannot say how far above INT64_MAX a uint64 may be.
TEST_F(SymbolicTest, MaximumOfNumbersThatInt64DoesNotHold) {
  const Expr u = var("u", kUInt64, 0, INT64_MAX);
  const Expr limit = u.number(INT64_MAX);
  expect((u * 2).max(limit), (u * 2).max(limit));
}

// Top-down, a rule meets XORs with false that are still there.
TEST_F(SymbolicTest, XorWithFalseIsNoNegation) {
  EXPECT_EQ(rewrite(g, p | (p ^ false), symbolic(), Strategy::kTopDown), p.id);
}

TEST_F(SymbolicTest, BroadcastsAreOperatedOnOnce) {
  const Id sum = binary(g, Op::kAdd, broadcast(g, f, 4), broadcast(g, f * 2.0, 4));
  EXPECT_EQ(simple(sum), broadcast(g, f + f * 2.0, 4));
  const Expr v = var("v", kInt32.vec(4));
  expect((v + 3) + 4, v + 7);
  expect(v * 1, v);
}

TEST_F(SymbolicTest, ConstantsFoldButNotTranscendentals) {
  expect(Expr(g, constant(g, kFloat32, 2.0)).apply(Op::kSqrt),
         f.number(static_cast<double>(std::sqrt(2.0f))));
  const Expr exponential = f.number(2.0).apply(Op::kExp2);
  expect(exponential, exponential);
}

}  // namespace
}  // namespace loom
