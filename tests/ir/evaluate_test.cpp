#include "ir/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"

namespace loom {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

int64_t ints(Op op, DType dtype, int64_t a, int64_t b = 0, int64_t c = 0) {
  const Value src[] = {Value::of_int(a), Value::of_int(b), Value::of_int(c)};
  const size_t count = is_unary(op) ? 1 : is_binary(op) ? 2 : 3;
  return evaluate(op, is_comparison(op) ? kBool : dtype, dtype, {src, count}).as_int();
}

double floats(Op op, DType dtype, double a, double b = 0, double c = 0) {
  const Value src[] = {Value::of_float(a), Value::of_float(b), Value::of_float(c)};
  const size_t count = is_unary(op) ? 1 : is_binary(op) ? 2 : 3;
  return evaluate(op, dtype, dtype, {src, count}).as_float();
}

bool compare(Op op, DType dtype, double a, double b) {
  const Value src[] = {Value::of_float(a), Value::of_float(b)};
  return evaluate(op, kBool, dtype, src).as_int() != 0;
}

// What the op means on the number line, before the result wraps: written as plainly as possible.
int64_t naive(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSub: return a - b;
    case Op::kMul: return a * b;
    case Op::kIDiv:
      return b == 0 ? 0
                    : static_cast<int64_t>(
                          std::floor(static_cast<double>(a) / static_cast<double>(b)));
    case Op::kMod: return b == 0 ? 0 : a - b * naive(Op::kIDiv, a, b);
    case Op::kMax: return std::max(a, b);
    case Op::kCmpLt: return a < b;
    case Op::kCmpNe: return a != b;
    case Op::kCmpEq: return a == b;
    case Op::kAnd: return a & b;
    case Op::kOr: return a | b;
    case Op::kXor: return a ^ b;
    case Op::kShl: return b < 0 || b >= 8 ? 0 : a << b;
    case Op::kShr: return b < 0 || b >= 8 ? (a < 0 ? -1 : 0) : a >> b;
    case Op::kPow: {
      if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
      int64_t result = 1;
      for (int64_t i = 0; i < b; i++) result = (result * a) & 0xffff;
      return result;
    }
    default: ADD_FAILURE(); return 0;
  }
}

TEST(EvaluateInts, EveryPairOfEightBitValuesForEveryOp) {
  for (DType dtype : {kInt8, kUInt8}) {
    for (Op op :
         {Op::kAdd, Op::kSub, Op::kMul, Op::kIDiv, Op::kMod, Op::kMax, Op::kCmpLt, Op::kCmpNe,
          Op::kCmpEq, Op::kAnd, Op::kOr, Op::kXor, Op::kShl, Op::kShr, Op::kPow}) {
      for (int64_t a = dtype.min_value(); a <= dtype.max_value(); a++) {
        for (int64_t b = dtype.min_value(); b <= dtype.max_value(); b++) {
          const int64_t expected = naive(op, a, b);
          ASSERT_EQ(ints(op, dtype, a, b), is_comparison(op) ? expected : wrap_to(dtype, expected))
              << name(op) << ' ' << name(dtype) << ' ' << a << ' ' << b;
        }
      }
    }
  }
}

TEST(EvaluateInts, EveryEightBitValueForUnaryAndTernaryOps) {
  for (DType dtype : {kInt8, kUInt8}) {
    for (int64_t a = dtype.min_value(); a <= dtype.max_value(); a++) {
      EXPECT_EQ(ints(Op::kNeg, dtype, a), wrap_to(dtype, -a));
      EXPECT_EQ(ints(Op::kTrunc, dtype, a), a);
      for (int64_t b = dtype.min_value(); b <= dtype.max_value(); b += 3) {
        ASSERT_EQ(ints(Op::kMulAcc, dtype, a, b, 77), wrap_to(dtype, a * b + 77));
      }
    }
  }
}

