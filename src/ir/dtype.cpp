#include "ir/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace loom {
namespace {

constexpr std::array<std::string_view, kScalarCount> kNames = {
    "void",  "bool",   "int8",    "uint8",    "int16",   "uint16",  "int32", "uint32",
    "int64", "uint64", "float16", "bfloat16", "float32", "float64", "index"};

// Significant bits, exponent of the smallest subnormal and largest finite value of a float format.
struct FloatFormat {
  int precision;
  int min_exponent;
  double max;
};
constexpr FloatFormat kHalf{11, -24, 65504.0};
constexpr FloatFormat kBrain{8, -133, 0x1.fep127};

double round_to(FloatFormat format, double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent - format.precision, format.min_exponent);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  if (std::abs(rounded) <= format.max) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

Scalar signed_of_bits(int bits) {
  switch (bits) {
    case 8: return Scalar::kInt8;
    case 16: return Scalar::kInt16;
    case 32: return Scalar::kInt32;
    default: return Scalar::kInt64;
  }
}

Scalar promote_ints(DType a, DType b) {
  if (a == kIndex || b == kIndex) return Scalar::kIndex;
  if (a.is_unsigned() == b.is_unsigned()) return a.bits() > b.bits() ? a.scalar : b.scalar;
  const DType& sign = a.is_unsigned() ? b : a;
  const DType& magnitude = a.is_unsigned() ? a : b;
  if (sign.bits() > magnitude.bits()) return sign.scalar;
  return magnitude.bits() == 64 ? Scalar::kFloat64 : signed_of_bits(2 * magnitude.bits());
}

Scalar promote_floats(DType a, DType b) {
  if (a.bits() != b.bits()) return a.bits() > b.bits() ? a.scalar : b.scalar;
  return a == b ? a.scalar : Scalar::kFloat32;
}

}  // namespace

std::string name(DType dtype) {
  std::string text(kNames[static_cast<size_t>(dtype.scalar)]);
  if (dtype.lanes != 1) text += 'x' + std::to_string(dtype.lanes);
  return text;
}

DType dtype_from_name(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); i++) {
    if (!text.starts_with(kNames[i])) continue;
    const DType scalar{static_cast<Scalar>(i), 1};
    const std::string_view rest = text.substr(kNames[i].size());
    if (rest.empty()) return scalar;
    uint16_t lanes = 0;
    const char* end = rest.data() + rest.size();
    if (rest[0] == 'x' && std::from_chars(rest.data() + 1, end, lanes).ptr == end && lanes > 1) {
      return scalar.vec(lanes);
    }
  }
  fail<UserError>("unknown dtype \"", text, '"', did_you_mean(text, kNames));
}

double round_to(DType dtype, double value) {
  switch (dtype.scalar) {
    case Scalar::kFloat16: return round_to(kHalf, value);
    case Scalar::kBFloat16: return round_to(kBrain, value);
    case Scalar::kFloat32: return static_cast<float>(value);
    default: return value;
  }
}

double float_from_int(DType dtype, int64_t value) {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (dtype == kFloat64 || (-kExact <= value && value <= kExact))
    return round_to(dtype, static_cast<double>(value));
  // Too long for a double, which would round it a first time. Fold the low bits into one that only
  // says whether there were any: that decides ties as the low bits do.
  const int64_t sticky = (value & 0x7ff) != 0;
  return round_to(dtype, std::ldexp(static_cast<double>(value >> 11 | sticky), 11));
}

int64_t wrap_to(DType dtype, int64_t value) {
  switch (dtype.scalar) {
    case Scalar::kBool: return value != 0;
    case Scalar::kInt8: return static_cast<int8_t>(value);
    case Scalar::kUInt8: return static_cast<uint8_t>(value);
    case Scalar::kInt16: return static_cast<int16_t>(value);
    case Scalar::kUInt16: return static_cast<uint16_t>(value);
    case Scalar::kInt32: return static_cast<int32_t>(value);
    case Scalar::kUInt32: return static_cast<uint32_t>(value);
    default: return value;
  }
}

float float_from_half(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 0x1f;
  const uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0) {  // zero or subnormal: mantissa units of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t rebiased = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return std::bit_cast<float>(sign | rebiased << 23 | mantissa << 13);
}

uint16_t half_from_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {  // NaN: keep what fits of the payload, always quiet
    return static_cast<uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  }
  if (magnitude >= 0x47800000) return static_cast<uint16_t>(sign | 0x7c00);  // 2^16 and above
  if (magnitude < 0x38800000) {
    // Subnormal as a half. The last place of floats near 0.5 is 2^-24, a half's smallest unit, so
    // the addition rounds to it.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000));
  }
  magnitude -= static_cast<uint32_t>(127 - 15) << 23;
  magnitude += 0xfff + (magnitude >> 13 & 1);  // half a unit, less one bit unless the tie is odd
  return static_cast<uint16_t>(sign | magnitude >> 13);
}

float float_from_bfloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t bfloat16_from_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

DType promote(DType a, DType b) {
  const uint16_t lanes = std::max(a.lanes, b.lanes);
  a = a.element();
  b = b.element();
  if (a == b || b.is_void() || b.is_bool()) return a.vec(lanes);
  if (a.is_void() || a.is_bool()) return b.vec(lanes);
  if (a.is_float() != b.is_float()) return (a.is_float() ? a : b).vec(lanes);
  return {a.is_float() ? promote_floats(a, b) : promote_ints(a, b), lanes};
}

}  // namespace loom
