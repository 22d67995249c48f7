#include "ir/build.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace loom {
namespace {

Id float_const(Graph& g, DType dtype, double value) {
  // One NaN only: constants are compared by their bits.
  const double rounded =
      std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : round_to(dtype, value);
  return g.add(Op::kConst, dtype, {}, std::bit_cast<int64_t>(rounded));
}

// `value` with its fraction cut off, as an integer; NaN is 0 and what does not fit saturates.
int64_t truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return INT64_MAX;
  return value < -0x1p63 ? INT64_MIN : static_cast<int64_t>(value);
}

int common_lanes(const Graph& g, std::initializer_list<Id> sources) {
  int lanes = 1;
  for (Id source : sources) lanes = std::max<int>(lanes, g.dtype(source).lanes);
  return lanes;
}

}  // namespace

Id constant(Graph& g, DType dtype, int64_t value) {
  if (dtype.lanes > 1) return broadcast(g, constant(g, dtype.element(), value), dtype.lanes);
  if (!dtype.is_float()) return g.add(Op::kConst, dtype, {}, wrap_to(dtype, value));
  return float_const(g, dtype, float_from_int(dtype, value));
}

Id constant(Graph& g, DType dtype, double value) {
  if (dtype.lanes > 1) return broadcast(g, constant(g, dtype.element(), value), dtype.lanes);
  if (dtype.is_float()) return float_const(g, dtype, value);
  return constant(g, dtype, dtype.is_bool() ? int64_t{value != 0} : truncated(value));
}

bool is_const_value(const Graph& g, Id id, int64_t value) {
  if (!is_const(g, id)) return false;
  if (!g.dtype(id).is_float()) return int_value(g, id) == value;
  return g.arg(id) == std::bit_cast<int64_t>(static_cast<double>(value));
}

Id unary(Graph& g, Op op, Id x) { return g.add(op, g.dtype(x), {x}); }

Id binary(Graph& g, Op op, Id x, Id y) {
  const int lanes = common_lanes(g, {x, y});
  x = broadcast(g, x, lanes);
  y = broadcast(g, y, lanes);
  return g.add(op, is_comparison(op) ? kBool.vec(lanes) : g.dtype(x), {x, y});
}

Id where(Graph& g, Id condition, Id x, Id y) {
  const int lanes = common_lanes(g, {condition, x, y});
  condition = broadcast(g, condition, lanes);
  x = broadcast(g, x, lanes);
  y = broadcast(g, y, lanes);
  return g.add(Op::kWhere, g.dtype(x), {condition, x, y});
}

Id muladd(Graph& g, Id a, Id b, Id c) {
  const int lanes = common_lanes(g, {a, b, c});
  a = broadcast(g, a, lanes);
  b = broadcast(g, b, lanes);
  c = broadcast(g, c, lanes);
  return g.add(Op::kMulAcc, g.dtype(a), {a, b, c});
}

Id cast(Graph& g, Id x, DType dtype) {
  const DType from = g.dtype(x);
  return from.scalar == dtype.scalar ? x : g.add(Op::kCast, dtype.vec(from.lanes), {x});
}

Id bitcast(Graph& g, Id x, DType dtype) {
  const DType from = g.dtype(x);
  return from.scalar == dtype.scalar ? x : g.add(Op::kBitcast, dtype.vec(from.lanes), {x});
}

Id broadcast(Graph& g, Id x, int lanes) {
  const DType dtype = g.dtype(x);
  if (dtype.lanes == lanes) return x;
  require(dtype.lanes == 1, "a value of ", dtype.lanes, " lanes cannot become one of ", lanes);
  return g.add(Op::kVectorize, dtype.vec(lanes), {x});
}

Id logical_not(Graph& g, Id x) { return binary(g, Op::kXor, x, bool_const(g, true)); }

Id range(Graph& g, int64_t size, int64_t axis, AxisType type) {
  return range(g, index_const(g, size), axis, type);
}

Id index(Graph& g, Id buffer, Id offset, Id gate) {
  const DType dtype = g.dtype(buffer);
  return gate == 0 ? g.add(Op::kIndex, dtype, {buffer, offset})
                   : g.add(Op::kIndex, dtype, {buffer, offset, gate});
}

Id load(Graph& g, Id index, Id alternative) {
  const DType dtype = g.dtype(index);
  return alternative == 0 ? g.add(Op::kLoad, dtype, {index})
                          : g.add(Op::kLoad, dtype, {index, alternative});
}

Id store(Graph& g, Id index, Id value) { return g.add(Op::kStore, kVoid, {index, value}); }

Id reduce(Graph& g, Op op, Id value, std::span<const Id> ranges) {
  std::vector<Id> src{value};
  src.insert(src.end(), ranges.begin(), ranges.end());
  return g.add(Op::kReduce, g.dtype(value), src, g.ints({static_cast<int64_t>(op)}));
}

Id identity_element(Graph& g, Op op, DType dtype) {
  switch (op) {
    case Op::kAdd:
    case Op::kOr:
    case Op::kXor: return constant(g, dtype, 0);
    case Op::kMul: return constant(g, dtype, 1);
    case Op::kAnd: return constant(g, dtype, -1);
    case Op::kMax:
      if (dtype.is_float()) return constant(g, dtype, -std::numeric_limits<double>::infinity());
      return constant(g, dtype, dtype.min_value());
    default: fail<InternalError>("a reduction with ", name(op), " has no identity element");
  }
}

std::vector<int64_t> shape_values(const Graph& g, Id id) {
  std::vector<int64_t> values;
  for (Id dim : g.shape(id)) values.push_back(g.bounds(dim).hi);
  return values;
}

}  // namespace loom
