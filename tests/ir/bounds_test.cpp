#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/build.h"
#include "ir/evaluate.h"
#include "ir/graph.h"
#include "ir/text.h"

namespace loom {
namespace {

Id variable(Graph& g, DType dtype, int64_t lo, int64_t hi, const char* name) {
  return g.add(Op::kVariable, dtype, {constant(g, dtype, lo), constant(g, dtype, hi)},
               g.text(name));
}

class BoundsTest : public testing::Test {
 protected:
  Id var(DType dtype, int64_t lo, int64_t hi) {
    return variable(g, dtype, lo, hi, ("v" + std::to_string(count++)).c_str());
  }
  Id index(int64_t lo, int64_t hi) { return var(kIndex, lo, hi); }
  Interval of(Op op, Id x, Id y) { return g.bounds(binary(g, op, x, y)); }

  Graph g;
  int count = 0;
};

TEST_F(BoundsTest, Leaves) {
  EXPECT_EQ(g.bounds(index_const(g, -3)), (Interval{-3, -3}));
  EXPECT_EQ(g.bounds(range(g, 8, 0, AxisType::kLoop)), (Interval{0, 7}));
  EXPECT_EQ(g.bounds(range(g, 0, 0, AxisType::kLoop)), (Interval{0, 0}));
  EXPECT_EQ(g.bounds(range(g, index(2, 9), 0, AxisType::kLoop)), (Interval{0, 8}));
  EXPECT_EQ(g.bounds(index(-5, 6)), (Interval{-5, 6}));
  EXPECT_EQ(g.bounds(g.add(Op::kLanes, kIndex.vec(8))), (Interval{0, 7}));
  EXPECT_EQ(g.bounds(g.add(Op::kSpecial, kIndex, {index_const(g, 4)})), (Interval{0, 3}));
}

TEST_F(BoundsTest, MemoryHoldsAnyValueOfItsType) {
  const Id p = g.add(Op::kParam, kUInt8, {index_const(g, 4)}, 0);
  EXPECT_EQ(g.bounds(load(g, loom::index(g, p, index_const(g, 0)))), (Interval{0, 255}));
  EXPECT_EQ(g.bounds(constant(g, kFloat32, 1)), Interval{});
}

TEST_F(BoundsTest, FloorDivisionAndModulo) {
  const Id x = index(-7, 20);
  EXPECT_EQ(of(Op::kIDiv, x, index_const(g, 4)), (Interval{-2, 5}));
  EXPECT_EQ(of(Op::kIDiv, x, index_const(g, -4)), (Interval{-5, 1}));
  EXPECT_EQ(of(Op::kMod, x, index_const(g, 4)), (Interval{0, 3}));
  EXPECT_EQ(of(Op::kMod, x, index_const(g, -4)), (Interval{-3, 0}));
  EXPECT_EQ(of(Op::kMod, index(8, 10), index_const(g, 6)), (Interval{2, 4}));
  EXPECT_EQ(of(Op::kMod, x, index_const(g, 0)), (Interval{0, 0}));
  EXPECT_EQ(of(Op::kIDiv, x, index(0, 2)), (Interval{-7, 20}));
  EXPECT_EQ(of(Op::kMod, index(0, 3), index(0, 100)), (Interval{0, 3}));
}

TEST_F(BoundsTest, FixedWidthResultsThatMayWrapAreUnknown) {
  const Id x = var(kInt8, 0, 100);
  EXPECT_EQ(of(Op::kAdd, x, constant(g, kInt8, 27)), (Interval{27, 127}));
  EXPECT_EQ(of(Op::kAdd, x, constant(g, kInt8, 28)), (Interval{-128, 127}));
  EXPECT_EQ(of(Op::kSub, var(kUInt32, 0, 5), constant(g, kUInt32, 1)), (Interval{0, 4294967295}));
  EXPECT_EQ(of(Op::kMul, var(kInt64, 0, INT64_MAX), constant(g, kInt64, 2)), Interval{});
  EXPECT_EQ(g.bounds(unary(g, Op::kNeg, var(kInt8, -128, 0))), (Interval{-128, 127}));
}

TEST_F(BoundsTest, IndexSaturates) {
  const Id x = index(0, INT64_MAX);
  EXPECT_EQ(of(Op::kMul, x, index_const(g, 3)), (Interval{0, INT64_MAX}));
  EXPECT_EQ(of(Op::kAdd, x, index(5, 6)), (Interval{5, INT64_MAX}));
  EXPECT_EQ(of(Op::kMul, index(INT64_MIN, -1), index_const(g, 4)), (Interval{INT64_MIN, -4}));
}

TEST_F(BoundsTest, UnsignedNumbersAboveInt64AreNotForgotten) {
  const Id any = g.add(Op::kCast, kUInt64, {constant(g, kFloat32, 1)});
  EXPECT_EQ(g.bounds(any), (Interval{0, INT64_MAX}));
  EXPECT_EQ(of(Op::kCmpLt, constant(g, kUInt64, INT64_MAX), any), (Interval{0, 1}));
  const Id huge = constant(g, kUInt64, int64_t{-1});
  EXPECT_FALSE(g.bounds(huge).is_point());
  EXPECT_EQ(of(Op::kCmpLt, huge, constant(g, kUInt64, 1)), (Interval{0, 0}));
  EXPECT_EQ(g.bounds(cast(g, any, kInt64)), Interval{});
  EXPECT_EQ(of(Op::kShr, any, constant(g, kUInt64, 1)), (Interval{0, INT64_MAX}));
}

TEST_F(BoundsTest, DecidedComparisonsArePoints) {
  EXPECT_EQ(of(Op::kCmpLt, index(0, 4), index(5, 9)), (Interval{1, 1}));
  EXPECT_EQ(of(Op::kCmpLt, index(5, 9), index(0, 5)), (Interval{0, 0}));
  EXPECT_EQ(of(Op::kCmpLt, index(0, 5), index(5, 9)), (Interval{0, 1}));
  EXPECT_EQ(of(Op::kCmpNe, index(0, 4), index(5, 9)), (Interval{1, 1}));
  EXPECT_EQ(of(Op::kCmpEq, index(0, 4), index(4, 9)), (Interval{0, 1}));
  EXPECT_EQ(of(Op::kCmpLt, constant(g, kFloat32, 1), constant(g, kFloat32, 2)), (Interval{0, 1}));
}

TEST_F(BoundsTest, MasksShiftsAndChoices) {
  EXPECT_EQ(of(Op::kAnd, index(-100, 100), index_const(g, 15)), (Interval{0, 15}));
  EXPECT_EQ(of(Op::kOr, index(0, 5), index(3, 9)), (Interval{3, 15}));
  EXPECT_EQ(of(Op::kShl, index(-3, 5), index(1, 4)), (Interval{-48, 80}));
  EXPECT_EQ(of(Op::kShr, index(-9, 40), index(2, 3)), (Interval{-3, 10}));
  EXPECT_EQ(of(Op::kShr, index(-9, 40), index(70, 80)), (Interval{-1, 0}));
  const Id condition = binary(g, Op::kCmpLt, index(0, 9), index(3, 4));
  EXPECT_EQ(g.bounds(where(g, condition, index(0, 3), index(10, 12))), (Interval{0, 12}));
  EXPECT_EQ(g.bounds(where(g, bool_const(g, false), index(0, 3), index(10, 12))),
            (Interval{10, 12}));
}

TEST_F(BoundsTest, ChoicesKnowWhatTheirConditionSays) {
  const Id v = var(kInt32, INT32_MIN, INT32_MAX), i = cast(g, v, kIndex);
  const Id is_negative = binary(g, Op::kCmpLt, v, constant(g, kInt32, 0));
  const Id wrapped = where(g, is_negative, add(g, i, index_const(g, 100)), i);
  EXPECT_EQ(g.bounds(wrapped), (Interval{INT32_MIN + 100, INT32_MAX}));
  const Id x = index(-10, 20), limit = index_const(g, 5);
  const Id above = binary(g, Op::kCmpLt, limit, x);
  EXPECT_EQ(g.bounds(where(g, above, limit, x)), (Interval{-10, 5}));
  EXPECT_EQ(g.bounds(where(g, above, x, limit)), (Interval{5, 20}));
}

TEST_F(BoundsTest, ChoicesMayBeStepsAboveWhatTheConditionCompares) {
  const Id x = var(kInt32, 0, 2), one = constant(g, kInt32, 1), two = index_const(g, 2);
  const Id turned = add(g, cast(g, mul(g, x, constant(g, kInt32, -1)), kIndex), index_const(g, 1));
  const Id is_large = binary(g, Op::kCmpLt, one, x);  // where 1 - x is negative
  EXPECT_EQ(g.bounds(where(g, is_large, add(g, turned, two), turned)), (Interval{0, 1}));
  const Id sum =
      add(g, x, constant(g, kInt32, -1));  // compared as it is, though it is a sum itself
  const Id is_negative = binary(g, Op::kCmpLt, sum, constant(g, kInt32, 0));
  EXPECT_EQ(g.bounds(where(g, is_negative, one, sum)), (Interval{0, 1}));
}

TEST_F(BoundsTest, Casts) {
  EXPECT_EQ(g.bounds(cast(g, index(0, 200), kUInt8)), (Interval{0, 200}));
  EXPECT_EQ(g.bounds(cast(g, index(0, 300), kUInt8)), (Interval{0, 255}));
  EXPECT_EQ(g.bounds(cast(g, index(1, 300), kBool)), (Interval{1, 1}));
  EXPECT_EQ(g.bounds(cast(g, index(0, 300), kBool)), (Interval{0, 1}));
  EXPECT_EQ(g.bounds(cast(g, constant(g, kFloat32, 3), kInt8)), (Interval{-128, 127}));
}

TEST_F(BoundsTest, VectorsAreIntervalsOverAllLanes) {
  const Id lanes = g.add(Op::kLanes, kIndex.vec(4));
  const Id offset = add(g, mul(g, range(g, 8, 0, AxisType::kLoop), index_const(g, 4)), lanes);
  EXPECT_EQ(g.bounds(offset), (Interval{0, 31}));
  EXPECT_EQ(g.bounds(g.add(Op::kLane, kIndex, {lanes}, 2)), (Interval{2, 2}));
  const Id mixed = g.add(Op::kVectorize, kIndex.vec(2), {index(0, 3), index(10, 12)});
  EXPECT_EQ(g.bounds(mixed), (Interval{0, 12}));
  EXPECT_EQ(g.bounds(g.add(Op::kLane, kIndex, {mixed}, 1)), (Interval{10, 12}));
}

TEST_F(BoundsTest, Reductions) {
  const Id k = range(g, 10, 0, AxisType::kReduce);
  EXPECT_EQ(g.bounds(reduce(g, Op::kAdd, index(-1, 3), std::span(&k, 1))), (Interval{-10, 30}));
  EXPECT_EQ(g.bounds(reduce(g, Op::kMax, index(-1, 3), std::span(&k, 1))), (Interval{-1, 3}));
  const Id maybe_none = range(g, index(0, 4), 1, AxisType::kReduce);
  EXPECT_EQ(g.bounds(reduce(g, Op::kMax, var(kInt8, -1, 3), std::span(&maybe_none, 1))),
            (Interval{-128, 3}));
  EXPECT_EQ(g.bounds(reduce(g, Op::kMax, var(kInt32, -1, 3), {})), (Interval{-1, 3}));
}

TEST_F(BoundsTest, TensorsThatReadZerosIncludeZero) {
  const Id x = cast(g, g.add(Op::kReshape, kIndex, {index(5, 9), index_const(g, 1)}), kInt32);
  EXPECT_EQ(g.bounds(x), (Interval{5, 9}));
  EXPECT_EQ(g.bounds(g.add(Op::kPad, kInt32, {x, index_const(g, 1), index_const(g, 1)})),
            (Interval{0, 9}));
}

// Random expressions over three small variables, evaluated for all their values: every value must
// lie in the bounds.
class RandomExpressions {
 public:
  RandomExpressions(DType dtype, uint64_t seed) : dtype_(dtype), random_(seed) {
    for (int v = 0; v < 3; v++) {
      const int64_t width = below(6);
      const int64_t lo = std::clamp(edge(), dtype_.min_value(), dtype_.max_value() - width);
      const int64_t hi = lo + width;
      limits_[v] = {lo, hi};
      pool_.push_back(
          variable(g_, dtype_, lo, hi, std::string(1, static_cast<char>('x' + v)).c_str()));
    }
    for (int i = 0; i < 3; i++) pool_.push_back(constant(g_, dtype_, edge()));
    for (int i = 0; i < 12; i++) pool_.push_back(next());
  }

