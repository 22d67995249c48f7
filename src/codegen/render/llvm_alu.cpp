#include "codegen/render/llvm_alu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"

namespace loom {
namespace {

// One instruction per op and kind of operands. In a template $T is the operands' type, $M the same
// as intrinsics spell it, $C the type of a condition, $1 $2 $3 the operands, $0 and $I zero and the
// float one, and $W says "nsw" where interval analysis has proven that a signed integer does not
// wrap. An empty template: there is no such instruction.
struct Instruction {
  std::string_view on_float, on_signed, on_unsigned, on_bool;
};

// clang-format off
constexpr std::array<Instruction, kOpCount> kInstructions = [] {
  std::array<Instruction, kOpCount> table{};
  const auto row = [&table](Op op, std::string_view on_float, std::string_view on_signed,
                            std::string_view on_unsigned, std::string_view on_bool) {
    table[static_cast<int>(op)] = {on_float, on_signed, on_unsigned, on_bool};
  };
  row(Op::kAdd,   "fadd $T $1, $2",     "add $W$T $1, $2",   "add $T $1, $2",     "or $T $1, $2");
  row(Op::kSub,   "fsub $T $1, $2",     "sub $W$T $1, $2",   "sub $T $1, $2",     "xor $T $1, $2");
  row(Op::kMul,   "fmul $T $1, $2",     "mul $W$T $1, $2",   "mul $T $1, $2",     "and $T $1, $2");
  row(Op::kCmpLt, "fcmp olt $T $1, $2", "icmp slt $T $1, $2", "icmp ult $T $1, $2", "icmp ult $T $1, $2");
  row(Op::kCmpNe, "fcmp une $T $1, $2", "icmp ne $T $1, $2", "icmp ne $T $1, $2", "icmp ne $T $1, $2");
  row(Op::kCmpEq, "fcmp oeq $T $1, $2", "icmp eq $T $1, $2", "icmp eq $T $1, $2", "icmp eq $T $1, $2");
  row(Op::kAnd,   "",                   "and $T $1, $2",     "and $T $1, $2",     "and $T $1, $2");
  row(Op::kOr,    "",                   "or $T $1, $2",      "or $T $1, $2",      "or $T $1, $2");
  row(Op::kXor,   "",                   "xor $T $1, $2",     "xor $T $1, $2",     "xor $T $1, $2");
  row(Op::kShl,   "",                   "shl $T $1, $2",     "shl $T $1, $2",     "");
  row(Op::kShr,   "",                   "ashr $T $1, $2",    "lshr $T $1, $2",    "");
  row(Op::kNeg,   "fneg $T $1",         "sub $T $0, $1",     "sub $T $0, $1",     "");
  row(Op::kFDiv,  "fdiv $T $1, $2",     "",                  "",                  "");
  row(Op::kRecip, "fdiv $T $I, $1",     "",                  "",                  "");
  row(Op::kSqrt,  "call $T @llvm.sqrt.$M($T $1)",                  "", "", "");
  row(Op::kTrunc, "call $T @llvm.trunc.$M($T $1)",                 "", "", "");
  row(Op::kMulAcc, "call $T @llvm.fma.$M($T $1, $T $2, $T $3)",    "", "", "");
  row(Op::kMax,   "call $T @llvm.maximum.$M($T $1, $T $2)",
                  "call $T @llvm.smax.$M($T $1, $T $2)",
                  "call $T @llvm.umax.$M($T $1, $T $2)",           "or $T $1, $2");
  constexpr std::string_view kSelect = "select $C $1, $T $2, $T $3";
  row(Op::kWhere, kSelect, kSelect, kSelect, kSelect);
  return table;
}();
// clang-format on

std::string_view instruction(Op op, DType dtype) {
  const Instruction& row = kInstructions[static_cast<int>(op)];
  if (dtype.is_float()) return row.on_float;
  if (dtype.is_bool()) return row.on_bool;
  return dtype.is_unsigned() ? row.on_unsigned : row.on_signed;
}

/// Does int64 hold x op y exactly?
bool is_exact(Op op, int64_t x, int64_t y, int64_t& result) {
  switch (op) {
    case Op::kAdd: return !__builtin_add_overflow(x, y, &result);
    case Op::kSub: return !__builtin_sub_overflow(x, y, &result);
    default: return !__builtin_mul_overflow(x, y, &result);
  }
}

/// Do all values of a signed ADD, SUB or MUL fit its type? The extremes lie at the ends of the
/// operands' intervals.
bool never_wraps(const Graph& g, Id id) {
  const Interval x = g.bounds(g.src(id, 0)), y = g.bounds(g.src(id, 1));
  const DType dtype = g.dtype(id);
  for (int64_t a : {x.lo, x.hi}) {
    for (int64_t b : {y.lo, y.hi}) {
      int64_t result = 0;
      if (!is_exact(g.op(id), a, b, result)) return false;
      if (result < dtype.min_value() || result > dtype.max_value()) return false;
    }
  }
  return true;
}

class Elementwise {
 public:
  Elementwise(LlvmLines& lines, const Graph& g, Id id, std::span<const std::string> operands)
      : lines_(lines), g_(g), id_(id), operands_(operands), type_(llvm_type(operand_dtype())) {}

