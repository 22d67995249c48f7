// EXP2 and LOG2, and the same to the base e. All take the exponent out by its bits and leave a
// polynomial on a short interval, arranged so that its rounding errors are small beside the last
// bit of the result.
//
// The polynomials are minimax fits whose coefficients are numbers of the type (Sollya's fpminimax).
// They are off by less than 2^-27 (float32) and 2^-59 (float64), relative to the result.
#include <cmath>
#include <limits>
#include <numbers>

#include "codegen/decompositions/expansions.h"
#include "codegen/decompositions/float_format.h"

namespace loom {
namespace {

// (2^r - 1) / r - 1/2 for |r| <= 1/2.
constexpr double kExp2Single[] = {0x1.8b90cp-3,  0x1.ebfbep-3,  0x1.c6af9cp-5,
                                  0x1.3b2a48p-7, 0x1.5ef5dp-10, 0x1.442512p-13};
constexpr double kExp2Double[] = {
    0x1.8b90bfbe8e7bdp-3,  0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a09p-5,   0x1.3b2ab6fba4d47p-7,
    0x1.5d87fe78ad782p-10, 0x1.430912f8c27fep-13, 0x1.ffcbfc4249b79p-17, 0x1.62c020e793cf6p-20,
    0x1.b52542801441ap-24, 0x1.e4d3fc9368de7p-28, 0x1.e96e15d5a314ap-32, 0x1.bdfc12ec8c857p-36};

// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2 and a little more.
constexpr double kExpSingle[] = {0x1p-1,        0x1.555556p-3,  0x1.5555p-5,
                                 0x1.110fc4p-7, 0x1.6d3148p-10, 0x1.a2d37ap-13};
constexpr double kExpDouble[] = {0x1p-1,
                                 0x1.5555555555557p-3,
                                 0x1.5555555555557p-5,
                                 0x1.1111111110007p-7,
                                 0x1.6c16c16c15674p-10,
                                 0x1.a01a01ac5738p-13,
                                 0x1.a01a01abb780ap-16,
                                 0x1.71de00da5fef3p-19,
                                 0x1.27e4cf4d81915p-22,
                                 0x1.af50a5c25d566p-26,
                                 0x1.1f87b32c43dcap-29};

// (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f < sqrt(2).
constexpr double kLogSingle[] = {0x1.555554p-2,  -0x1.ffffe6p-3, 0x1.999d2ap-3,
                                 -0x1.556288p-3, 0x1.23de4p-3,   -0x1.fbbf2ep-4,
                                 0x1.dc75e8p-4,  -0x1.ddb2cep-4, 0x1.2cb40ep-4};
constexpr double kLogDouble[] = {
    0x1.5555555555555p-2, -0x1.0000000000008p-2, 0x1.9999999999affp-3, -0x1.5555555553028p-3,
    0x1.24924924833fdp-3, -0x1.000000019700ep-3, 0x1.c71c71d25d4d5p-4, -0x1.9999989b9454dp-4,
    0x1.745d146f7d4p-4,   -0x1.5555801e9ba8cp-4, 0x1.3b142c9060697p-4, -0x1.248e225b17df7p-4,
    0x1.110397125b4c2p-4, -0x1.003ad7adb7facp-4, 0x1.e3b48d2b692ccp-5, -0x1.c3e1a4b43d38dp-5,
    0x1.9cacd0b642a97p-5, -0x1.9c6edd8e25b87p-5, 0x1.e5f29b2b7d659p-5, -0x1.d14598ce621c8p-5,
    0x1.a38c392ebc8ccp-6};

constexpr SplitConstant kLog2OfE{0x1.716p0, -0x1.7135a8p-13, 0x1.7154768p0, -0x1.6a3e80f444178p-27};
// The head is so short that its product with any exponent is exact.
constexpr SplitConstant kLogOf2{0x1.62e8p-1, -0x1.e8082ep-16, 0x1.62e42fefa4p-1,
                                -0x1.8432a1b0e2634p-43};

Expr clamped(Expr x, double low, double high) {
  return where(x < low, low, where(x > high, high, x));
}

// The logarithm of any x, of which `result` is that of positive finite ones.
Expr with_limits(Expr x, Expr result) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  return where(x < 0.0, kNaN, where(x == 0.0, -kInfinity, where(x < kInfinity, result, x)));
}

}  // namespace

