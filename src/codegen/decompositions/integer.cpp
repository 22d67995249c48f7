// Integer operations that no machine does as the IR means them: division by what may be zero,
// shifts by what may exceed the width, powers. Each expansion asks interval analysis for what is
// proven already, and what it makes is proven, so that it is never expanded twice.
#include <algorithm>
#include <bit>

#include "codegen/decompositions/expansions.h"

namespace loom {
namespace {

DType unsigned_of(DType dtype) {
  switch (dtype.bits()) {
    case 8: return kUInt8;
    case 16: return kUInt16;
    case 32: return kUInt32;
    default: return kUInt64;
  }
}

// |x| as an unsigned number, which holds that of the smallest one too.
Expr magnitude(Expr x) {
  if (x.dtype().is_unsigned()) return x;
  return (x.bounds().lo >= 0 ? x : where(x < 0, -x, x)).as(unsigned_of(x.dtype()));
}

bool may_be_zero(Expr x) { return x.bounds().lo <= 0 && x.bounds().hi >= 0; }

// The smallest number by -1. Index values never wrap.
bool may_overflow(Expr x, Expr divisor) {
  const bool wraps = x.dtype().is_signed_int() && x.dtype() != kIndex;
  return wraps && x.bounds().lo == x.dtype().min_value() && divisor.bounds().lo <= -1 &&
         divisor.bounds().hi >= -1;
}

bool is_safe_division(Expr x, Expr divisor) {
  return !may_be_zero(divisor) && !may_overflow(x, divisor);
}

// The quotient of the magnitudes, rounded down where the signs differ.
Expr divide_by_magnitudes(Expr x, Expr divisor) {
  if (x.dtype() == kIndex) {
    return divide_by_magnitudes(x.to(kInt64), divisor.to(kInt64)).to(kIndex);
  }
  const Expr a = magnitude(x), b = magnitude(divisor).max(1);
  const Expr quotient = a / b, is_inexact = quotient * b != a;
  const Expr rounded_up = quotient + is_inexact.to(quotient.dtype());
  return where((x < 0) != (divisor < 0), -rounded_up, quotient).as(x.dtype());
}

// For a divisor other than zero; for zero it may return anything.
Expr divide_by_nonzero(Expr x, Expr divisor) {
  if (is_safe_division(x, divisor)) return x / divisor;
  return divisor.bounds().lo >= 0 ? x / divisor.max(1) : divide_by_magnitudes(x, divisor);
}

Expr remainder_by_nonzero(Expr x, Expr divisor) {
  if (divisor.bounds().lo >= 0) return x % divisor.max(1);
  return x - divide_by_nonzero(x, divisor) * divisor;
}

Expr zero_for_zero(Expr divisor, Expr result) {
  return may_be_zero(divisor) ? where(divisor == 0, 0, result) : result;
}

bool is_safe_shift(Expr count, int width) { return count.bounds().within(0, width - 1); }

// Is the count below the width, and not negative?
Expr is_within(Expr count, int width) {
  const Expr is_below = count < width;
  return count.bounds().lo >= 0 ? is_below : is_below & (count > -1);
}

// x * x * ..., |n| times.
Expr repeated_product(Expr x, int64_t n) {
  Expr product = x.number(1);
  uint64_t left = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  for (Expr square = x; left != 0; left >>= 1, square = square * square) {
    if (left & 1) product = is_const(*x.graph, product) ? square : product * square;
  }
  return product;
}

// How many bits |y| may have.
int magnitude_bits(Expr y) {
  const Interval b = y.bounds();
  if (b.lo == INT64_MIN || b.hi == INT64_MAX) return 64;
  const auto largest = static_cast<uint64_t>(std::max(std::abs(b.lo), std::abs(b.hi)));
  return static_cast<int>(std::bit_width(largest));
}

Expr product_by_bits(Expr x, Expr y) {
  const int bits = magnitude_bits(y);
  const Expr n = magnitude(y);
  Expr product = x.number(1), square = x;
  for (int k = 0; k < bits; ++k, square = square * square) {
    product = where((n & (uint64_t{1} << k)) != 0, product * square, product);
  }
  return product;
}

}  // namespace

std::optional<Expr> idiv_expansion(Expr x, Expr divisor) {
  if (is_safe_division(x, divisor)) return {};
  return zero_for_zero(divisor, divide_by_nonzero(x, divisor));
}

std::optional<Expr> mod_expansion(Expr x, Expr divisor) {
  if (is_safe_division(x, divisor)) return {};
  return zero_for_zero(divisor, remainder_by_nonzero(x, divisor));
}

std::optional<Expr> shl_expansion(Expr x, Expr count) {
  const int width = x.dtype().bits();
  if (is_safe_shift(count, width)) return {};
  return where(is_within(count, width), x << (count & (width - 1)), 0);
}

std::optional<Expr> shr_expansion(Expr x, Expr count) {
  const int width = x.dtype().bits();
  if (is_safe_shift(count, width)) return {};
  const Expr low_bits = count & (width - 1), is_valid = is_within(count, width);
  if (x.bounds().lo >= 0) return where(is_valid, x >> low_bits, 0);
  return x >> where(is_valid, low_bits, width - 1);  // nothing but copies of the sign is left
}

Expr integer_pow_expansion(Expr x, Expr y) {
  if (x.dtype().is_bool()) return x | ~y;
  const Expr power =
      y.bounds().is_point() ? repeated_product(x, y.bounds().lo) : product_by_bits(x, y);
  if (y.bounds().lo >= 0) return power;
  return where((y < 0) & (x != 1) & (x != -1), 0, power);
}

}  // namespace loom
