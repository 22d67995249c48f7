#include "codegen/render/llvm_text.h"

#include <bit>
#include <charconv>

#include "base/error.h"

namespace loom {
namespace {

std::string_view scalar_type(Scalar scalar) {
  constexpr std::string_view kNames[kScalarCount] = {"void", "i1",  "i8",    "i8",     "i16",
                                                     "i16",  "i32", "i32",   "i64",    "i64",
                                                     "half", "i16", "float", "double", "i64"};
  return kNames[static_cast<int>(scalar)];
}

std::string vector_of(std::string_view scalar, int lanes) {
  if (lanes == 1) return std::string(scalar);
  return "<" + std::to_string(lanes) + " x " + std::string(scalar) + ">";
}

std::string hex(uint64_t bits) {
  char digits[16];
  char* end = std::to_chars(digits, digits + sizeof digits, bits, 16).ptr;
  return std::string(digits, end);
}

// LLVM writes float and double alike: the bits of the double, in hexadecimal, exact for both.
std::string scalar_constant(DType dtype, int64_t arg) {
  const double value = std::bit_cast<double>(arg);
  switch (dtype.scalar) {
    case Scalar::kBool: return arg ? "true" : "false";
    case Scalar::kFloat16: return "0xH" + hex(half_from_float(static_cast<float>(value)));
    case Scalar::kBFloat16: return std::to_string(bfloat16_from_float(static_cast<float>(value)));
    case Scalar::kFloat32:
      return "0x" + hex(std::bit_cast<uint64_t>(double{static_cast<float>(value)}));
    case Scalar::kFloat64: return "0x" + hex(std::bit_cast<uint64_t>(value));
    default: return std::to_string(arg);
  }
}

}  // namespace

std::string llvm_type(DType dtype) { return vector_of(scalar_type(dtype.scalar), dtype.lanes); }

std::string llvm_memory_type(DType dtype) {
  return dtype.is_bool() ? vector_of("i8", dtype.lanes) : llvm_type(dtype);
}

std::string llvm_mangled(DType dtype) {
  std::string scalar(scalar_type(dtype.scalar));
  if (dtype.is_float() && dtype.scalar != Scalar::kBFloat16)
    scalar = "f" + std::to_string(dtype.bits());
  return dtype.lanes == 1 ? scalar : "v" + std::to_string(dtype.lanes) + scalar;
}

std::string llvm_constant(DType dtype, int64_t arg) {
  const DType element = dtype.element();
  if (dtype.lanes == 1) return scalar_constant(element, arg);
  return "splat (" + llvm_type(element) + " " + scalar_constant(element, arg) + ")";
}

std::string llvm_one(DType dtype) { return llvm_constant(dtype, std::bit_cast<int64_t>(1.0)); }

}  // namespace loom
