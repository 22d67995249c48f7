// Decomposed integer division, shifts and powers against plain definitions. FlatProgram fails for a
// zero divisor, an overflowing quotient and a shift past the width, as hardware would.
#include <gtest/gtest.h>

#include <random>

#include "tests/codegen/elementwise.h"

namespace loom::testing {
namespace {

__extension__ using Int128 = __int128;

template <class T>
constexpr DType kTypeOf = kBool;
template <>
constexpr DType kTypeOf<int8_t> = kInt8;
template <>
constexpr DType kTypeOf<uint8_t> = kUInt8;
template <>
constexpr DType kTypeOf<int16_t> = kInt16;
template <>
constexpr DType kTypeOf<int32_t> = kInt32;
template <>
constexpr DType kTypeOf<uint32_t> = kUInt32;
template <>
constexpr DType kTypeOf<int64_t> = kInt64;
template <>
constexpr DType kTypeOf<uint64_t> = kUInt64;

Int128 floor_divide(Int128 x, Int128 y) {
  if (y == 0) return 0;
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}
Int128 floor_modulo(Int128 x, Int128 y) { return y == 0 ? 0 : x - floor_divide(x, y) * y; }
Int128 shift_left(Int128 x, Int128 n, int width) {
  return n < 0 || n >= width ? 0 : x * (Int128{1} << static_cast<int>(n));
}
Int128 shift_right(Int128 x, Int128 n, int width) {
  return x >> (n < 0 || n >= width ? 100 : static_cast<int>(n));
}

// All pairs of 8-bit numbers; of wider ones the pairs of edges and random ones.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers;
  if constexpr (sizeof(T) == 1) {
    for (int v = Limits::min(); v <= Limits::max(); ++v) numbers.push_back(static_cast<T>(v));
  } else {
    for (int k = -70; k <= 70; ++k) numbers.push_back(static_cast<T>(k));
    std::mt19937_64 random(1);
    for (int k = 0; k < 100; ++k) numbers.push_back(static_cast<T>(random() >> (random() % 64)));
    for (int beside : {-1, 0, 1}) {
      for (T edge : {Limits::min(), Limits::max()}) {
        numbers.push_back(
            static_cast<T>(static_cast<uint64_t>(edge) + static_cast<uint64_t>(beside)));
      }
    }
  }
  std::vector<T> x, y;
  for (T a : numbers) {
    for (T b : numbers) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  return {x, y};
}

template <class T>
class Integer : public ::testing::Test {
 protected:
  // The op on pairs(), against f in 128 bits.
  template <class F>
  void expect(Op op, const F& f) {
    const Elementwise kernel({kTypeOf<T>, kTypeOf<T>}, [op](Graph& g, std::span<const Expr> in) {
      return binary(g, op, in[0], in[1]);
    });
    const auto [x, y] = pairs<T>();
    const std::vector<T> got = kernel.template run<T>(x, y);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(got[i], static_cast<T>(f(x[i], y[i]))) << +x[i] << ' ' << name(op) << ' ' << +y[i];
  }
};

using Types = ::testing::Types<int8_t, uint8_t, int16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(Integer, Types);

TYPED_TEST(Integer, DivisionFloorsAndByZeroIsZero) { this->expect(Op::kIDiv, floor_divide); }
TYPED_TEST(Integer, ModuloHasTheSignOfTheDivisorAndByZeroIsZero) {
  this->expect(Op::kMod, floor_modulo);
}

TYPED_TEST(Integer, ShiftsPastTheWidthLeaveNothing) {
  constexpr int kWidth = sizeof(TypeParam) * 8;
  this->expect(Op::kShl, [](Int128 x, Int128 n) { return shift_left(x, n, kWidth); });
  this->expect(Op::kShr, [](Int128 x, Int128 n) { return shift_right(x, n, kWidth); });
}

// Modulo 2^64, by a different road than the expansion's: exponent bits from the top.
uint64_t power(uint64_t x, uint64_t n) {
  uint64_t product = 1;
  for (int bit = 63; bit >= 0; --bit) product = product * product * ((n >> bit & 1) != 0 ? x : 1);
  return product;
}

TYPED_TEST(Integer, PowersWrapAndNegativeOnesTruncate) {
  this->expect(Op::kPow, [](TypeParam x, TypeParam n) -> Int128 {
    const Int128 base = x;
    if (n >= 0) return power(static_cast<uint64_t>(x), static_cast<uint64_t>(n));
    if (base != 1 && base != -1) return 0;
    return base == 1 || n % 2 == 0 ? 1 : -1;
  });
}

TEST(IntegerPower, OfAConstantIsAFewProducts) {
  for (int n : {0, 1, 2, 3, 7, 10, 31}) {
    const Elementwise kernel(
        {kInt32}, [n](Graph&, std::span<const Expr> in) { return in[0].apply(Op::kPow, n).id; });
    const std::vector<int32_t> x = {-3, -1, 0, 1, 2, 5, 12345};
    const std::vector<int32_t> got = kernel.run<int32_t>(x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(got[i], static_cast<int32_t>(power(static_cast<uint64_t>(x[i]), n)));
    EXPECT_EQ(kernel.count(Op::kWhere), 0);
    EXPECT_LE(kernel.count(Op::kMul), 8);
  }
}

TEST(BoolPower, IsOneButForZeroToTheOne) {
  const Elementwise kernel({kBool, kBool}, [](Graph&, std::span<const Expr> in) {
    return in[0].apply(Op::kPow, in[1]).id;
  });
  EXPECT_EQ(kernel.run<uint8_t>(std::vector<uint8_t>{0, 0, 1, 1}, std::vector<uint8_t>{0, 1, 0, 1}),
            (std::vector<uint8_t>{1, 0, 1, 1}));
}

}  // namespace
}  // namespace loom::testing
