// Decomposed float16 and bfloat16 against the definition of the formats: a table of all their
// values, searched for the nearest one.
#include <gtest/gtest.h>

#include <random>

#include "tests/codegen/elementwise.h"
#include "tests/oracle/ulps.h"

namespace loom::testing {
namespace {

// The numbers of a 16-bit format that are not negative, in the order of their bits.
class HalfTable {
 public:
  explicit HalfTable(DType dtype)
      : mantissa_(dtype == kFloat16 ? 10 : 7), bias_(dtype == kFloat16 ? 15 : 127) {
    const int infinity = (2 * bias_ + 1) << mantissa_;
    for (int bits = 0; bits <= infinity; ++bits) numbers_.push_back(number(bits));
  }

  size_t infinity() const { return numbers_.size() - 1; }
  bool is_nan(uint16_t bits) const { return (bits & 0x7fff) > infinity(); }
  /// The infinity counts as the number that would come after the largest.
  double number_at(size_t magnitude) const { return numbers_[magnitude]; }

  float value(uint16_t bits) const {
    const size_t magnitude = bits & 0x7fff;
    float value = std::numeric_limits<float>::quiet_NaN();
    if (magnitude < infinity()) value = static_cast<float>(numbers_[magnitude]);
    if (magnitude == infinity()) value = std::numeric_limits<float>::infinity();
    return bits & 0x8000 ? -value : value;
  }

  /// The bits of the nearest number; of two that are equally near, the even ones.
  uint16_t nearest(long double x) const {
    const long double target = std::abs(x);
    const auto above = std::ranges::lower_bound(numbers_, target);
    size_t best =
        above == numbers_.end() ? infinity() : static_cast<size_t>(above - numbers_.begin());
    if (best > 0 && above != numbers_.end()) {
      const long double up = numbers_[best] - target, down = target - numbers_[best - 1];
      if (down < up || (down == up && best % 2 == 1)) --best;
    }
    return static_cast<uint16_t>(best | (std::signbit(x) ? 0x8000 : 0));
  }

 private:
  double number(int bits) const {
    const int exponent = bits >> mantissa_, fraction = bits & ((1 << mantissa_) - 1);
    if (exponent == 0) return std::ldexp(fraction, 1 - bias_ - mantissa_);
    return std::ldexp(fraction + (1 << mantissa_), exponent - bias_ - mantissa_);
  }

  int mantissa_, bias_;
  std::vector<double> numbers_;
};

std::vector<uint16_t> all_halves() {
  std::vector<uint16_t> all;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) all.push_back(static_cast<uint16_t>(bits));
  return all;
}

std::vector<uint16_t> random_halves(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint16_t> halves(count);
  for (uint16_t& half : halves) half = static_cast<uint16_t>(random());
  return halves;
}

Elementwise cast_of(DType from, DType to) {
  return Elementwise({from}, [to](Graph&, std::span<const Expr> in) { return in[0].to(to).id; });
}

class Half : public ::testing::TestWithParam<DType> {
 protected:
  DType dtype() const { return GetParam(); }

  template <class T>
  void expect_nearest(const std::vector<T>& values, const std::vector<uint16_t>& got) const {
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(static_cast<long double>(values[i]))) {
        EXPECT_TRUE(table_.is_nan(got[i]));
      } else {
        ASSERT_EQ(got[i], table_.nearest(static_cast<long double>(values[i]))) << values[i];
      }
    }
  }

  // All numbers of the format, the midpoints between them, and what is just beside both.
  template <class T>
  std::vector<T> critical_values() const {
    std::vector<T> values;
    for (size_t k = 0; k < table_.infinity(); ++k) {
      const auto number = static_cast<T>(table_.number_at(k));
      const auto middle = static_cast<T>((table_.number_at(k) + table_.number_at(k + 1)) / 2);
      for (T value : {number, middle}) {
        for (T x : {std::nextafter(value, T{-1}), value,
                    std::nextafter(value, std::numeric_limits<T>::infinity())}) {
          values.insert(values.end(), {x, -x});
        }
      }
    }
    return values;
  }

  HalfTable table_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Formats, Half, ::testing::Values(kFloat16, kBFloat16),
                         [](const auto& format) { return name(format.param); });