  std::string write() {
    switch (g_.op(id_)) {
      case Op::kCast: return cast();
      case Op::kBitcast: return bitcast();
      case Op::kIDiv: return divide();
      case Op::kMod: return modulo();
      case Op::kTrunc:
        if (!g_.dtype(id_).is_float()) return operands_[0];
        break;
      case Op::kMulAcc:
        if (!g_.dtype(id_).is_float()) return multiply_add();
        break;
      default: break;
    }
    return lines_.define(from_template());
  }

 private:
  // Comparisons compute in the type of what they compare; a WHERE in that of its result.
  DType operand_dtype() const {
    return g_.op(id_) == Op::kWhere ? g_.dtype(id_) : g_.dtype(g_.src(id_, 0));
  }

  std::string from_template() const {
    const std::string_view text = instruction(g_.op(id_), operand_dtype());
    require(!text.empty(), "LLVM has no instruction for ", name(g_.op(id_)), " of ",
            name(operand_dtype()));
    std::string result;
    for (size_t k = 0; k < text.size(); ++k) {
      if (text[k] == '$')
        result += field(text[++k]);
      else
        result += text[k];
    }
    return result;
  }

  std::string field(char key) const {
    switch (key) {
      case 'T': return type_;
      case 'M': return llvm_mangled(operand_dtype());
      case 'C': return llvm_type(g_.dtype(g_.src(id_, 0)));
      case '0': return "zeroinitializer";
      case 'I': return llvm_one(operand_dtype());
      case 'W': return never_wraps(g_, id_) ? "nsw " : "";
      default: return operands_[key - '1'];
    }
  }

  std::string binary(std::string_view mnemonic, std::string_view x, std::string_view y) {
    return lines_.define(mnemonic, " ", type_, " ", x, ", ", y);
  }

  // On integers the product wraps, so there is nothing to fuse; on bool, + is OR and * is AND.
  std::string multiply_add() {
    const bool is_bool = operand_dtype().is_bool();
    const std::string product = binary(is_bool ? "and" : "mul", operands_[0], operands_[1]);
    return binary(is_bool ? "or" : "add", product, operands_[2]);
  }

  /// Is there no difference between signed and unsigned, truncated and floored division?
  bool is_unsigned_division() const {
    return operand_dtype().is_unsigned() ||
           (g_.bounds(g_.src(id_, 0)).lo >= 0 && g_.bounds(g_.src(id_, 1)).lo >= 0);
  }

  /// Has the truncated quotient to be corrected: is the remainder not zero, of the other sign than
  /// the divisor?
  std::string is_off(const std::string& remainder) {
    const std::string mixed =
        binary("icmp slt", binary("xor", remainder, operands_[1]), "zeroinitializer");
    const std::string inexact = binary("icmp ne", remainder, "zeroinitializer");
    return lines_.define("and ", llvm_type(kBool.vec(g_.dtype(id_).lanes)), " ", mixed, ", ",
                         inexact);
  }

  // LLVM truncates the quotient, our IDIV floors it.
  std::string divide() {
    if (is_unsigned_division()) return binary("udiv", operands_[0], operands_[1]);
    const std::string quotient = binary("sdiv", operands_[0], operands_[1]);
    const std::string off = is_off(binary("srem", operands_[0], operands_[1]));
    const std::string minus_one =
        lines_.define("sext ", llvm_type(kBool.vec(g_.dtype(id_).lanes)), " ", off, " to ", type_);
    return binary("add", quotient, minus_one);
  }

  std::string modulo() {
    if (is_unsigned_division()) return binary("urem", operands_[0], operands_[1]);
    const std::string remainder = binary("srem", operands_[0], operands_[1]);
    const std::string off = is_off(remainder);
    const std::string floored = binary("add", remainder, operands_[1]);
    return lines_.define("select ", llvm_type(kBool.vec(g_.dtype(id_).lanes)), " ", off, ", ",
                         type_, " ", floored, ", ", type_, " ", remainder);
  }

