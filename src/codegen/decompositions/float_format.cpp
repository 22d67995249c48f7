#include "codegen/decompositions/float_format.h"

#include "base/error.h"

namespace loom {

const FloatFormat& float_format(DType dtype) {
  static constexpr FloatFormat kSingle{kFloat32, kInt32, 23, 127};
  static constexpr FloatFormat kDouble{kFloat64, kInt64, 52, 1023};
  require(dtype.scalar == Scalar::kFloat32 || dtype.scalar == Scalar::kFloat64, "no expansion in ",
          name(dtype));
  return dtype.scalar == Scalar::kFloat32 ? kSingle : kDouble;
}

Expr polynomial(Expr x, std::span<const double> of_float32, std::span<const double> of_float64) {
  const std::span<const double> c = float_format(x.dtype()).is_single() ? of_float32 : of_float64;
  Expr sum = x.number(c.back());
  for (size_t k = c.size() - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

Split split(Expr x) {
  const Expr head = float_format(x.dtype()).head(x);
  return {head, x - head};
}

Split split_sum(Expr big, Expr small) {
  const Expr head = float_format(big.dtype()).head(big + small);
  return {head, small - (head - big)};
}

Split operator*(const Split& x, const Split& y) {
  return split_sum(x.head * y.head, x.tail * y.head + x.sum() * y.tail);
}

Split SplitConstant::beside(Expr x) const {
  const bool is_single = float_format(x.dtype()).is_single();
  return {x.number(is_single ? head32 : head64), x.number(is_single ? tail32 : tail64)};
}

}  // namespace loom
