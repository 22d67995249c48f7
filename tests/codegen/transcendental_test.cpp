// The expansions of EXP2, LOG2, SIN and POW against the C library's functions in the next wider
// type: double for float32, long double (64-bit mantissa) for float64, whose own errors of an ulp
// are 2^-29 and 2^-11 of ours.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "tests/codegen/elementwise.h"
#include "tests/oracle/ulps.h"

namespace loom::testing {
namespace {

Elementwise unary_of(Op op, DType dtype) {
  return Elementwise({dtype},
                     [op](Graph& g, std::span<const Expr> in) { return unary(g, op, in[0]); });
}

Elementwise exp_of(DType dtype) {
  return Elementwise({dtype}, [](Graph&, std::span<const Expr> in) {
    return (in[0] * std::numbers::log2e).apply(Op::kExp2).id;
  });
}

Elementwise log_of(DType dtype) {
  return Elementwise({dtype}, [](Graph&, std::span<const Expr> in) {
    return (in[0].apply(Op::kLog2) * std::numbers::ln2).id;
  });
}

Elementwise cos_of(DType dtype) {
  return Elementwise({dtype}, [](Graph&, std::span<const Expr> in) {
    return (in[0] + std::numbers::pi / 2).apply(Op::kSin).id;
  });
}

Elementwise pow_of(DType dtype) {
  return Elementwise({dtype, dtype}, [](Graph&, std::span<const Expr> in) {
    return in[0].apply(Op::kPow, in[1]).id;
  });
}

template <class... A>
void expect_below(double ulps, const Worst<A...>& worst) {
  EXPECT_LT(worst.ulps, ulps) << worst;
}

float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

// Every 4099th of all floats.
std::vector<float> sample_of_floats() {
  std::vector<float> sample;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099)
    sample.push_back(float_of(static_cast<uint32_t>(bits)));
  return sample;
}

// The numbers around `center`, both signs.
template <class T>
void add_neighbours(std::vector<T>& sample, T center, int count) {
  T below = center, above = center;
  for (int k = 0; k < count; ++k) {
    for (T x : {below, above}) sample.insert(sample.end(), {x, -x});
    below = std::nextafter(below, -std::numeric_limits<T>::infinity());
    above = std::nextafter(above, std::numeric_limits<T>::infinity());
  }
}

// Zeros, infinities, NaN, subnormals, powers of two, integers and multiples of pi/2, and what lies
// around them.
template <class T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> sample = {Limits::quiet_NaN()};
  for (int e = Limits::min_exponent - Limits::digits; e < Limits::max_exponent; ++e)
    add_neighbours(sample, std::ldexp(T{1}, e), 8);
  for (T x : {T{0}, Limits::infinity(), Limits::max(), std::sqrt(T{0.5}), std::sqrt(T{2})})
    add_neighbours(sample, x, 16);
  for (int n = 0; n < 2200; ++n) {
    add_neighbours(sample, static_cast<T>(n), 3);
    add_neighbours(sample, static_cast<T>(n + 0.5), 3);
    add_neighbours(sample, static_cast<T>(n * 1.57079632679489661923L), 3);
  }
  return sample;
}

Worst<float> worst_single(const Elementwise& kernel, double (*wide)(double)) {
  std::vector<float> x = sample_of_floats();
  const std::vector<float> edge = edges<float>();
  x.insert(x.end(), edge.begin(), edge.end());
  return worst_of(kernel.run<float>(x), wide, x);
}

TEST(Transcendental, Exp2OfFloat32IsWithinOneUlp) {
  expect_below(0.86, worst_single(unary_of(Op::kExp2, kFloat32), std::exp2));
}
TEST(Transcendental, Log2OfFloat32IsWithinOneUlp) {
  expect_below(0.9, worst_single(unary_of(Op::kLog2, kFloat32), std::log2));
}
TEST(Transcendental, SinOfFloat32IsWithinOneUlp) {
  expect_below(0.9, worst_single(unary_of(Op::kSin, kFloat32), std::sin));
}

