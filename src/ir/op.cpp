#include "ir/op.h"

#include <algorithm>

namespace loom {
namespace {

constexpr int8_t kAny = -1;
constexpr uint16_t kBinaryArithmetic = kFlagBinary | kFlagCommutes | kFlagAssociative;

// In the order of the enum; `table_is_in_order` holds us to it.
constexpr std::array<OpInfo, kOpCount> kTable = {{
    {Op::kNone, "NONE", 0, 0, ArgKind::kNone, DTypeRule::kVoid, 0},
    // Leaves.
    {Op::kConst, "CONST", 0, 0, ArgKind::kConst, DTypeRule::kGiven, kFlagLeaf},
    {Op::kBuffer, "BUFFER", 1, 2, ArgKind::kInt, DTypeRule::kGiven, kFlagLeaf},
    {Op::kParam, "PARAM", 1, 1, ArgKind::kInt, DTypeRule::kGiven, kFlagLeaf},
    {Op::kDefineLocal, "DEFINE_LOCAL", 1, 1, ArgKind::kInt, DTypeRule::kGiven, kFlagLeaf},
    {Op::kDefineReg, "DEFINE_REG", 1, 1, ArgKind::kInt, DTypeRule::kGiven, kFlagLeaf},
    {Op::kVariable, "VARIABLE", 2, 2, ArgKind::kText, DTypeRule::kGiven, kFlagLeaf},
    {Op::kBind, "BIND", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagLeaf},
    {Op::kDevice, "DEVICE", 0, 0, ArgKind::kText, DTypeRule::kVoid, kFlagLeaf},
    {Op::kRange, "RANGE", 1, 1, ArgKind::kRange, DTypeRule::kGiven, kFlagLeaf},
    {Op::kSpecial, "SPECIAL", 1, 1, ArgKind::kSpecial, DTypeRule::kGiven, kFlagLeaf},
    {Op::kLanes, "LANES", 0, 0, ArgKind::kNone, DTypeRule::kGiven, kFlagLeaf},
    // Views.
    {Op::kReshape, "RESHAPE", 1, kAny, ArgKind::kNone, DTypeRule::kSame, kFlagView},
    {Op::kPermute, "PERMUTE", 1, 1, ArgKind::kInts, DTypeRule::kSame, kFlagView},
    {Op::kExpand, "EXPAND", 1, kAny, ArgKind::kNone, DTypeRule::kSame, kFlagView},
    {Op::kPad, "PAD", 1, kAny, ArgKind::kNone, DTypeRule::kSame, kFlagView},
    {Op::kShrink, "SHRINK", 1, kAny, ArgKind::kNone, DTypeRule::kSame, kFlagView},
    {Op::kFlip, "FLIP", 1, 1, ArgKind::kInt, DTypeRule::kSame, kFlagView},
    // Data movement and memory.
    {Op::kContiguous, "CONTIGUOUS", 1, 1, ArgKind::kNone, DTypeRule::kSame, 0},
    {Op::kCopy, "COPY", 2, 2, ArgKind::kNone, DTypeRule::kSame, 0},
    {Op::kStage, "STAGE", 1, kAny, ArgKind::kStage, DTypeRule::kSame, 0},
    {Op::kIndex, "INDEX", 1, kAny, ArgKind::kNone, DTypeRule::kSame, 0},
    {Op::kLoad, "LOAD", 1, 2, ArgKind::kNone, DTypeRule::kGiven, 0},
    {Op::kStore, "STORE", 2, 2, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    {Op::kAfter, "AFTER", 1, kAny, ArgKind::kNone, DTypeRule::kSame, 0},
    {Op::kEnd, "END", 1, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    {Op::kGroup, "GROUP", 0, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    {Op::kIf, "IF", 1, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    {Op::kEndIf, "ENDIF", 1, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    {Op::kBarrier, "BARRIER", 0, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagEffect},
    // Vectors.
    {Op::kVectorize, "VECTORIZE", 1, kAny, ArgKind::kNone, DTypeRule::kGiven, 0},
    {Op::kLane, "LANE", 1, 1, ArgKind::kInt, DTypeRule::kGiven, 0},
    // Reductions and matrix units.
    {Op::kReduce, "REDUCE", 1, kAny, ArgKind::kInts, DTypeRule::kSame, 0},
    {Op::kWmma, "WMMA", 3, 3, ArgKind::kInts, DTypeRule::kGiven, 0},
    // Conversions.
    {Op::kCast, "CAST", 1, 1, ArgKind::kNone, DTypeRule::kGiven, 0},
    {Op::kBitcast, "BITCAST", 1, 1, ArgKind::kNone, DTypeRule::kGiven, 0},
    // Unary ALU.
    {Op::kExp2, "EXP2", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kLog2, "LOG2", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kSin, "SIN", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kSqrt, "SQRT", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kRecip, "RECIP", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kNeg, "NEG", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    {Op::kTrunc, "TRUNC", 1, 1, ArgKind::kNone, DTypeRule::kSame, kFlagUnary},
    // Binary ALU. Addition and multiplication are associative for integers only.
    {Op::kAdd, "ADD", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kSub, "SUB", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kMul, "MUL", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kIDiv, "IDIV", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kMod, "MOD", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kFDiv, "FDIV", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kMax, "MAX", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kCmpLt, "CMPLT", 2, 2, ArgKind::kNone, DTypeRule::kBool, kFlagBinary},
    {Op::kCmpNe, "CMPNE", 2, 2, ArgKind::kNone, DTypeRule::kBool, kFlagBinary | kFlagCommutes},
    {Op::kCmpEq, "CMPEQ", 2, 2, ArgKind::kNone, DTypeRule::kBool, kFlagBinary | kFlagCommutes},
    {Op::kAnd, "AND", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kOr, "OR", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kXor, "XOR", 2, 2, ArgKind::kNone, DTypeRule::kSame, kBinaryArithmetic},
    {Op::kShl, "SHL", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kShr, "SHR", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kThreefry, "THREEFRY", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    {Op::kPow, "POW", 2, 2, ArgKind::kNone, DTypeRule::kSame, kFlagBinary},
    // Ternary ALU.
    {Op::kWhere, "WHERE", 3, 3, ArgKind::kNone, DTypeRule::kSame, kFlagTernary},
    {Op::kMulAcc, "MULACC", 3, 3, ArgKind::kNone, DTypeRule::kSame, kFlagTernary},
    // Programs.
    {Op::kTuple, "TUPLE", 0, kAny, ArgKind::kNone, DTypeRule::kVoid, 0},
    {Op::kGetTuple, "GETTUPLE", 1, 1, ArgKind::kInt, DTypeRule::kGiven, 0},
    {Op::kKernel, "KERNEL", 1, 1, ArgKind::kText, DTypeRule::kVoid, kFlagProgram},
    {Op::kCall, "CALL", 1, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagProgram | kFlagEffect},
    {Op::kLinear, "LINEAR", 0, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagProgram},
    {Op::kProgram, "PROGRAM", 1, kAny, ArgKind::kText, DTypeRule::kVoid, kFlagProgram},
    {Op::kSink, "SINK", 0, kAny, ArgKind::kNone, DTypeRule::kVoid, kFlagProgram},
    {Op::kCustom, "CUSTOM", 0, kAny, ArgKind::kText, DTypeRule::kGiven, 0},
}};

constexpr bool table_is_in_order() {
  for (int i = 0; i < kOpCount; i++) {
    if (kTable[i].op != static_cast<Op>(i)) return false;
    const bool commutes = (kTable[i].flags & kFlagCommutes) != 0;
    if (commutes != is_commutative(kTable[i].op)) return false;
  }
  return true;
}
static_assert(table_is_in_order());

constexpr std::array<std::string_view, 13> kAxisNames = {
    "LOOP",   "GLOBAL", "LOCAL",        "WARP", "THREAD", "UPCAST", "VECTOR",
    "UNROLL", "REDUCE", "GROUP_REDUCE", "FOLD", "OUTER",  "DEVICE"};
static_assert(static_cast<size_t>(AxisType::kDevice) + 1 == kAxisNames.size());

}  // namespace

const OpInfo& info(Op op) { return kTable[static_cast<size_t>(op)]; }

Op op_from_name(std::string_view text) {
  const auto found = std::find_if(kTable.begin() + 1, kTable.end(),
                                  [&](const OpInfo& entry) { return entry.name == text; });
  return found == kTable.end() ? Op::kNone : found->op;
}

std::string_view name(AxisType type) { return kAxisNames[static_cast<size_t>(type)]; }

}  // namespace loom
