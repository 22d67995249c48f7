#include "ir/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"

namespace loom {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DTypeName, ReadsBackForEveryScalarAndVector) {
  for (int i = 0; i < kScalarCount; i++) {
    const DType dtype{static_cast<Scalar>(i), 1};
    EXPECT_EQ(dtype_from_name(name(dtype)), dtype);
    EXPECT_EQ(dtype_from_name(name(dtype.vec(16))), dtype.vec(16));
  }
  EXPECT_EQ(name(kFloat32.vec(16)), "float32x16");
}

TEST(DTypeName, RefusesOthersWithASuggestion) {
  for (const char* text :
       {"", "float", "float32x", "float32x1", "float32x0", "float32x99999", "int32 "}) {
    EXPECT_THROW(dtype_from_name(text), UserError) << text;
  }
  try {
    dtype_from_name("flaot32");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"float32\"?"), std::string::npos);
  }
}

TEST(DTypeLimits, AreThoseOfTheMachineTypes) {
  EXPECT_EQ(kInt8.min_value(), -128);
  EXPECT_EQ(kUInt8.max_value(), 255);
  EXPECT_EQ(kInt32.max_value(), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(kUInt32.max_value(), std::numeric_limits<uint32_t>::max());
  EXPECT_EQ(kIndex.min_value(), INT64_MIN);
  EXPECT_EQ(kBool.max_value(), 1);
  EXPECT_EQ(kFloat32.vec(8).bytes(), 32);
}

TEST(WrapTo, KeepsTheLowBits) {
  EXPECT_EQ(wrap_to(kInt8, 200), -56);
  EXPECT_EQ(wrap_to(kUInt16, -1), 65535);
  EXPECT_EQ(wrap_to(kUInt32, -1), 4294967295);
  EXPECT_EQ(wrap_to(kInt32, int64_t{1} << 31), -(int64_t{1} << 31));
  EXPECT_EQ(wrap_to(kBool, -7), 1);
  EXPECT_EQ(wrap_to(kInt64, INT64_MIN), INT64_MIN);
}

TEST(HalfTypes, EveryBitPatternSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const auto half = static_cast<uint16_t>(bits);
    if (std::isnan(float_from_half(half))) {
      EXPECT_TRUE(std::isnan(float_from_half(half_from_float(float_from_half(half)))));
    } else {
      ASSERT_EQ(half_from_float(float_from_half(half)), half);
    }
    if (std::isnan(float_from_bfloat16(half))) {
      EXPECT_TRUE(std::isnan(float_from_bfloat16(bfloat16_from_float(float_from_bfloat16(half)))));
    } else {
      ASSERT_EQ(bfloat16_from_float(float_from_bfloat16(half)), half);
    }
  }
}

// Between each number and the next: just below, at and just above the middle.
TEST(HalfTypes, RoundToTheNearestAndTiesToEven) {
  for (uint16_t low = 0; low < 0x7bff; low++) {
    const double below = float_from_half(low),
                 above = float_from_half(static_cast<uint16_t>(low + 1));
    const auto middle = static_cast<float>((below + above) / 2);
    const double even = low % 2 == 0 ? below : above;
    ASSERT_EQ(float_from_half(half_from_float(middle)), even);
    ASSERT_EQ(float_from_half(half_from_float(std::nextafter(middle, 0.0F))), below);
    ASSERT_EQ(float_from_half(half_from_float(std::nextafter(middle, 1e9F))), above);
    ASSERT_EQ(round_to(kFloat16, middle), even);
    ASSERT_EQ(round_to(kFloat16, -std::nextafter(static_cast<double>(middle), 0.0)), -below);
  }
}

TEST(HalfTypes, OverflowToInfinityFromTheMiddleBeyondTheLargest) {
  EXPECT_EQ(half_from_float(65519.99F), 0x7bff);
  EXPECT_EQ(half_from_float(65520.0F), 0x7c00);
  EXPECT_EQ(half_from_float(-1e9F), 0xfc00);
  EXPECT_EQ(round_to(kFloat16, 65520.0), kInfinity);
  EXPECT_EQ(bfloat16_from_float(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(round_to(kBFloat16, std::numeric_limits<float>::max()), kInfinity);
  EXPECT_EQ(float_from_half(half_from_float(1e-9F)), 0);
}

TEST(RoundTo, AgreesWithTheBitConversionsOnRandomFloats) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; i++) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(value)) continue;
    ASSERT_EQ(round_to(kFloat16, value), float_from_half(half_from_float(value))) << value;
    ASSERT_EQ(round_to(kBFloat16, value), float_from_bfloat16(bfloat16_from_float(value))) << value;
  }
}

TEST(RoundTo, RoundsADoubleOnce) {
  // Above the middle between 1 and the next half, but float32 cannot see it.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(round_to(kFloat16, value), 1 + 0x1p-10);
  EXPECT_EQ(float_from_half(half_from_float(static_cast<float>(value))), 1);
  EXPECT_TRUE(std::signbit(round_to(kFloat16, -0.0)));
}

TEST(FloatFromInt, RoundsOnceEvenWhenDoubleIsTooShort) {
  const int64_t value =
      (int64_t{1} << 60) + (int64_t{1} << 36) + 1;  // just above the middle of two floats
  EXPECT_EQ(float_from_int(kFloat32, value), 0x1p60 + 0x1p37);
  EXPECT_EQ(float_from_int(kFloat32, value - 1), 0x1p60);
  EXPECT_EQ(float_from_int(kBFloat16, (int64_t{1} << 60) + (int64_t{1} << 52) + 1),
            0x1p60 + 0x1p53);
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; i++) {
    const auto any = static_cast<int64_t>(random() >> random() % 64);
    ASSERT_EQ(float_from_int(kFloat32, any), static_cast<float>(any));
    ASSERT_EQ(float_from_int(kFloat64, -any), static_cast<double>(-any));
  }
}

TEST(Promote, MeetsInTheTypeThatHoldsBoth) {
  EXPECT_EQ(promote(kBool, kInt8), kInt8);
  EXPECT_EQ(promote(kUInt8, kInt8), kInt16);
  EXPECT_EQ(promote(kUInt8, kInt32), kInt32);
  EXPECT_EQ(promote(kUInt32, kInt32), kInt64);
  EXPECT_EQ(promote(kUInt64, kInt64), kFloat64);
  EXPECT_EQ(promote(kInt64, kFloat16), kFloat16);
  EXPECT_EQ(promote(kFloat16, kBFloat16), kFloat32);
  EXPECT_EQ(promote(kFloat32, kFloat64), kFloat64);
  EXPECT_EQ(promote(kIndex, kInt32), kIndex);
}

TEST(Promote, DoesNotCareAboutTheOrder) {
  for (int i = 1; i < kScalarCount; i++) {
    for (int j = 1; j < kScalarCount; j++) {
      const DType a{static_cast<Scalar>(i), 1}, b{static_cast<Scalar>(j), 1};
      EXPECT_EQ(promote(a, b), promote(b, a)) << name(a) << " " << name(b);
    }
  }
}

}  // namespace
}  // namespace loom