  void check() {
    const auto count = [&](int v) { return limits_[v].hi - limits_[v].lo + 1; };
    for (int64_t i = 0; i < count(0) * count(1) * count(2); i++) {
      check_at({limits_[0].lo + i % count(0), limits_[1].lo + i / count(0) % count(1),
                limits_[2].lo + i / count(0) / count(1)});
    }
  }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }

  // Small numbers, and numbers near the ends of the type.
  int64_t edge() {
    switch (below(4)) {
      case 0: return wrap_to(dtype_, dtype_.max_value() - below(8));
      case 1: return wrap_to(dtype_, dtype_.min_value() + below(8));
      default: return wrap_to(dtype_, below(12) - 4);
    }
  }

  Id pick() { return pool_[below(std::ssize(pool_))]; }

  Id next() {
    constexpr Op kOps[] = {Op::kAdd, Op::kSub, Op::kMul,    Op::kIDiv,  Op::kMod,
                           Op::kMax, Op::kAnd, Op::kOr,     Op::kXor,   Op::kShl,
                           Op::kShr, Op::kNeg, Op::kMulAcc, Op::kWhere, Op::kCast};
    const Op op = kOps[below(std::size(kOps))];
    switch (op) {
      case Op::kNeg: return unary(g_, op, pick());
      case Op::kMulAcc: return muladd(g_, pick(), pick(), pick());
      case Op::kWhere: {
        constexpr Op kComparisons[] = {Op::kCmpLt, Op::kCmpNe, Op::kCmpEq};
        return where(g_, binary(g_, kComparisons[below(3)], pick(), pick()), pick(), pick());
      }
      case Op::kCast: {
        constexpr DType kVia[] = {kBool, kInt8, kUInt8, kInt32, kUInt64, kInt64};
        return cast(g_, cast(g_, pick(), kVia[below(std::size(kVia))]), dtype_);
      }
      default: return binary(g_, op, pick(), pick());
    }
  }

