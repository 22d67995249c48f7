// Conversions between the 16-bit floats and the wide ones by integer operations on their bits. NaNs
// become quiet.
#include <cmath>

#include "codegen/decompositions/expansions.h"
#include "codegen/decompositions/float_format.h"

namespace loom {
namespace {

struct HalfFormat {
  int mantissa, bias;
};

HalfFormat half_format(DType dtype) {
  return dtype.scalar == Scalar::kFloat16 ? HalfFormat{10, 15} : HalfFormat{7, 127};
}

// x without its last `drop` bits, rounded to nearest even. A carry out of the mantissa raises the
// exponent, rightly.
Expr round_off(Expr x, int drop) {
  const int64_t almost_half = (int64_t{1} << (drop - 1)) - 1;
  return (x + almost_half + ((x >> drop) & 1)) >> drop;
}

// A number that fits a half format only as a subnormal: the last place of the sum is the half
// format's smallest unit.
Expr round_to_subnormal(Expr magnitude, const FloatFormat& f, HalfFormat half) {
  const double unit = std::ldexp(1.0, 1 - half.bias - half.mantissa + f.mantissa);
  const Expr value = magnitude.as(f.real);
  return (value + unit).as(f.bits()) - value.number(unit).as(f.bits());
}

}  // namespace

Expr widen_expansion(Expr half) {
  const Expr bits = half.as(kUInt16).to(kUInt32);
  if (half.dtype().scalar == Scalar::kBFloat16) return (bits << 16).as(kFloat32);
  // As float32 bits the exponent is 112 too low; a product corrects that, for subnormals too.
  const Expr magnitude = (bits & 0x7fff) << 13;
  const Expr finite = (magnitude.as(kFloat32) * 0x1p112).as(kUInt32);
  const Expr result = where(magnitude < (0x7c00 << 13), finite, magnitude | 0x7f800000);
  return (result | ((bits & 0x8000) << 16)).as(kFloat32);
}

Expr narrow_expansion(Expr wide, DType dtype) {
  const FloatFormat& f = float_format(wide.dtype());
  const HalfFormat half = half_format(dtype);
  const auto power_bits = [&](int64_t exponent) { return (exponent + f.bias) << f.mantissa; };
  const int64_t rebias = power_bits(-half.bias), drop = f.mantissa - half.mantissa;
  const int64_t infinity = (int64_t{2} * half.bias + 1) << half.mantissa;
  const int64_t quiet_nan = infinity | int64_t{1} << (half.mantissa - 1);

  const Expr bits = wide.as(f.bits()), magnitude = bits & f.integer.max_value();
  Expr rounded = round_off(magnitude - rebias, static_cast<int>(drop));
  if (rebias != 0) {  // otherwise both formats have the same exponents, and that was all
    const Expr is_subnormal = magnitude < power_bits(1 - half.bias);
    rounded = where(is_subnormal, round_to_subnormal(magnitude, f, half), rounded);
    rounded = where(magnitude < power_bits(1 + half.bias), rounded, infinity);
  }
  const Expr result = where(magnitude > power_bits(1 + f.bias), quiet_nan, rounded);
  const Expr sign = (bits >> (f.integer.bits() - 16)) & 0x8000;
  return (result | sign).to(kUInt16).as(dtype);
}

}  // namespace loom
