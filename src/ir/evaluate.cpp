#include "ir/evaluate.h"

#include <array>
#include <cmath>

#include "base/error.h"

namespace loom {
namespace {

[[noreturn]] void no_such_op(Op op, DType dtype) {
  fail<InternalError>(name(op), " is not defined on ", name(dtype));
}

// --- Integers. Values of types narrower than 64 bits are exact in int64, so only uint64 needs
// unsigned operations. ---

int64_t floor_divide(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<int64_t>(-static_cast<uint64_t>(a));  // INT64_MIN wraps to itself
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t floor_modulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

// A negative power is 1 / x^n with its fraction cut off: 0 but for 1 and -1.
int64_t signed_power(int64_t base, int64_t exponent) {
  if (exponent < 0 && base != 1 && base != -1) return 0;
  const auto magnitude =
      exponent < 0 ? -static_cast<uint64_t>(exponent) : static_cast<uint64_t>(exponent);
  return static_cast<int64_t>(power(static_cast<uint64_t>(base), magnitude));
}

bool is_uint64(DType dtype) { return dtype.scalar == Scalar::kUInt64; }

int64_t shift_right(DType dtype, int64_t value, uint64_t count) {
  if (is_uint64(dtype))
    return count < 64 ? static_cast<int64_t>(static_cast<uint64_t>(value) >> count) : 0;
  return value >> (count < 64 ? count : 63);
}

// Ops in which unsigned 64-bit numbers differ from signed ones.
int64_t uint64_alu(Op op, uint64_t a, uint64_t b) {
  switch (op) {
    case Op::kIDiv: return static_cast<int64_t>(b == 0 ? 0 : a / b);
    case Op::kMod: return static_cast<int64_t>(b == 0 ? 0 : a % b);
    case Op::kMax: return static_cast<int64_t>(a > b ? a : b);
    default: return static_cast<int64_t>(power(a, b));
  }
}

int64_t signed_alu(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::kIDiv: return floor_divide(a, b);
    case Op::kMod: return floor_modulo(a, b);
    case Op::kMax: return a > b ? a : b;
    default: return signed_power(a, b);
  }
}

// The result before it wraps to the type's width.
int64_t integer_alu(Op op, DType dtype, int64_t x, int64_t y, int64_t z) {
  const auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y),
             c = static_cast<uint64_t>(z);
  switch (op) {
    case Op::kNeg: return static_cast<int64_t>(-a);
    case Op::kTrunc: return x;
    case Op::kAdd: return static_cast<int64_t>(a + b);
    case Op::kSub: return static_cast<int64_t>(a - b);
    case Op::kMul: return static_cast<int64_t>(a * b);
    case Op::kMulAcc: return static_cast<int64_t>(a * b + c);
    case Op::kAnd: return x & y;
    case Op::kOr: return x | y;
    case Op::kXor: return x ^ y;
    case Op::kShl:
      return b < static_cast<uint64_t>(dtype.bits()) ? static_cast<int64_t>(a << b) : 0;
    case Op::kShr: return shift_right(dtype, x, b);
    case Op::kIDiv:
    case Op::kMod:
    case Op::kMax:
    case Op::kPow: return is_uint64(dtype) ? uint64_alu(op, a, b) : signed_alu(op, x, y);
    case Op::kThreefry: return static_cast<int64_t>(threefry2x32(a, b));
    default: no_such_op(op, dtype);
  }
}

bool compare_ints(Op op, DType dtype, int64_t a, int64_t b) {
  switch (op) {
    case Op::kCmpLt:
      return is_uint64(dtype) ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
    case Op::kCmpNe: return a != b;
    default: return a == b;
  }
}

// --- Floats, computed in T: float for float32 and the half types, double for float64. ---

template <class T>
T float_max(T a, T b) {
  if (std::isnan(a) || a > b) return a;
  if (std::isnan(b) || b > a) return b;
  return std::signbit(a) ? b : a;
}

template <class T>
T float_alu(Op op, DType dtype, T a, T b, T c) {
  switch (op) {
    case Op::kExp2: return std::exp2(a);
    case Op::kLog2: return std::log2(a);
    case Op::kSin: return std::sin(a);
    case Op::kSqrt: return std::sqrt(a);
    case Op::kRecip: return T{1} / a;
    case Op::kNeg: return -a;
    case Op::kTrunc: return std::trunc(a);
    case Op::kAdd: return a + b;
    case Op::kSub: return a - b;
    case Op::kMul: return a * b;
    case Op::kFDiv: return a / b;
    case Op::kMax: return float_max(a, b);
    case Op::kPow: return std::pow(a, b);
    case Op::kMulAcc: return std::fma(a, b, c);
    default: no_such_op(op, dtype);
  }
}

bool compare_floats(Op op, double a, double b) {
  switch (op) {
    case Op::kCmpLt: return a < b;
    case Op::kCmpNe: return a != b;  // true for NaN
    default: return a == b;
  }
}

Value evaluate_float(Op op, DType dtype, std::span<const Value> src) {
  std::array<double, 3> x{};
  for (size_t k = 0; k < src.size(); k++) x[k] = src[k].as_float();
  if (dtype.scalar == Scalar::kFloat64)
    return Value::of_float(float_alu(op, dtype, x[0], x[1], x[2]));
  const auto single = [&](size_t k) { return static_cast<float>(x[k]); };
  return Value::of_float(round_to(dtype, float_alu(op, dtype, single(0), single(1), single(2))));
}

Value evaluate_int(Op op, DType dtype, std::span<const Value> src) {
  std::array<int64_t, 3> x{};
  for (size_t k = 0; k < src.size(); k++) x[k] = src[k].as_int();
  return Value::of_int(wrap_to(dtype, integer_alu(op, dtype, x[0], x[1], x[2])));
}

int64_t saturate(DType to, double value) {
  if (std::isnan(value)) return 0;
  if (is_uint64(to)) {
    if (value >= 0x1p64) return -1;  // the bits of the largest one
    return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  // The smallest value is a power of two, and so exact as a double; the largest may not be.
  if (value <= static_cast<double>(to.min_value())) return to.min_value();
  if (value >= static_cast<double>(to.max_value())) return to.max_value();
  return static_cast<int64_t>(value);
}

double float_of(DType to, DType from, int64_t value) {
  if (!is_uint64(from) || value >= 0) return float_from_int(to, value);
  // Half of it fits int64; the bit that falls off still decides ties.
  const int64_t half =
      static_cast<int64_t>(static_cast<uint64_t>(value) >> 1 | (static_cast<uint64_t>(value) & 1));
  return round_to(to, 2 * float_from_int(to, half));
}

// float32 <-> double without making signalling NaNs quiet, which the processor's own conversion
// does.
double exact_double(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (!std::isnan(value)) return value;
  return std::bit_cast<double>(uint64_t{bits >> 31} << 63 | uint64_t{0x7ff} << 52 |
                               uint64_t{bits & 0x7fffff} << 29);
}

uint32_t float32_bits(double value) {
  if (!std::isnan(value)) return std::bit_cast<uint32_t>(static_cast<float>(value));
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const auto payload = static_cast<uint32_t>(bits >> 29 & 0x7fffff);
  return static_cast<uint32_t>(bits >> 63 << 31) | 0x7f800000 | (payload == 0 ? 0x400000 : payload);
}

bool is_nan(uint32_t float_bits) { return (float_bits & 0x7fffffff) > 0x7f800000; }

// A 16-bit NaN; `quiet` is the payload in place of none, which would make it an infinity.
uint32_t nan_bits(uint32_t sign, uint32_t exponent, uint32_t payload, uint32_t quiet) {
  return sign << 15 | exponent | (payload == 0 ? quiet : payload);
}

}  // namespace

bool is_defined(Op op, DType operand) {
  switch (op) {
    case Op::kExp2:
    case Op::kLog2:
    case Op::kSin:
    case Op::kSqrt:
    case Op::kRecip:
    case Op::kFDiv: return operand.is_float();
    case Op::kIDiv:
    case Op::kMod:
    case Op::kShl:
    case Op::kShr: return operand.is_int();
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: return operand.is_int() || operand.is_bool();
    case Op::kThreefry: return operand.scalar == Scalar::kUInt64;
    default: return is_elementwise(op) && !operand.is_void();
  }
}

Value evaluate(Op op, DType result, DType operand, std::span<const Value> src) {
  if (op == Op::kCast) return convert(result, operand, src[0]);
  if (op == Op::kBitcast) return from_memory_bits(result, memory_bits(operand, src[0]));
  if (op == Op::kWhere) return src[0].bits != 0 ? src[1] : src[2];
  if (is_comparison(op)) {
    const bool holds = operand.is_float()
                           ? compare_floats(op, src[0].as_float(), src[1].as_float())
                           : compare_ints(op, operand, src[0].as_int(), src[1].as_int());
    return Value::of_int(holds);
  }
  require(is_alu(op), name(op), " has no value of its own");
  return operand.is_float() ? evaluate_float(op, operand, src) : evaluate_int(op, operand, src);
}

Value convert(DType to, DType from, Value value) {
  if (from.is_float()) {
    if (to.is_float()) return Value::of_float(round_to(to, value.as_float()));
    return Value::of_int(to.is_bool() ? value.as_float() != 0 : saturate(to, value.as_float()));
  }
  if (to.is_float()) return Value::of_float(float_of(to, from, value.as_int()));
  return Value::of_int(wrap_to(to, value.as_int()));
}

uint64_t memory_bits(DType dtype, Value value) {
  const uint32_t single = dtype.is_float() ? float32_bits(value.as_float()) : 0;
  switch (dtype.scalar) {
    case Scalar::kFloat16:
      if (is_nan(single)) return nan_bits(single >> 31, 0x7c00, single >> 13 & 0x3ff, 0x200);
      return half_from_float(std::bit_cast<float>(single));
    case Scalar::kBFloat16:
      if (is_nan(single)) return nan_bits(single >> 31, 0x7f80, single >> 16 & 0x7f, 0x40);
      return single >> 16;
    case Scalar::kFloat32: return single;
    default: {
      const int width = dtype.bits();
      const auto bits = static_cast<uint64_t>(value.bits);
      return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
    }
  }
}

Value from_memory_bits(DType dtype, uint64_t bits) {
  switch (dtype.scalar) {
    case Scalar::kFloat16:
      return Value::of_float(exact_double(float_from_half(static_cast<uint16_t>(bits))));
    case Scalar::kBFloat16:
      return Value::of_float(exact_double(float_from_bfloat16(static_cast<uint16_t>(bits))));
    case Scalar::kFloat32:
      return Value::of_float(exact_double(std::bit_cast<float>(static_cast<uint32_t>(bits))));
    case Scalar::kFloat64: return {static_cast<int64_t>(bits)};
    default: return Value::of_int(wrap_to(dtype, static_cast<int64_t>(bits)));
  }
}

uint64_t threefry2x32(uint64_t counter, uint64_t key) {
  constexpr std::array<int, 8> kRotations = {13, 15, 26, 6, 17, 29, 16, 24};
  constexpr uint32_t kParity = 0x1BD11BDA;
  const auto key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  const std::array<uint32_t, 3> keys = {key0, key1, key0 ^ key1 ^ kParity};
  uint32_t x = static_cast<uint32_t>(counter) + keys[0];
  uint32_t y = static_cast<uint32_t>(counter >> 32) + keys[1];
  for (uint32_t round = 0; round < 20; round++) {
    x += y;
    y = std::rotl(y, kRotations[round % 8]) ^ x;
    if (round % 4 != 3) continue;
    const uint32_t group =
        round / 4 + 1;  // every fourth round adds the key, turned by one word each time
    x += keys[group % 3];
    y += keys[(group + 1) % 3] + group;
  }
  return uint64_t{y} << 32 | x;
}

}  // namespace loom