  void check_at(std::array<int64_t, 3> variables) {
    std::vector<Value> values(g_.size());
    size_t variable = 0;
    for (Id id = 1; id < g_.size(); id++) {
      values[id] = value_of(id, values, variables, variable);
      // An unsigned number above INT64_MAX is negative by its bits; INT64_MAX stands for it in the
      // bounds.
      const bool is_huge = g_.dtype(id) == kUInt64 && values[id].bits < 0;
      const int64_t value = is_huge ? INT64_MAX : values[id].bits;
      const Interval bounds = g_.bounds(id);
      ASSERT_TRUE(bounds.lo <= value && value <= bounds.hi && !(is_huge && bounds.is_point()))
          << value << " is not in " << bounds.lo << ".." << bounds.hi << '\n'
          << print(g_, id);
    }
  }

  Value value_of(Id id, const std::vector<Value>& values, std::array<int64_t, 3> variables,
                 size_t& variable) {
    if (g_.op(id) == Op::kConst) return {g_.arg(id)};
    if (g_.op(id) == Op::kVariable) return {variables[variable++]};
    std::vector<Value> src;
    for (Id source : g_.src(id)) src.push_back(values[source]);
    return evaluate(g_.op(id), g_.dtype(id), g_.dtype(g_.src(id, 0)), src);
  }

  Graph g_;
  DType dtype_;
  std::mt19937_64 random_;
  std::array<Interval, 3> limits_;
  std::vector<Id> pool_;
};

void check_random_expressions(uint64_t first_seed, int count) {
  for (DType dtype : {kInt8, kUInt8, kInt32, kUInt32, kInt64, kUInt64}) {
    for (int i = 0; i < count; i++) {
      const uint64_t seed = first_seed + static_cast<uint64_t>(i);
      SCOPED_TRACE(testing::Message() << name(dtype) << ", seed " << seed);
      RandomExpressions(dtype, seed).check();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(BoundsOfRandomExpressions, HoldAllTheirValues) { check_random_expressions(1, 40); }

TEST(BoundsOfRandomExpressionsFuzz, HoldAllTheirValues) {
  const uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << '\n';
  check_random_expressions(seed, 1500);
}

}  // namespace
}  // namespace loom
