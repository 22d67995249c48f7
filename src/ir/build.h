// Small constructors for nodes, used by every room above. They infer dtypes and fold nothing:
// simplification is the business of rule tables.
#pragma once
#include "ir/graph.h"

namespace loom {

/// Constant of an integer, bool or index type; the value wraps to the type's width.
/// For a float type the value is converted.
Id constant(Graph& g, DType dtype, int64_t value);
/// Constant of a float type, rounded to it. For an integer type the value is truncated.
Id constant(Graph& g, DType dtype, double value);
inline Id constant(Graph& g, DType dtype, int value) { return constant(g, dtype, int64_t{value}); }
inline Id index_const(Graph& g, int64_t value) { return constant(g, kIndex, value); }
inline Id bool_const(Graph& g, bool value) { return constant(g, kBool, int64_t{value}); }

inline bool is_const(const Graph& g, Id id) { return g.op(id) == Op::kConst; }
/// Value of an integer constant; `is_const(id)` must hold.
inline int64_t int_value(const Graph& g, Id id) { return g.arg(id); }
/// Value of a float constant; `is_const(id)` must hold.
inline double float_value(const Graph& g, Id id) { return std::bit_cast<double>(g.arg(id)); }
/// Is it the constant `value`, whatever its type (-0.0 is not 0)?
bool is_const_value(const Graph& g, Id id, int64_t value);

/// ALU nodes: dtype and lanes from the sources, comparisons give bool. Sources of different lane
/// counts: the scalar one is broadcast by VECTORIZE.
Id unary(Graph& g, Op op, Id x);
Id binary(Graph& g, Op op, Id x, Id y);
Id where(Graph& g, Id condition, Id x, Id y);
Id muladd(Graph& g, Id a, Id b, Id c);
Id cast(Graph& g, Id x, DType dtype);  // no node when x has the type already; keeps x's lanes
Id bitcast(Graph& g, Id x, DType dtype);
Id broadcast(Graph& g, Id x, int lanes);  // no node for one lane
inline Id add(Graph& g, Id x, Id y) { return binary(g, Op::kAdd, x, y); }
inline Id mul(Graph& g, Id x, Id y) { return binary(g, Op::kMul, x, y); }
inline Id logical_and(Graph& g, Id x, Id y) { return binary(g, Op::kAnd, x, y); }
/// x XOR true.
Id logical_not(Graph& g, Id x);

inline Id range(Graph& g, Id size, int64_t axis, AxisType type) {
  return g.add(Op::kRange, kIndex, {size}, range_arg(axis, type));
}
/// Id of `size` constant wrapped for convenience.
Id range(Graph& g, int64_t size, int64_t axis, AxisType type);
inline Id range(Graph& g, int size, int64_t axis, AxisType type) {
  return range(g, int64_t{size}, axis, type);
}

/// Kernel-level memory: `buffer` is PARAM, DEFINE_LOCAL, DEFINE_REG or AFTER of one of them.
Id index(Graph& g, Id buffer, Id offset, Id gate = 0);
Id load(Graph& g, Id index, Id alternative = 0);
Id store(Graph& g, Id index, Id value);
Id reduce(Graph& g, Op op, Id value, std::span<const Id> ranges);

/// The value a reduction with `op` starts from: 0, 1, the lowest value (MAX), false/true.
Id identity_element(Graph& g, Op op, DType dtype);

/// Tensor-level dimensions as numbers: the constant, or the upper bound of a symbolic dimension.
std::vector<int64_t> shape_values(const Graph& g, Id id);

}  // namespace loom
