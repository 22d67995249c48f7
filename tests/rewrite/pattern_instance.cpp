#include "tests/rewrite/pattern_instance.h"

#include "ir/build.h"
#include "rewrite/rules/symbolic.h"

namespace loom::testing {
namespace {

bool is_of_kind(DType dtype, std::string_view kind) {
  if (kind == "ints") return dtype.is_int();
  if (kind == "floats") return dtype.is_float();
  if (kind == "bools") return dtype.is_bool();
  return dtype.scalar == Scalar::kIndex;
}

bool has_op(DType dtype, Op op) {
  switch (op) {
    case Op::kExp2:
    case Op::kLog2:
    case Op::kSin:
    case Op::kSqrt:
    case Op::kRecip:
    case Op::kFDiv:
    case Op::kMulAcc: return dtype.is_float();
    case Op::kIDiv:
    case Op::kMod:
    case Op::kShl:
    case Op::kShr: return dtype.is_int();
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: return !dtype.is_float();
    case Op::kNeg:
    case Op::kTrunc:
    case Op::kPow: return !dtype.is_bool();
    case Op::kThreefry: return dtype.scalar == Scalar::kUInt64;
    default: return true;
  }
}

}  // namespace

Id PatternInstance::bind(int slot, DType dtype, const auto& make_node) {
  Id& id = bound_[static_cast<size_t>(slot)];
  if (id == 0) id = make_node();
  return id != 0 && g_.dtype(id) == dtype ? id : 0;
}

Id PatternInstance::make(const PatternTree& tree, DType dtype) {
  switch (tree.kind) {
    case PatternTree::kAny:
      return bind(tree.slot, dtype, [&] {
        const Id id = random_.make(dtype, static_cast<int>(random_.below(3)));
        return random_.one_in(2) ? id : simplify(g_, id);  // many rules wait for normal forms
      });
    case PatternTree::kConstant: {
      const Id id =
          bind(tree.slot, dtype.element(), [&] { return random_.constant(dtype.element()); });
      return id == 0 ? 0 : broadcast(g_, id, dtype.lanes);
    }
    case PatternTree::kLiteral: return literal(tree, dtype);
    case PatternTree::kApply: return apply(tree, dtype);
    case PatternTree::kNamed:
      return bind(tree.slot, dtype, [&] { return make(tree.sources[0], dtype); });
    case PatternTree::kTyped:
      return is_of_kind(dtype, tree.name) ? make(tree.sources[0], dtype) : 0;
    default: return 0;
  }
}

Id PatternInstance::literal(const PatternTree& tree, DType dtype) {
  if (!tree.name.empty())
    return dtype.is_bool() ? constant(g_, dtype, tree.name == "true" ? 1 : 0) : 0;
  const bool is_fraction = tree.value != static_cast<double>(static_cast<int64_t>(tree.value));
  if (!dtype.is_float() && (is_fraction || std::signbit(tree.value) != (tree.value < 0))) return 0;
  if (dtype.is_float()) return constant(g_, dtype, tree.value);
  return constant(g_, dtype, static_cast<int64_t>(tree.value));
}

// The dtype that a source of a node must have; nothing when there is no such node.
std::optional<DType> PatternInstance::operand_dtype(Op op, size_t source, DType dtype) {
  if (is_comparison(op)) {
    if (source == 0) operand_ = random_.any_dtype().element().vec(dtype.lanes);
    return dtype.is_bool() ? std::optional(operand_) : std::nullopt;
  }
  if (op == Op::kWhere && source == 0) return kBool.vec(dtype.lanes);
  if (op == Op::kCast) return random_.any_dtype().element().vec(dtype.lanes);
  if (op == Op::kBitcast) {
    const DType from = random_.any_dtype().element().vec(dtype.lanes);
    return from.bits() == dtype.bits() && !from.is_bool() && !dtype.is_bool() ? std::optional(from)
                                                                              : std::nullopt;
  }
  if (op == Op::kVectorize) return dtype.lanes > 1 ? std::optional(dtype.element()) : std::nullopt;
  if (op == Op::kLane) return dtype.lanes == 1 ? std::optional(dtype.vec(4)) : std::nullopt;
  return is_alu(op) && has_op(dtype, op) ? std::optional(dtype) : std::nullopt;
}

Id PatternInstance::apply(const PatternTree& tree, DType dtype) {
  std::vector<Op> choices;
  for (int i = 1; i < kOpCount; i++) {
    if (tree.ops.has(static_cast<Op>(i))) choices.push_back(static_cast<Op>(i));
  }
  const Op op = choices[random_.below(choices.size())];
  if (op == Op::kLanes) return dtype.element() == kIndex && dtype.lanes > 1 ? g_.add(op, dtype) : 0;
  std::vector<Id> src;
  DType operand;
  for (size_t k = 0; k < tree.sources.size(); k++) {
    const std::optional<DType> wanted = operand_dtype(op, k, dtype);
    if (!wanted) return 0;
    operand = *wanted;
    if (tree.sources[k].kind == PatternTree::kRest) {
      const bool is_one = op != Op::kVectorize || random_.one_in(2);
      const Id first = random_.make(operand, 1);
      for (int i = 0; i < (is_one ? 1 : dtype.lanes); i++) {
        src.push_back(random_.one_in(2) ? first : random_.make(operand, 1));
      }
      continue;
    }
    if (k > 0 && is_comparison(op)) operand = g_.dtype(src[0]);
    const Id id = make(tree.sources[k], operand);
    if (id == 0) return 0;
    src.push_back(id);
  }
  const int64_t arg = op == Op::kLane ? random_.between(0, 3) : 0;
  return g_.add(op, dtype, src, arg);
}

}  // namespace loom::testing
