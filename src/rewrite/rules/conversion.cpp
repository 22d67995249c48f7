// CAST: from float to integer it saturates, between integers it wraps, to bool it asks for "not 0".
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::n;
using pattern::x;

// Integers up to 2^n are exact in a float type of n significant bits.
int significant_bits(DType dtype) {
  switch (dtype.scalar) {
    case Scalar::kFloat16: return 11;
    case Scalar::kBFloat16: return 8;
    case Scalar::kFloat32: return 24;
    default: return 53;
  }
}

bool is_wider_float(DType from, DType to) {
  if (from.scalar == to.scalar) return true;
  return to.bits() > from.bits();  // float16 and bfloat16 hold values that the other doesn't
}

// Has every value of the node an equal one in `to`?
bool preserves(const Graph& g, Id id, DType to) {
  const DType from = g.dtype(id);
  if (from.is_bool()) return true;
  if (to.is_bool()) return false;
  if (from.is_float()) return to.is_float() && is_wider_float(from, to);
  const Interval bounds = g.bounds(id);
  if (to.is_float()) {
    const int64_t limit = int64_t{1} << significant_bits(to);
    return bounds.within(-limit, limit);
  }
  if (from.scalar == Scalar::kUInt64 && bounds.hi == INT64_MAX) return to.scalar == Scalar::kUInt64;
  return bounds.within(to.min_value(), to.max_value());
}

// Is converting a node to `via` and then to `to` the same as converting it to `to` at once?
bool is_direct(const Graph& g, Id id, DType via, DType to) {
  const DType from = g.dtype(id);
  if (from.is_int() && via.is_int() && to.is_int() && to.bits() <= via.bits()) return true;
  if (!preserves(g, id, via)) return false;
  // A float saturates where an integer wraps.
  const bool is_through_float = !from.is_float() && via.is_float() && to.is_int();
  return !is_through_float || preserves(g, id, to);
}

bool is_own_dtype(Match& m) { return m.graph().dtype(m[x]) == m.dtype(); }
bool is_cast_direct(Match& m) {
  return is_direct(m.graph(), m[x], m.graph().dtype(m[n]), m.dtype());
}

// A comparison of CAST(bool) with a constant: WHERE of its two possible results.
Id compare_both(Match& m) {
  Graph& g = m.graph();
  const Node node = g[m.root()];
  std::array<Id, 2> results;
  for (int k = 0; k < 2; k++) {
    std::array<Id, 2> src = {node.src[0], node.src[1]};
    for (Id& source : src) {
      if (g.op(source) == Op::kCast) source = constant(g, g.dtype(source), k);
    }
    results[k] = g.add(node.op, node.dtype(), src);
  }
  return g.add(Op::kWhere, node.dtype(), {m[x], results[1], results[0]});
}

}  // namespace

const RuleSet& conversion() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"conversion",
          "CAST and BITCAST."},
      cast(x)                                        >> x | when(test<is_own_dtype>),
      cast(n.as(cast(x)))                            >> cast(x) | when(test<is_cast_direct>),
      bools(cast(x))                                 >> (x != lit<0>),
      any_of<kComparisonOps>(cast(bools(x)), c0)     >> call<compare_both>,
      any_of<kComparisonOps>(c0, cast(bools(x)))     >> call<compare_both>,
      bitcast(x)                                     >> x | when(test<is_own_dtype>));
  // clang-format on
  return table;
}

}  // namespace loom
