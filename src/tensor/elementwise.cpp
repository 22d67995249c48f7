// Mathematical functions of each element: compositions of operators with the accuracy worked out.
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

// One node on a float tensor; integers become float32 first.
Tensor real_function(std::string_view name, Op op, const Tensor& x) {
  const Tensor real = x.cast(real_dtype(x.dtype()));
  return make_tensor(name, real.dtype(), real.shape(), {real},
                     [&](Graph& g, std::span<const Id> src) { return unary(g, op, src[0]); });
}

// Sum of coefficients[i] * x^i.
Tensor polynomial(const Tensor& x, std::initializer_list<double> coefficients) {
  const std::span<const double> c(coefficients.begin(), coefficients.size());
  Tensor sum = x * c.back() + c[c.size() - 2];
  for (size_t i = c.size() - 2; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

// tanh for |x| < 0.625, where 1 - 2 / (e^2x + 1) would cancel (Cephes, Moshier).
Tensor tanh_near_zero(const Tensor& x) {
  const Tensor z = x * x;
  const Tensor above = polynomial(
      z, {-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1});
  const Tensor below = polynomial(
      z, {4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2, 1.0});
  return x + x * z * (above / below);
}

Tensor tanh_accurate(const Tensor& x) {
  const Tensor magnitude = x.abs();
  const Tensor far = 1 - 2 / ((magnitude * 2).exp() + 1);
  return where(magnitude < 0.625, tanh_near_zero(x), where(x < 0, -far, far));
}

}  // namespace

Tensor Tensor::exp2() const { return real_function("exp2", Op::kExp2, *this); }
Tensor Tensor::log2() const { return real_function("log2", Op::kLog2, *this); }
Tensor Tensor::sqrt() const { return real_function("sqrt", Op::kSqrt, *this); }
Tensor Tensor::reciprocal() const { return real_function("reciprocal", Op::kRecip, *this); }
Tensor Tensor::sin() const { return real_function("sin", Op::kSin, *this); }
Tensor Tensor::rsqrt() const { return sqrt().reciprocal(); }

// The three below are spelt as code generation knows them; it computes them in one piece, without
// the error of the product or sum that is written here.
Tensor Tensor::exp() const {
  return in_single(cast(real_dtype(dtype())),
                   [](const Tensor& x) { return (x * std::numbers::log2e).exp2(); });
}

Tensor Tensor::log() const {
  return in_single(*this, [](const Tensor& x) { return x.log2() * std::numbers::ln2; });
}

Tensor Tensor::cos() const {
  return in_single(cast(real_dtype(dtype())),
                   [](const Tensor& x) { return (x + std::numbers::pi / 2).sin(); });
}

Tensor Tensor::tan() const {
  return in_single(*this, [](const Tensor& x) { return x.sin() / x.cos(); });
}

Tensor Tensor::tanh() const { return in_single(cast(real_dtype(dtype())), tanh_accurate); }

// By powers of e that cannot overflow: 1 / (1 + e^-x), and the same times e^x / e^x.
Tensor Tensor::sigmoid() const {
  return in_single(cast(real_dtype(dtype())), [](const Tensor& x) {
    const Tensor power = (-x.abs()).exp();
    return where(x < 0, power, 1) / (power + 1);
  });
}

Tensor Tensor::silu() const { return *this * sigmoid(); }
Tensor Tensor::relu() const { return maximum(*this, 0); }

// The formula's (1 + tanh u) / 2 would cancel for negative u; sigmoid 2u is the same and does not.
Tensor Tensor::gelu() const {
  return in_single(*this, [](const Tensor& x) {
    const double scale = 2 * std::sqrt(2 / std::numbers::pi);
    return x * ((x + x * x * x * 0.044715) * scale).sigmoid();
  });
}

Tensor Tensor::square() const { return *this * *this; }

// 0 - x and not -x, so that the result of a zero is +0.
Tensor Tensor::abs() const {
  if (dtype().is_bool() || dtype().is_unsigned()) return same_value(*this);
  return where(0 < *this, *this, 0 - *this);
}

Tensor Tensor::sign() const {
  if (dtype().is_bool()) return same_value(*this);
  const Tensor not_negative = where(0 < *this, 1, *this);
  return dtype().is_unsigned() ? not_negative : where(*this < 0, -1, not_negative);
}

Tensor Tensor::trunc() const {
  if (!dtype().is_float()) return same_value(*this);
  return real_function("trunc", Op::kTrunc, *this);
}

Tensor Tensor::floor() const {
  const Tensor whole = trunc();
  return dtype().is_float() ? where(*this < whole, whole - 1, whole) : whole;
}

Tensor Tensor::ceil() const {
  const Tensor whole = trunc();
  return dtype().is_float() ? where(whole < *this, whole + 1, whole) : whole;
}

// |x - trunc(x)| is exact, so halves are recognised exactly.
Tensor Tensor::round() const {
  Tensor whole = trunc();
  if (!dtype().is_float()) return whole;
  const Tensor distance = (*this - whole).abs();
  const Tensor half_whole = whole * 0.5;
  const Tensor is_odd = half_whole.trunc() != half_whole;
  const Tensor away = (0.5 < distance) | ((distance == 0.5) & is_odd);
  return where(away, where(*this < 0, whole - 1, whole + 1), whole);
}

Tensor Tensor::isnan() const { return *this != *this; }
Tensor Tensor::isinf() const {
  return dtype().is_float() ? abs() == std::numeric_limits<double>::infinity()
                            : constant_beside(*this, shape(), false, kBool);
}
Tensor Tensor::isfinite() const {
  return dtype().is_float() ? *this - *this == 0 : constant_beside(*this, shape(), true, kBool);
}

Tensor Tensor::clip(std::optional<Number> low, std::optional<Number> high) const {
  Tensor result = same_value(*this);
  if (low) result = maximum(result, Operand(*low));
  if (high) result = minimum(result, Operand(*high));
  return result;
}

Tensor Tensor::floor_div(const Operand& divisor) const {
  const Pair pair = meet("floor_div", *this, divisor);
  if (pair.a.dtype().is_bool()) {
    fail<UserError>("floor_div: not defined for ", describe(*this), ", expected numbers");
  }
  if (pair.a.dtype().is_float()) return (pair.a / pair.b).floor();
  return make_tensor(
      "floor_div", pair.a.dtype(), pair.shape, {pair.a, pair.b},
      [](Graph& g, std::span<const Id> src) { return binary(g, Op::kIDiv, src[0], src[1]); });
}

Tensor Tensor::mod(const Operand& divisor) const { return *this % divisor; }

Tensor Tensor::pow(const Operand& exponent) const {
  if (const Number* number = exponent.number()) {
    if (number->real() == 2) return square();
    if (number->real() == 0.5) return sqrt();
    if (number->real() == -1 && dtype().is_float()) return reciprocal();
  }
  const Pair pair = meet("pow", *this, exponent);
  return make_tensor(
      "pow", pair.a.dtype(), pair.shape, {pair.a, pair.b},
      [](Graph& g, std::span<const Id> src) { return binary(g, Op::kPow, src[0], src[1]); });
}

}  // namespace loom
