// Data types: a scalar kind and a number of lanes. A lane count above one is a SIMD vector in a
// kernel; tensors have one lane.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace loom {

/// Scalar kinds in promotion order. `kIndex` is an integer that is wide enough for every address;
/// code generation narrows it to int32 or int64 by interval analysis.
enum class Scalar : uint8_t {
  kVoid,
  kBool,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kIndex,
};
inline constexpr int kScalarCount = 15;

struct DType {
  Scalar scalar = Scalar::kVoid;
  uint16_t lanes = 1;

  constexpr bool operator==(const DType&) const = default;
  constexpr DType vec(int n) const { return {scalar, static_cast<uint16_t>(n)}; }
  constexpr DType element() const { return {scalar, 1}; }

  constexpr bool is_void() const { return scalar == Scalar::kVoid; }
  constexpr bool is_bool() const { return scalar == Scalar::kBool; }
  constexpr bool is_float() const {
    return scalar >= Scalar::kFloat16 && scalar <= Scalar::kFloat64;
  }
  constexpr bool is_unsigned() const {
    return scalar == Scalar::kUInt8 || scalar == Scalar::kUInt16 || scalar == Scalar::kUInt32 ||
           scalar == Scalar::kUInt64;
  }
  /// Signed or unsigned integer or index; not bool.
  constexpr bool is_int() const {
    return (scalar >= Scalar::kInt8 && scalar <= Scalar::kUInt64) || scalar == Scalar::kIndex;
  }
  constexpr bool is_signed_int() const { return is_int() && !is_unsigned(); }
  /// Width of one lane in bits; bool is 8 in memory, index is 64.
  constexpr int bits() const {
    constexpr uint8_t kBits[kScalarCount] = {0,  8,  8,  8,  16, 16, 32, 32,
                                             64, 64, 16, 16, 32, 64, 64};
    return kBits[static_cast<int>(scalar)];
  }
  /// Bytes of one element of a buffer with this (scalar) type.
  constexpr int64_t bytes() const { return int64_t{bits()} / 8 * lanes; }
  /// Smallest and largest value of an integer or bool type (uint64 is capped at INT64_MAX).
  constexpr int64_t min_value() const {
    if (!is_signed_int()) return 0;
    return bits() == 64 ? INT64_MIN : -(int64_t{1} << (bits() - 1));
  }
  constexpr int64_t max_value() const {
    if (is_bool()) return 1;
    if (bits() == 64) return INT64_MAX;
    return (int64_t{1} << (bits() - (is_unsigned() ? 0 : 1))) - 1;
  }
};

inline constexpr DType kVoid{Scalar::kVoid}, kBool{Scalar::kBool}, kInt8{Scalar::kInt8},
    kUInt8{Scalar::kUInt8}, kInt16{Scalar::kInt16}, kUInt16{Scalar::kUInt16},
    kInt32{Scalar::kInt32}, kUInt32{Scalar::kUInt32}, kInt64{Scalar::kInt64},
    kUInt64{Scalar::kUInt64}, kFloat16{Scalar::kFloat16}, kBFloat16{Scalar::kBFloat16},
    kFloat32{Scalar::kFloat32}, kFloat64{Scalar::kFloat64}, kIndex{Scalar::kIndex};

/// "float32", or "float32x16" for a vector.
std::string name(DType dtype);
/// Inverse of `name`. Throws UserError with a "did you mean" for an unknown name.
DType dtype_from_name(std::string_view text);

/// The type that a binary operation of `a` and `b` computes in: bool < ints < floats; a signed and
/// an unsigned integer meet in the next wider signed one (uint64 with a signed one: float64),
/// float16 with bfloat16 in float32. See docs/numerics.md.
DType promote(DType a, DType b);

/// C++ types that tensors can be made of and read as.
template <class T>
concept Arithmetic = std::is_arithmetic_v<T> && !std::same_as<std::remove_cv_t<T>, long double>;

/// The dtype that holds values of C++ type T: integers by width and sign.
template <Arithmetic T>
constexpr DType dtype_of() {
  if constexpr (std::same_as<T, bool>) return kBool;
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? kFloat32 : kFloat64;
  constexpr bool kSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1: return kSigned ? kInt8 : kUInt8;
    case 2: return kSigned ? kInt16 : kUInt16;
    case 4: return kSigned ? kInt32 : kUInt32;
    default: return kSigned ? kInt64 : kUInt64;
  }
}

}  // namespace loom
