#include "rewrite/pattern_build.h"

#include "base/error.h"
#include "rewrite/pattern.h"

namespace loom::pattern {

Value constant_value(DType dtype, int64_t number) {
  if (dtype.is_float()) return Value::of_float(float_from_int(dtype, number));
  return Value::of_int(wrap_to(dtype, number));
}

Value constant_value(DType dtype, double number) {
  require(dtype.is_float(), "a rule asks for the number ", number, " in ", name(dtype));
  return Value::of_float(round_to(dtype, number));
}

Id constant_of(Graph& g, DType dtype, Value value) {
  if (dtype.is_float()) return constant(g, dtype, value.as_float());
  return constant(g, dtype, value.as_int());
}

namespace {

DType result_dtype(const Graph& g, Op op, DType wanted, std::span<const Id> src) {
  switch (info(op).dtype) {
    case DTypeRule::kVoid: return kVoid;
    case DTypeRule::kIndex: return kIndex;
    case DTypeRule::kSame: return g.dtype(src[0]);
    default: return wanted;
  }
}

}  // namespace

Id build_node(const Match& m, Op op, DType wanted, std::span<const Id> src) {
  Graph& g = m.graph();
  int64_t arg = 0;
  if (info(op).arg != ArgKind::kNone) {
    require(g.op(m.root()) == op, "a rule on ", name(g.op(m.root())), " builds ", name(op),
            ", but does not say its argument");
    arg = g.arg(m.root());
  }
  return g.add(op, result_dtype(g, op, wanted, src), src, arg);
}

Id build_like(Graph& g, Id model, std::span<const Id> src) {
  const Node node = g[model];
  if (is_comparison(node.op))
    return g.add(node.op, kBool.vec(g.dtype(src[0]).lanes), src, node.arg);
  if (is_alu(node.op)) return g.add(node.op, g.dtype(src.back()), src, node.arg);
  return g.add(node.op, result_dtype(g, node.op, node.dtype(), src), src, node.arg);
}

}  // namespace loom::pattern
