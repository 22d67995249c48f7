// What every elementwise op means, exactly: the definition that rules, renderers and devices are
// tested against.
//
// Integers wrap at their width. IDIV floors, MOD has the sign of the divisor, x/0 = x%0 = 0. Shifts
// by the width or more (a negative count is one) give 0, or -1 for SHR of a negative number. MAX of
// a NaN is NaN, MAX(-0, +0) is +0. float32 and float64 operations round once, to their own type;
// float16 and bfloat16 compute in float32 and round its result once. On bool, arithmetic counts any
// result but 0 as true (ADD is OR, MUL is AND, SUB is XOR). CAST: float -> int truncates, saturates
// and maps NaN to 0; int -> float rounds to nearest even; int -> int wraps; to bool: is it not 0?
// (NaN is true).
#pragma once
#include <bit>
#include <cstdint>
#include <span>

#include "ir/dtype.h"
#include "ir/op.h"

namespace loom {

/// One scalar, in the form of a CONST's argument: integers and bool as int64 (uint64 by its bits),
/// floats of every width as the bits of a double.
struct Value {
  int64_t bits = 0;

  constexpr bool operator==(const Value&) const = default;
  static constexpr Value of_int(int64_t value) { return {value}; }
  static constexpr Value of_float(double value) { return {std::bit_cast<int64_t>(value)}; }
  constexpr int64_t as_int() const { return bits; }
  constexpr double as_float() const { return std::bit_cast<double>(bits); }
};

/// Does the ALU op, CAST or BITCAST exist for sources of this type (for WHERE: a choice of this
/// type)?
bool is_defined(Op op, DType operand);

/// Result of an ALU op, CAST or BITCAST on one lane. `operand` is the type of the first source (of
/// the second one for WHERE). Throws InternalError for an op that the type does not have, like SHL
/// of floats.
Value evaluate(Op op, DType result, DType operand, std::span<const Value> src);

/// The value converted to `to` as CAST does.
Value convert(DType to, DType from, Value value);

/// The bits that the value has in memory, in the low `dtype.bits()` bits, and back. NaNs keep their
/// payload.
uint64_t memory_bits(DType dtype, Value value);
Value from_memory_bits(DType dtype, uint64_t bits);

/// Threefry-2x32 with 20 rounds, as in "Parallel random numbers: as easy as 1, 2, 3" (Salmon et
/// al., 2011). The low half of each word comes first.
uint64_t threefry2x32(uint64_t counter, uint64_t key);

}  // namespace loom
