// POW of floats: 2^(y log2|x|) with the logarithm and the product to one and a half times the
// type's precision, since an exponent of 128 leaves seven bits less for the result than its
// logarithm had.
//
// The polynomial is a minimax fit (Sollya's fpminimax), off by less than 2^-38 (float32) and 2^-69.
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/decompositions/expansions.h"
#include "codegen/decompositions/float_format.h"

namespace loom {
namespace {

// (3 atanh(s) / s - 3 - s^2) / s^4 as a polynomial in s^2, for |s| < 0.172.
constexpr double kAtanhSingle[] = {0x1.333334p-1, 0x1.b6da0ap-2, 0x1.558a66p-2, 0x1.1c7a8p-2};
constexpr double kAtanhDouble[] = {
    0x1.3333333333333p-1, 0x1.b6db6db6db966p-2, 0x1.555555550a0e5p-2,
    0x1.1745d1b2e032ep-2, 0x1.d89d52ddcab2fp-3, 0x1.99a748307dc5ap-3,
    0x1.677b62945019bp-3, 0x1.67e5499f8c1a6p-3, 0x1.5ca688d3330dbp-7};

constexpr SplitConstant kTwoThirdsOfLog2OfE{0x1.ec8p-1, -0x1.ec478cp-14, 0x1.ec709ep-1,
                                            -0x1.e2fe0145b01f5p-28};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// big + middle + small, where big and middle have no more bits than a head and fall in size.
Split split_sum(Expr big, Expr middle, Expr small) {
  const Expr head = float_format(big.dtype()).head(big + middle + small);
  return {head, small - ((head - big) - middle)};
}

// r / (2 + r).
Split ratio(Expr r) {
  const FloatFormat& f = float_format(r.dtype());
  const Expr divisor = r + 2.0, divisor_head = f.head(divisor);
  const Expr divisor_tail = r - (divisor_head - 2.0);
  const Expr head = f.head(r / divisor);
  return {head, ((r - head * divisor_head) - head * divisor_tail) / divisor};
}

// log2(x) for 0 < x < infinity: log(1 + r) = 2 atanh(r / (2 + r)).
Split log2_split(Expr x) {
  const auto [fraction, exponent] = take_apart(x);
  const Split s = ratio(fraction);
  const Expr square = s.sum() * s.sum();
  const Expr rest = s.tail * (s.head + s.sum()) +
                    square * square * polynomial(square, kAtanhSingle, kAtanhDouble);
  const Split series = split_sum(x.number(3.0), s.head * s.head, rest);
  const Split log = s * series * kTwoThirdsOfLog2OfE.beside(x);
  return split_sum(exponent, log.head, log.tail);
}

Expr exp2_of(const Split& x) {
  const FloatFormat& f = float_format(x.head.dtype());
  const Expr sum = x.sum();
  const Expr is_low = sum < f.exp2_lowest(), is_high = f.exp2_highest() < sum;
  const auto clamped = [&](Expr part, double low, double high) {
    return where(is_low, low, where(is_high, high, part));
  };
  const Expr head = clamped(x.head, f.exp2_lowest(), f.exp2_highest());
  const Expr tail = clamped(x.tail, 0, 0);
  const Rounded n = nearest_integer(head + tail);
  return scale(exp2_near_zero(Split{head - n.real, tail}), n.integer);
}

// y, or as much of it as makes the power of any number but 1 zero or infinite.
Expr clamped_exponent(Expr y) {
  const FloatFormat& f = float_format(y.dtype());
  const double enough = std::ldexp(2.0 * (f.bias + 1), f.mantissa + 1);
  return where(y > enough, enough, where(y < -enough, -enough, y));
}

// Powers that need no logarithm. All but the cube are rounded once.
std::optional<Expr> simple_power(Expr x, double y) {
  if (y == 0) return x.number(1.0);
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  if (y == -1) return 1.0 / x;
  if (y != 0.5) return {};
  // Unlike the root, the power of -0 is +0 and that of -infinity is infinite.
  return where(x == -kInfinity, kInfinity, (x + 0.0).apply(Op::kSqrt));
}

}  // namespace

Expr pow_expansion(Expr x, Expr y) {
  if (is_const(*y.graph, y)) {
    if (const auto power = simple_power(x, float_value(*y.graph, y))) return *power;
  }
  const FloatFormat& f = float_format(x.dtype());
  const Expr magnitude = f.magnitude(x), half = 0.5 * y;
  const Expr is_integer = y.trunc() == y, is_odd = is_integer & (half.trunc() != half);
  const Expr is_limit = (magnitude == 0.0) | (magnitude == kInfinity);
  const Expr limit = where((magnitude > 1.0) ^ (y > 0.0), 0.0, x.number(kInfinity));
  const Expr power =
      where(is_limit, limit, exp2_of(split(clamped_exponent(y)) * log2_split(magnitude)));
  const Expr with_sign = (power.as(f.integer) ^ where(is_odd, f.sign(x), 0)).as(f.real);
  const Expr is_imaginary = (x < 0.0) & (x > -kInfinity) & ~is_integer;
  const Expr is_nan = is_imaginary | (x != x) | (y != y);
  const Expr is_one = (x == 1.0) | (y == 0.0);
  return where(is_one, 1.0, where(is_nan, std::numeric_limits<double>::quiet_NaN(), with_sign));
}

}  // namespace loom
