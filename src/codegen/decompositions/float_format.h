// What expansions need to know of float32 and float64, and the arithmetic they share.
#pragma once
#include <span>

#include "ir/expr.h"

namespace loom {

struct FloatFormat {
  DType real, integer;  // the float type and the signed integer type of its width
  int mantissa;         // bits behind the point
  int bias;             // of the exponent

  bool is_single() const { return mantissa == 23; }
  /// At and below the one EXP2 is 0, at and above the other infinity.
  double exp2_lowest() const { return -(bias + mantissa + 1); }
  double exp2_highest() const { return bias + 1; }
  DType bits() const { return is_single() ? kUInt32 : kUInt64; }
  /// 2^n by its bits, for an integer n in the range of normal exponents.
  Expr power_of_two(Expr n) const { return ((n + bias) << mantissa).as(real); }
  /// The sign bit of x, as an integer.
  Expr sign(Expr x) const { return x.as(integer) & integer.min_value(); }
  Expr magnitude(Expr x) const { return (x.as(integer) & integer.max_value()).as(real); }
  /// x without the lower half of its bits.
  Expr head(Expr x) const { return (x.as(integer) & (int64_t{-1} << (mantissa / 2 + 1))).as(real); }
};

/// The format of float32 or float64 (scalar or vector).
const FloatFormat& float_format(DType dtype);

/// c[0] + c[1] x + c[2] x^2 + ..., with the coefficients of x's type.
Expr polynomial(Expr x, std::span<const double> of_float32, std::span<const double> of_float64);

/// head + tail, where the head has half of its type's bits: products of two heads are exact.
struct Split {
  Expr head, tail;
  Expr sum() const { return head + tail; }
};

/// x itself.
Split split(Expr x);
/// big + small, for |big| >= |small|.
Split split_sum(Expr big, Expr small);
Split operator*(const Split& x, const Split& y);

/// A constant to one and a half times the precision of its type.
struct SplitConstant {
  double head32, tail32, head64, tail64;
  /// In the dtype of x.
  Split beside(Expr x) const;
};

/// x = (1 + fraction) * 2^exponent with sqrt(1/2) <= 1 + fraction < sqrt(2), for 0 < x < infinity.
struct Scaled {
  Expr fraction, exponent;  // both floats, both exact
};
Scaled take_apart(Expr x);

/// The nearest integer to x, |x| < 2^22, as an integer and as a float.
struct Rounded {
  Expr integer, real;
};
Rounded nearest_integer(Expr x);

/// 2^r for |r| <= 1/2. Of a Split it is rounded nearly once.
Expr exp2_near_zero(Expr r);
Expr exp2_near_zero(const Split& r);
/// x * 2^n, rounded once, for 1/2 <= x < 2 and n where that is finite, subnormal or just above.
Expr scale(Expr x, Expr n);

}  // namespace loom