Worst<double> worst_double(const Elementwise& kernel, long double (*wide)(long double)) {
  std::vector<double> x = edges<double>();
  std::mt19937_64 random(1);
  for (int k = 0; k < 100'000; ++k) x.push_back(std::bit_cast<double>(random()));
  for (int k = 0; k < 300'000; ++k) {
    const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
    x.push_back(std::ldexp(mantissa, static_cast<int>(random() % 24) - 12));
  }
  return worst_of(kernel.run<double>(x), wide, x);
}

TEST(Transcendental, Exp2OfFloat64IsWithinOneUlp) {
  expect_below(1, worst_double(unary_of(Op::kExp2, kFloat64), std::exp2));
}
TEST(Transcendental, Log2OfFloat64IsWithinOneUlp) {
  expect_below(1, worst_double(unary_of(Op::kLog2, kFloat64), std::log2));
}
TEST(Transcendental, SinOfFloat64IsWithinOneUlp) {
  expect_below(1, worst_double(unary_of(Op::kSin, kFloat64), std::sin));
}

TEST(Transcendental, ExpIsSpeltWithLog2OfE) {
  expect_below(0.9, worst_single(exp_of(kFloat32), std::exp));
  expect_below(1, worst_double(exp_of(kFloat64), std::exp));
}

TEST(Transcendental, ExpOfMinusXIsFoundBehindTheConstantsSign) {
  const Elementwise kernel({kFloat32}, [](Graph&, std::span<const Expr> in) {
    return (in[0] * -std::numbers::log2e).apply(Op::kExp2).id;
  });
  expect_below(0.9, worst_single(kernel, [](double x) { return std::exp(-x); }));
}

TEST(Transcendental, LogIsSpeltWithLogOf2) {
  expect_below(0.91, worst_single(log_of(kFloat32), std::log));
  expect_below(1, worst_double(log_of(kFloat64), std::log));
}

TEST(Transcendental, CosIsSpeltWithHalfPi) {
  expect_below(0.9, worst_single(cos_of(kFloat32), std::cos));
  expect_below(1, worst_double(cos_of(kFloat64), std::cos));
}

// Numbers with every special case of C's pow, in all pairs.
template <class T>
void expect_special_cases(DType dtype) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers = {Limits::quiet_NaN()};
  for (T x : {T{0}, Limits::denorm_min(), Limits::min(), T{0.25}, T{0.5},
              std::nextafter(T{1}, T{0}), T{1}, std::nextafter(T{1}, T{2}), T{1.5}, T{2}, T{3},
              T{4}, T{7}, T{1023}, std::ldexp(T{1}, Limits::digits) - 1,
              std::ldexp(T{1}, Limits::digits) + 2, Limits::max(), Limits::infinity()}) {
    numbers.insert(numbers.end(), {x, -x});
  }
  std::vector<T> x, y;
  for (T base : numbers) {
    for (T exponent : numbers) {
      x.push_back(base);
      y.push_back(exponent);
    }
  }
  const std::vector<T> got = pow_of(dtype).run<T>(x, y);
  for (size_t i = 0; i < got.size(); ++i) {
    const T want = std::pow(x[i], y[i]);
    const bool is_exact = std::isnan(want) || std::isinf(want) || want == 0 || std::abs(want) == 1;
    EXPECT_LE(ulps_off(got[i], want), is_exact ? 0 : 1)
        << x[i] << " ^ " << y[i] << " = " << got[i] << ", not " << want;
  }
}

TEST(Pow, HasTheSpecialCasesOfC) {
  expect_special_cases<float>(kFloat32);
  expect_special_cases<double>(kFloat64);
}

// Pairs whose power is neither zero nor infinite: y = t / log2(x) with t in the range of exponents.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs_of_finite_power(int count, uint64_t seed) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> fraction(0, 1),
      power(Limits::min_exponent - Limits::digits - 2, Limits::max_exponent + 1);
  std::vector<T> x, y;
  for (int k = 0; k < count; ++k) {
    const int range =
        k % 2 == 0 ? 1 : Limits::max_exponent - 1;  // near one, where y may be large, or anywhere
    const int exponent = static_cast<int>(std::lround((2 * fraction(random) - 1) * range));
    x.push_back(std::ldexp(static_cast<T>(1 + fraction(random)), exponent));
    y.push_back(static_cast<T>(power(random) / std::log2(static_cast<double>(x.back()))));
  }
  return {x, y};
}

TEST(Pow, OfSomeConstantsIsAFewOperations) {
  std::vector<float> x = sample_of_floats();
  const std::vector<float> edge = edges<float>();
  x.insert(x.end(), edge.begin(), edge.end());
  for (double y : {0.0, 1.0, 2.0, 3.0, -1.0, 0.5}) {
    const Elementwise kernel(
        {kFloat32}, [y](Graph&, std::span<const Expr> in) { return in[0].apply(Op::kPow, y).id; });
    EXPECT_LE(reachable(kernel.graph(), kernel.root()).size(), 12);
    const auto wide = [y](double v) { return std::pow(v, y); };
    expect_below(y == 3 ? 1.5 : 0.501, worst_of(kernel.run<float>(x), wide, x));
  }
}

TEST(Pow, OfFloat32IsWithinOneUlpFuzz) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  const auto [x, y] = pairs_of_finite_power<float>(1'000'000, seed);
  const auto wide = [](double a, double b) { return std::pow(a, b); };
  expect_below(0.85, worst_of(pow_of(kFloat32).run<float>(x, y), wide, x, y));
}

TEST(Pow, OfFloat64IsWithinAboutOneUlpFuzz) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  const auto [x, y] = pairs_of_finite_power<double>(200'000, seed);
  const auto wide = [](long double a, long double b) { return std::pow(a, b); };
  expect_below(1.05, worst_of(pow_of(kFloat64).run<double>(x, y), wide, x, y));
}

}  // namespace
}  // namespace loom::testing