TEST(EvaluateInts, TheExtremesOfInt64Wrap) {
  EXPECT_EQ(ints(Op::kIDiv, kInt64, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(ints(Op::kMod, kInt64, INT64_MIN, -1), 0);
  EXPECT_EQ(ints(Op::kIDiv, kInt32, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(ints(Op::kAdd, kInt64, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(ints(Op::kNeg, kInt64, INT64_MIN), INT64_MIN);
  EXPECT_EQ(ints(Op::kMul, kInt64, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(ints(Op::kIDiv, kIndex, -7, 2), -4);
  EXPECT_EQ(ints(Op::kMod, kIndex, 7, -2), -1);
}

TEST(EvaluateInts, UInt64IsUnsigned) {
  EXPECT_EQ(ints(Op::kIDiv, kUInt64, -1, 2), INT64_MAX);
  EXPECT_EQ(ints(Op::kMod, kUInt64, -1, 10), 5);  // 18446744073709551615
  EXPECT_EQ(ints(Op::kMax, kUInt64, -1, 1), -1);
  EXPECT_EQ(ints(Op::kCmpLt, kUInt64, -1, 1), 0);
  EXPECT_EQ(ints(Op::kShr, kUInt64, -1, 63), 1);
  EXPECT_EQ(ints(Op::kShr, kUInt64, -1, 64), 0);
  EXPECT_EQ(ints(Op::kShr, kInt64, -5, 64), -1);
  EXPECT_EQ(ints(Op::kShl, kInt64, 1, 64), 0);
}

TEST(EvaluateBools, ArithmeticIsLogic) {
  for (int64_t a : {0, 1}) {
    for (int64_t b : {0, 1}) {
      EXPECT_EQ(ints(Op::kAdd, kBool, a, b), a | b);
      EXPECT_EQ(ints(Op::kMul, kBool, a, b), a & b);
      EXPECT_EQ(ints(Op::kSub, kBool, a, b), a ^ b);
      EXPECT_EQ(ints(Op::kMax, kBool, a, b), a | b);
      EXPECT_EQ(ints(Op::kXor, kBool, a, b), a ^ b);
    }
  }
}

TEST(EvaluateFloats, MaxPropagatesNaNAndPrefersPositiveZero) {
  for (DType dtype : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
    EXPECT_TRUE(std::isnan(floats(Op::kMax, dtype, kNaN, 1)));
    EXPECT_TRUE(std::isnan(floats(Op::kMax, dtype, 1, kNaN)));
    EXPECT_FALSE(std::signbit(floats(Op::kMax, dtype, -0.0, 0.0)));
    EXPECT_FALSE(std::signbit(floats(Op::kMax, dtype, 0.0, -0.0)));
    EXPECT_TRUE(std::signbit(floats(Op::kMax, dtype, -0.0, -0.0)));
    EXPECT_EQ(floats(Op::kMax, dtype, -2, -1), -1);
  }
}

TEST(EvaluateFloats, ComparisonsWithNaN) {
  EXPECT_TRUE(compare(Op::kCmpNe, kFloat32, kNaN, kNaN));
  EXPECT_FALSE(compare(Op::kCmpEq, kFloat32, kNaN, kNaN));
  EXPECT_FALSE(compare(Op::kCmpLt, kFloat32, kNaN, 1));
  EXPECT_TRUE(compare(Op::kCmpEq, kFloat32, 0.0, -0.0));
}

TEST(EvaluateFloats, RoundOnceToTheirOwnType) {
  const double tenth = 0.1F, fifth = 0.2F;
  EXPECT_EQ(floats(Op::kAdd, kFloat32, tenth, fifth), 0.1F + 0.2F);
  EXPECT_EQ(floats(Op::kFDiv, kFloat32, 1, 3), 1.0F / 3.0F);
  EXPECT_EQ(floats(Op::kSqrt, kFloat32, 2), std::sqrt(2.0F));
  EXPECT_EQ(floats(Op::kAdd, kFloat16, 2048, 1), 2048);
  EXPECT_EQ(floats(Op::kAdd, kFloat16, 2048, 3), 2052);
  EXPECT_EQ(floats(Op::kMul, kFloat16, 256, 256), kInfinity);
  EXPECT_EQ(floats(Op::kAdd, kBFloat16, 256, 1), 256);
  EXPECT_EQ(floats(Op::kAdd, kFloat64, 0.1, 0.2), 0.1 + 0.2);
}

TEST(EvaluateFloats, MulAccRoundsOnce) {
  const double x = 1 + 0x1p-12;
  EXPECT_EQ(floats(Op::kMulAcc, kFloat32, x, x, -1 - 0x1p-11), 0x1p-24);
  EXPECT_EQ(floats(Op::kMul, kFloat32, x, x) - 1 - 0x1p-11, 0);
}

TEST(EvaluateFloats, DivisionByZeroAndItsKin) {
  EXPECT_EQ(floats(Op::kFDiv, kFloat32, -1, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(floats(Op::kFDiv, kFloat32, 0, 0)));
  EXPECT_EQ(floats(Op::kRecip, kFloat32, -0.0), -kInfinity);
  EXPECT_TRUE(std::isnan(floats(Op::kSqrt, kFloat32, -1)));
  EXPECT_EQ(floats(Op::kLog2, kFloat32, 0), -kInfinity);
  EXPECT_EQ(floats(Op::kTrunc, kFloat32, -2.75), -2);
  EXPECT_EQ(floats(Op::kExp2, kFloat32, 3), 8);
  EXPECT_EQ(floats(Op::kPow, kFloat32, 2, 0.5), std::sqrt(2.0F));
}

TEST(Convert, FloatToIntSaturatesAndNaNIsZero) {
  const auto to = [](DType dtype, double value) {
    return convert(dtype, kFloat64, Value::of_float(value)).as_int();
  };
  EXPECT_EQ(to(kInt8, 300), 127);
  EXPECT_EQ(to(kInt8, -300), -128);
  EXPECT_EQ(to(kInt8, -1.9), -1);
  EXPECT_EQ(to(kUInt8, -1), 0);
  EXPECT_EQ(to(kUInt8, 255.9), 255);
  EXPECT_EQ(to(kInt64, kInfinity), INT64_MAX);
  EXPECT_EQ(to(kInt64, 0x1p63), INT64_MAX);
  EXPECT_EQ(to(kInt64, -kInfinity), INT64_MIN);
  EXPECT_EQ(to(kUInt64, 1e30), -1);
  EXPECT_EQ(to(kUInt64, 0x1p63), INT64_MIN);  // its bits
  EXPECT_EQ(to(kInt32, kNaN), 0);
  EXPECT_EQ(to(kBool, kNaN), 1);
  EXPECT_EQ(to(kBool, -0.0), 0);
  EXPECT_EQ(to(kBool, 0.25), 1);
}

TEST(Convert, IntToFloatRoundsToNearestEven) {
  const auto from = [](DType to, DType dtype, int64_t value) {
    return convert(to, dtype, Value::of_int(value)).as_float();
  };
  EXPECT_EQ(from(kFloat32, kInt32, 16777217), 16777216);
  EXPECT_EQ(from(kFloat32, kInt32, 16777219), 16777220);
  EXPECT_EQ(from(kFloat64, kUInt64, -1), 0x1p64);
  EXPECT_EQ(from(kFloat16, kInt32, 2049), 2048);
  EXPECT_EQ(from(kFloat16, kInt32, 1000000), kInfinity);
  EXPECT_EQ(from(kFloat32, kBool, 1), 1);
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; i++) {
    const uint64_t value = random() >> random() % 64;
    ASSERT_EQ(from(kFloat32, kUInt64, static_cast<int64_t>(value)), static_cast<float>(value));
    ASSERT_EQ(from(kFloat64, kUInt64, static_cast<int64_t>(value)), static_cast<double>(value));
  }
}

TEST(Convert, IntToIntWraps) {
  EXPECT_EQ(convert(kInt8, kInt32, Value::of_int(200)).as_int(), -56);
  EXPECT_EQ(convert(kUInt32, kInt8, Value::of_int(-1)).as_int(), 4294967295);
  EXPECT_EQ(convert(kBool, kInt32, Value::of_int(256)).as_int(), 1);
}

TEST(Convert, BetweenFloatsRoundsOnce) {
  EXPECT_EQ(convert(kFloat16, kFloat64, Value::of_float(1 + 0x1p-11 + 0x1p-40)).as_float(),
            1 + 0x1p-10);
  EXPECT_EQ(convert(kFloat32, kFloat64, Value::of_float(1e300)).as_float(), kInfinity);
}

TEST(MemoryBits, SurviveForEveryPatternOfTheNarrowTypes) {
  for (DType dtype : {kFloat16, kBFloat16, kInt16, kUInt16}) {
    for (uint64_t bits = 0; bits < 65536; bits++) {
      ASSERT_EQ(memory_bits(dtype, from_memory_bits(dtype, bits)), bits) << name(dtype);
    }
  }
  std::mt19937_64 random(4);
  for (int i = 0; i < 100000; i++) {
    const uint64_t bits = random();
    ASSERT_EQ(memory_bits(kFloat64, from_memory_bits(kFloat64, bits)), bits);
    ASSERT_EQ(memory_bits(kFloat32, from_memory_bits(kFloat32, bits >> 32)), bits >> 32);
  }
  EXPECT_EQ(memory_bits(kFloat32, from_memory_bits(kFloat32, 0x7f800001)),
            0x7f800001);  // a signalling NaN
}

TEST(Bitcast, ReadsTheSameBitsAsAnotherType) {
  const auto cast = [](DType to, DType from, Value value) {
    return evaluate(Op::kBitcast, to, from, {&value, 1});
  };
  EXPECT_EQ(cast(kInt32, kFloat32, Value::of_float(1)).as_int(), 0x3f800000);
  EXPECT_EQ(cast(kFloat32, kUInt32, Value::of_int(0xbf800000)).as_float(), -1);
  EXPECT_EQ(cast(kUInt8, kInt8, Value::of_int(-1)).as_int(), 255);
  EXPECT_EQ(cast(kUInt16, kFloat16, Value::of_float(-2)).as_int(), 0xc000);
}

TEST(Threefry, GivesThePublishedValues) {
  EXPECT_EQ(threefry2x32(0, 0), 0x99ba4efe6b200159U);
  EXPECT_EQ(threefry2x32(~uint64_t{0}, ~uint64_t{0}), 0xbb002be71cb996fcU);
  EXPECT_EQ(threefry2x32(0x85a308d3243f6a88U, 0x0370734413198a2eU), 0x483df7a0c4923a9cU);
}

TEST(Evaluate, WhereTakesOneOfTheTwo) {
  const Value src[] = {Value::of_int(1), Value::of_float(2), Value::of_float(3)};
  EXPECT_EQ(evaluate(Op::kWhere, kFloat32, kFloat32, src), src[1]);
  const Value other[] = {Value::of_int(0), Value::of_float(2), Value::of_float(3)};
  EXPECT_EQ(evaluate(Op::kWhere, kFloat32, kFloat32, other), other[2]);
}

TEST(Evaluate, KnowsWhichOpsATypeHas) {
  for (int i = 0; i < kOpCount; i++) {
    const Op op = static_cast<Op>(i);
    if (!is_alu(op)) continue;
    for (DType dtype : {kBool, kInt8, kUInt64, kIndex, kFloat16, kFloat32, kFloat64}) {
      const Value src[] = {{0}, {0}, {0}};
      const std::span<const Value> operands(src, is_unary(op) ? 1 : is_binary(op) ? 2 : 3);
      if (is_defined(op, dtype)) {
        EXPECT_NO_THROW(evaluate(op, dtype, dtype, operands)) << name(op) << name(dtype);
      }
    }
  }
  EXPECT_FALSE(is_defined(Op::kShl, kFloat32));
  EXPECT_THROW(floats(Op::kShl, kFloat32, 1, 1), InternalError);
  EXPECT_THROW(ints(Op::kSqrt, kInt32, 4), InternalError);
}

}  // namespace
}  // namespace loom