TEST_P(Half, WidensExactly) {
  const std::vector<uint16_t> halves = all_halves();
  const std::vector<float> single = cast_of(dtype(), kFloat32).run<float>(halves);
  const std::vector<double> wide = cast_of(dtype(), kFloat64).run<double>(halves);
  for (size_t i = 0; i < halves.size(); ++i) {
    const float value = table_.value(halves[i]);
    EXPECT_EQ(ulps_off(single[i], static_cast<double>(value)), 0) << halves[i];
    EXPECT_EQ(ulps_off(wide[i], static_cast<long double>(value)), 0) << halves[i];
  }
}

TEST_P(Half, RoundsFloat32ToNearestEven) {
  std::vector<float> values = critical_values<float>();
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099) {
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  expect_nearest(values, cast_of(kFloat32, dtype()).run<uint16_t>(values));
}

TEST_P(Half, RoundsFloat64OnceNotTwice) {
  std::vector<double> values = critical_values<double>();
  std::mt19937_64 random(1);
  for (int k = 0; k < 100'000; ++k) values.push_back(std::bit_cast<double>(random()));
  values.push_back(std::numeric_limits<double>::infinity());
  expect_nearest(values, cast_of(kFloat64, dtype()).run<uint16_t>(values));
}

// Integers of every length, and ones that are a little beside a midpoint of the format.
template <class T>
std::vector<T> integers() {
  std::mt19937_64 random(1);
  std::vector<T> values = {0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  for (int k = 0; k < 20'000; ++k) {
    const int shift = static_cast<int>(random() % 64);
    values.push_back(static_cast<T>(random() >> shift));
    values.push_back(static_cast<T>(0 - (random() >> shift)));
    const uint64_t middle = (0x101 + 2 * (random() % 0x80)) << (random() % 56);
    for (uint64_t beside : {0, 1, -1}) values.push_back(static_cast<T>(middle + beside));
  }
  return values;
}

TEST_P(Half, RoundsIntegersOnce) {
  const auto check = [&]<class T>(DType from, T) {
    const std::vector<T> values = integers<T>();
    expect_nearest(values, cast_of(from, dtype()).run<uint16_t>(values));
  };
  check(kInt8, int8_t{});
  check(kUInt16, uint16_t{});
  check(kInt32, int32_t{});
  check(kUInt32, uint32_t{});
  check(kInt64, int64_t{});
  check(kUInt64, uint64_t{});
}

TEST_P(Half, TurnsIntoIntegersAndBools) {
  const std::vector<uint16_t> halves = all_halves();
  const std::vector<int8_t> numbers = cast_of(dtype(), kInt8).run<int8_t>(halves);
  const std::vector<uint8_t> truths = cast_of(dtype(), kBool).run<uint8_t>(halves);
  for (size_t i = 0; i < halves.size(); ++i) {
    const float value = table_.value(halves[i]);
    const float clamped = std::isnan(value) ? 0 : std::clamp(std::trunc(value), -128.0f, 127.0f);
    EXPECT_EQ(numbers[i], static_cast<int8_t>(clamped));
    EXPECT_EQ(truths[i], value != 0);
  }
}

TEST(Halves, TurnIntoEachOther) {
  const HalfTable half(kFloat16), brain(kBFloat16);
  const std::vector<uint16_t> bits = all_halves();
  const std::vector<uint16_t> brains = cast_of(kFloat16, kBFloat16).run<uint16_t>(bits);
  const std::vector<uint16_t> halves = cast_of(kBFloat16, kFloat16).run<uint16_t>(bits);
  for (size_t i = 0; i < bits.size(); ++i) {
    const uint16_t brained = half.is_nan(bits[i]) ? brains[i] : brain.nearest(half.value(bits[i]));
    const uint16_t halved = brain.is_nan(bits[i]) ? halves[i] : half.nearest(brain.value(bits[i]));
    EXPECT_EQ(brains[i], brained);
    EXPECT_EQ(halves[i], halved);
  }
}

TEST_P(Half, ArithmeticIsThatOfFloat32RoundedOnce) {
  const std::vector<uint16_t> a = random_halves(50'000, 1), b = random_halves(50'000, 2);
  const auto check = [&](Op op, const auto& wide) {
    const Elementwise kernel({dtype(), dtype()}, [op](Graph& g, std::span<const Expr> in) {
      return binary(g, op, in[0], in[1]);
    });
    std::vector<float> want;
    for (size_t i = 0; i < a.size(); ++i)
      want.push_back(wide(table_.value(a[i]), table_.value(b[i])));
    expect_nearest(want, kernel.run<uint16_t>(a, b));
  };
  check(Op::kAdd, [](float x, float y) { return x + y; });
  check(Op::kSub, [](float x, float y) { return x - y; });
  check(Op::kMul, [](float x, float y) { return x * y; });
  check(Op::kFDiv, [](float x, float y) { return x / y; });
}

TEST_P(Half, MultiplyAddRoundsItsSumOnly) {
  const std::vector<uint16_t> a = random_halves(50'000, 1), b = random_halves(50'000, 2);
  const std::vector<uint16_t> c = random_halves(50'000, 3);
  const Elementwise kernel({dtype(), dtype(), dtype()}, [](Graph& g, std::span<const Expr> in) {
    return muladd(g, in[0], in[1], in[2]);
  });
  std::vector<float> want;
  for (size_t i = 0; i < a.size(); ++i) {
    want.push_back(table_.value(a[i]) * table_.value(b[i]) + table_.value(c[i]));
  }
  expect_nearest(want, kernel.run<uint16_t>(a, b, c));
}

TEST_P(Half, ComparesAsNumbers) {
  const std::vector<uint16_t> a = random_halves(50'000, 1), b = random_halves(50'000, 2);
  const Elementwise less({dtype(), dtype()},
                         [](Graph&, std::span<const Expr> in) { return (in[0] < in[1]).id; });
  const std::vector<uint8_t> got = less.run<uint8_t>(a, b);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(got[i], table_.value(a[i]) < table_.value(b[i]));
}

TEST_P(Half, TranscendentalsRoundTheirFloat32Result) {
  const std::vector<uint16_t> halves = all_halves();
  const Elementwise kernel(
      {dtype()}, [](Graph& g, std::span<const Expr> in) { return unary(g, Op::kExp2, in[0]); });
  std::vector<float> want;
  for (uint16_t half : halves)
    want.push_back(static_cast<float>(std::exp2(double{table_.value(half)})));
  expect_nearest(want, kernel.run<uint16_t>(halves));
}

TEST_P(Half, IsOnlyMovedAndReinterpreted) {
  const Elementwise kernel({dtype(), dtype(), kBool}, [](Graph& g, std::span<const Expr> in) {
    const Expr sum = where(in[2], in[0] * in[1] + in[0], in[1]);
    return reduce(g, Op::kMax, sum.max(in[0]), std::vector{range(g, 8, 0, AxisType::kReduce)});
  });
  for (Id id : reachable(kernel.graph(), kernel.root())) {
    if (kernel.graph().dtype(id) != dtype()) continue;
    const Op op = kernel.graph().op(id);
    EXPECT_TRUE(op == Op::kParam || op == Op::kIndex || op == Op::kLoad || op == Op::kWhere ||
                op == Op::kBitcast)
        << name(op);
  }
}

TEST_P(Half, IsReducedInFloat32) {
  const Elementwise kernel({dtype()}, [](Graph& g, std::span<const Expr> in) {
    return reduce(g, Op::kAdd, in[0], std::vector{range(g, 8, 0, AxisType::kReduce)});
  });
  EXPECT_EQ(kernel.graph().dtype(kernel.root()), dtype());
  for (Id id : reachable(kernel.graph(), kernel.root())) {
    if (kernel.graph().op(id) != Op::kReduce) continue;
    EXPECT_EQ(kernel.graph().dtype(id), kFloat32);
  }
}

TEST(Halves, Float16CastsStayWhereTheTargetHasThem) {
  Target target;
  target.has_half_conversions = true;
  const auto casts = [&](DType from, DType to) {
    return Elementwise(
               {from}, [to](Graph&, std::span<const Expr> in) { return in[0].to(to).id; }, target)
        .count(Op::kBitcast);
  };
  EXPECT_EQ(casts(kFloat16, kFloat32), 0);
  EXPECT_EQ(casts(kFloat32, kFloat16), 0);
  EXPECT_GT(casts(kFloat64, kFloat16), 0);   // rounding to float32 in between would round twice
  EXPECT_GT(casts(kFloat32, kBFloat16), 0);  // hardware flushes subnormals
}

}  // namespace
}  // namespace loom::testing