Rounded nearest_integer(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  // 1.5 * 2^mantissa leaves no bits for a fraction: the sum is rounded and holds the integer in its
  // last bits.
  const double rounder = std::ldexp(1.5, f.mantissa);
  const Expr sum = x + rounder;
  return {sum.as(f.integer) - x.number(rounder).as(f.integer), sum - rounder};
}

Expr exp2_near_zero(Expr r) {
  // 0.5 r is exact, and the rest is small.
  return 1.0 + (0.5 * r + r * polynomial(r, kExp2Single, kExp2Double));
}

Expr exp2_near_zero(const Split& x) {
  const Expr r = x.sum(), rest = x.tail - (r - x.head);
  const Expr half = 0.5 * r, most = 1.0 + half, lost = (1.0 - most) + half;
  const Expr slope = most * std::numbers::ln2;  // nearly
  return most + (lost + (r * polynomial(r, kExp2Single, kExp2Double) + rest * slope));
}

Expr scale(Expr x, Expr n) {
  const FloatFormat& f = float_format(x.dtype());
  // Two factors: 2^n may be subnormal or infinite where the result is neither.
  const Expr half = n >> 1;
  return x * f.power_of_two(half) * f.power_of_two(n - half);
}

Expr exp2_expansion(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  x = clamped(x, f.exp2_lowest(), f.exp2_highest());
  const Rounded n = nearest_integer(x);
  return scale(exp2_near_zero(x - n.real), n.integer);
}

Expr exp_expansion(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  x = clamped(x, f.exp2_lowest() * std::numbers::ln2,
              (f.exp2_highest() + 1) * std::numbers::ln2);  // surely past the end
  // x = n log(2) + high - low: the first difference is exact.
  const Rounded n = nearest_integer(x * std::numbers::log2e);
  const Split log_of_2 = kLogOf2.beside(x);
  const Expr high = x - n.real * log_of_2.head, low = n.real * log_of_2.tail, r = high - low;
  const Expr power = 1.0 + (high + (r * r * polynomial(r, kExpSingle, kExpDouble) - low));
  return scale(power, n.integer);
}

Scaled take_apart(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  const Expr is_subnormal = x < std::ldexp(1.0, 1 - f.bias);
  const Expr bits = where(is_subnormal, x * std::ldexp(1.0, f.mantissa + 1), x).as(f.integer);
  const Expr exponent = (bits - x.number(std::sqrt(0.5)).as(f.integer)) >> f.mantissa;
  const Expr fraction = (bits - (exponent << f.mantissa)).as(f.real) - 1.0;
  return {fraction, where(is_subnormal, exponent - (f.mantissa + 1), exponent).to(f.real)};
}

Expr log2_expansion(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  const auto [r, exponent] = take_apart(x);
  // log(1 + r) = r - r^2 / 2 + r^3 p, in two parts: the first times the head of log2(e) is exact.
  const Expr square = r * r, half_square = 0.5 * square;
  const Expr head = f.head(r - half_square);
  const Expr tail = ((r - head) - half_square) + r * square * polynomial(r, kLogSingle, kLogDouble);
  const Split scale = kLog2OfE.beside(x);
  const Expr result =
      exponent + (head * scale.head + (tail * scale.head + (head + tail) * scale.tail));
  return with_limits(x, result);
}

Expr log_expansion(Expr x) {
  const auto [r, exponent] = take_apart(x);
  const Split log_of_2 = kLogOf2.beside(x);
  const Expr square = r * r;
  const Expr rest = r * square * polynomial(r, kLogSingle, kLogDouble) - 0.5 * square;
  return with_limits(x, exponent * log_of_2.head + (r + (rest + exponent * log_of_2.tail)));
}

}  // namespace loom
