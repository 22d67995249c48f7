// The data types of tensors, and which of them stands for a C++ type.
#pragma once
#include <concepts>
#include <type_traits>

#include "ir/dtype.h"

namespace loom {

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