  std::string convert(std::string_view mnemonic) {
    return lines_.define(mnemonic, " ", type_, " ", operands_[0], " to ", llvm_type(g_.dtype(id_)));
  }

  std::string cast() {
    const DType from = operand_dtype(), to = g_.dtype(id_);
    if (to.is_bool())
      return binary(from.is_float() ? "fcmp une" : "icmp ne", operands_[0], "zeroinitializer");
    if (from.is_float() && !to.is_float()) return saturating_cast();
    if (llvm_type(to) == type_) return operands_[0];
    if (from.is_float()) return convert(to.bits() > from.bits() ? "fpext" : "fptrunc");
    if (to.is_float()) return convert(from.is_signed_int() ? "sitofp" : "uitofp");
    if (to.bits() < from.bits()) return convert("trunc");
    return convert(from.is_signed_int() ? "sext" : "zext");
  }

  std::string saturating_cast() {
    const DType from = operand_dtype(), to = g_.dtype(id_);
    if (to.lanes > 1) return saturating_vector_cast(from, to);
    return lines_.define(
        "call ", llvm_type(to), to.is_unsigned() ? " @llvm.fptoui.sat." : " @llvm.fptosi.sat.",
        llvm_mangled(to), ".", llvm_mangled(from), "(", type_, " ", operands_[0], ")");
  }

  // LLVM would take a vector's saturating cast apart. Here the value is clamped first, to the
  // numbers of its own type that the integer has too, and what is above them gets the largest.
  std::string saturating_vector_cast(DType from, DType to) {
    const std::string zero = llvm_constant(from, 0);
    const double limit = std::ldexp(1.0, to.bits() - (to.is_unsigned() ? 0 : 1));
    const double most = std::min(limit - 1, below(from, limit));
    std::string x = choose("ord", operands_[0], operands_[0], operands_[0], zero);
    const std::string lowest = float_constant(from, to.is_unsigned() ? 0 : -limit);
    const std::string highest = float_constant(from, most);
    x = choose("ogt", x, lowest, x, lowest);
    x = choose("olt", x, highest, x, highest);
    const std::string_view mnemonic = to.is_unsigned() ? "fptoui " : "fptosi ";
    const std::string cast = lines_.define(mnemonic, type_, " ", x, " to ", llvm_type(to));
    if (most == limit - 1) return cast;
    const std::string mask = llvm_type(kBool.vec(to.lanes));
    const std::string is_above =
        lines_.define("fcmp ogt ", type_, " ", operands_[0], ", ", highest);
    return lines_.define("select ", mask, " ", is_above, ", ", llvm_type(to), " ",
                         llvm_constant(to, to.is_unsigned() ? -1 : to.max_value()), ", ",
                         llvm_type(to), " ", cast);
  }

  // The number of the float type next below a power of two.
  static double below(DType from, double power) {
    return from.scalar == Scalar::kFloat32 ? std::nextafterf(static_cast<float>(power), 0.0F)
                                           : std::nextafter(power, 0.0);
  }

  static std::string float_constant(DType dtype, double value) {
    return llvm_constant(dtype, std::bit_cast<int64_t>(value));
  }

  std::string choose(std::string_view comparison, const std::string& x, const std::string& y,
                     const std::string& then, const std::string& otherwise) {
    const std::string mask = llvm_type(kBool.vec(g_.dtype(id_).lanes));
    const std::string holds = lines_.define("fcmp ", comparison, " ", type_, " ", x, ", ", y);
    return lines_.define("select ", mask, " ", holds, ", ", type_, " ", then, ", ", type_, " ",
                         otherwise);
  }

  std::string bitcast() {
    const DType from = operand_dtype(), to = g_.dtype(id_);
    if (llvm_type(to) == type_) return operands_[0];
    if (from.is_bool()) return convert("zext");
    if (to.is_bool()) return binary("icmp ne", operands_[0], "zeroinitializer");
    return convert("bitcast");
  }

  LlvmLines& lines_;
  const Graph& g_;
  Id id_;
  std::span<const std::string> operands_;
  std::string type_;
};

}  // namespace

std::string llvm_elementwise(LlvmLines& lines, const Graph& g, Id id,
                             std::span<const std::string> operands) {
  return Elementwise(lines, g, id, operands).write();
}

}  // namespace loom
