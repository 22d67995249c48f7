// The one table of ops. What an op may look like at each stage is said by the verifier (verify.h).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace loom {

// clang-format off: a table, one op per line with its sources and argument.
enum class Op : uint8_t {
  kNone,
  // Leaves.
  kConst,        // arg: value bits (integers as int64, floats as the bits of a double)
  kBuffer,       // (size, device) arg: slot           a flat device buffer, owned elsewhere
  kParam,        // (size) arg: slot                   the same inside a kernel: its slot-th argument
  kDefineLocal,  // (size) arg: id                     memory shared by a work-group / packed panel
  kDefineReg,    // (size) arg: id                     registers: an accumulator
  kVariable,     // (min, max) arg: name               an integer bound at launch
  kBind,         // (variable, const)
  kDevice,       // arg: name
  kRange,        // (size) arg: range_arg(axis, type)  a loop index, 0 <= r < size
  kSpecial,      // (size) arg: special_arg(kind, dim) a launch index
  kLanes,        // dtype index x n: the vector <0, 1, .., n-1>
  // Views: only on tensors; dimensions are index-typed sources.
  kReshape,      // (x, dims...)
  kPermute,      // (x) arg: ints, output axis i is input axis arg[i]
  kExpand,       // (x, dims...)                       axes of size 1 become dims[i]
  kPad,          // (x, before..., after...)           with zeros
  kShrink,       // (x, begin..., size...)
  kFlip,         // (x) arg: bit mask of axes
  // Data movement and memory.
  kContiguous,   // (x)                                x gets its own buffer
  kCopy,         // (x, device)
  kStage,        // (value, ranges...) arg: stage_arg
  kIndex,        // tensors: (x, one index tensor per axis); kernels: (buffer, flat index[, gate])
  kLoad,         // (index[, alternative])             the alternative is read where the gate is false
  kStore,        // tensors: (target view, value); kernels: (index, value)
  kAfter,        // (x, effects...)                    x once the effects have happened
  kEnd,          // (effect, ranges...)                closes loops
  kGroup,        // (effects...)                       joins effects, in no order
  kIf,           // (condition), linear form only; closed by kEndIf
  kEndIf,        // (if)
  kBarrier,      // (effects...)
  // Vectors.
  kVectorize,    // (scalar) broadcast, or (one scalar per lane)
  kLane,         // (vector) arg: lane number
  // Reductions and matrix units.
  kReduce,       // tensors: (x) arg: ints op, axes...; kernels: (value, ranges...) arg: ints op
  kWmma,         // (a, b, c) arg: ints
  // Conversions.
  kCast,         // value conversion: saturating float -> int, NaN -> 0
  kBitcast,
  // Unary ALU.
  kExp2, kLog2, kSin, kSqrt, kRecip, kNeg, kTrunc,
  // Binary ALU. IDIV floors and MOD has the sign of the divisor; x/0 = x%0 = 0.
  kAdd, kSub, kMul, kIDiv, kMod, kFDiv, kMax, kCmpLt, kCmpNe, kCmpEq, kAnd, kOr, kXor, kShl, kShr,
  kThreefry, kPow,
  // Ternary ALU.
  kWhere,        // (condition, x, y)
  kMulAcc,       // (a, b, c) = a * b + c, rounded once
  // Programs.
  kTuple,        // (values...)
  kGetTuple,     // (tuple) arg: position
  kKernel,       // (sink)                             a kernel body over PARAMs; arg: text name or 0
  kCall,         // (kernel | copy | program, buffers..., bound variables...)
  kLinear,       // (items...)                         an ordered list
  kProgram,      // (linear) arg: text
  kSink,         // (effects or tensors...)
  kCustom,       // (sources...) arg: text             a call by name of something the IR cannot say
  kCount,
};
// clang-format on
inline constexpr int kOpCount = static_cast<int>(Op::kCount);

/// How a node's 64-bit argument is to be read.
enum class ArgKind : uint8_t { kNone, kInt, kConst, kInts, kText, kRange, kSpecial, kStage };

/// How a node's dtype follows from its sources.
enum class DTypeRule : uint8_t { kGiven, kVoid, kSame, kBool, kIndex };

enum OpFlag : uint16_t {
  kFlagLeaf = 1,
  kFlagView = 2,
  kFlagUnary = 4,
  kFlagBinary = 8,
  kFlagTernary = 16,
  kFlagCommutes = 32,
  kFlagEffect = 64,
  kFlagAssociative = 128,
  kFlagProgram = 256,
};

struct OpInfo {
  Op op;
  std::string_view name;    // as printed in the text form: "ADD"
  int8_t min_src, max_src;  // max_src -1: any number
  ArgKind arg;
  DTypeRule dtype;
  uint16_t flags;
};

const OpInfo& info(Op op);
inline std::string_view name(Op op) { return info(op).name; }
/// Inverse of `name(Op)`; Op::kNone when there is no such op.
Op op_from_name(std::string_view text);

constexpr bool is_unary(Op op) { return op >= Op::kExp2 && op <= Op::kTrunc; }
constexpr bool is_binary(Op op) { return op >= Op::kAdd && op <= Op::kPow; }
constexpr bool is_ternary(Op op) { return op == Op::kWhere || op == Op::kMulAcc; }
constexpr bool is_alu(Op op) { return op >= Op::kExp2 && op <= Op::kMulAcc; }
/// ALU, CAST and BITCAST: computes each element of its result from the same element of its sources.
constexpr bool is_elementwise(Op op) { return op >= Op::kCast && op <= Op::kMulAcc; }
constexpr bool is_view(Op op) { return op >= Op::kReshape && op <= Op::kFlip; }
constexpr bool is_comparison(Op op) { return op >= Op::kCmpLt && op <= Op::kCmpEq; }
constexpr bool is_commutative(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kMax || op == Op::kAnd || op == Op::kOr ||
         op == Op::kXor || op == Op::kCmpNe || op == Op::kCmpEq;
}

/// What a RANGE is for; see HOUSE vocabulary. `kVector` ranges become the lanes of vector values.
enum class AxisType : uint8_t {
  kLoop,
  kGlobal,
  kLocal,
  kWarp,
  kThread,
  kUpcast,
  kVector,
  kUnroll,
  kReduce,
  kGroupReduce,
  kFold,
  kOuter,
  kDevice,
};
std::string_view name(AxisType type);

constexpr int64_t range_arg(int64_t axis, AxisType type) {
  return axis << 8 | static_cast<int64_t>(type);
}
constexpr int64_t range_axis(int64_t arg) { return arg >> 8; }
constexpr AxisType range_type(int64_t arg) { return static_cast<AxisType>(arg & 0xff); }
/// Ranges that an accumulator runs over.
constexpr bool is_reduce_axis(AxisType t) {
  return t == AxisType::kReduce || t == AxisType::kUnroll || t == AxisType::kGroupReduce ||
         t == AxisType::kFold;
}

enum class SpecialKind : uint8_t { kGroupId, kLocalId, kThreadId };
constexpr int64_t special_arg(SpecialKind kind, int dim) {
  return int64_t{dim} << 8 | static_cast<int64_t>(kind);
}
constexpr SpecialKind special_kind(int64_t arg) { return static_cast<SpecialKind>(arg & 0xff); }
constexpr int special_dim(int64_t arg) { return static_cast<int>(arg >> 8); }

enum class AddrSpace : uint8_t { kGlobal, kLocal, kReg };
constexpr int64_t stage_arg(AddrSpace space, bool removable) {
  return static_cast<int64_t>(space) | int64_t{removable} << 8;
}

}  // namespace loom
