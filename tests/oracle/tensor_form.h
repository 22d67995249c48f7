// Constructors for tensor form, for tests: as short as the graphs they draw.
#pragma once
#include <numeric>
#include <vector>

#include "ir/build.h"

namespace loom::oracle {

using Dims = std::vector<int64_t>;

inline std::vector<Id> dim_nodes(Graph& g, const Dims& dims) {
  std::vector<Id> ids;
  for (const int64_t dim : dims) ids.push_back(index_const(g, dim));
  return ids;
}

inline int64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

inline Id view(Graph& g, Op op, Id x, const std::vector<Dims>& dims, int64_t arg = 0) {
  std::vector<Id> src{x};
  for (const Dims& list : dims) {
    for (const Id id : dim_nodes(g, list)) src.push_back(id);
  }
  return g.add(op, g.dtype(x), src, arg);
}

inline Id reshape(Graph& g, Id x, const Dims& dims) { return view(g, Op::kReshape, x, {dims}); }
inline Id expand(Graph& g, Id x, const Dims& dims) { return view(g, Op::kExpand, x, {dims}); }
inline Id permute(Graph& g, Id x, const Dims& order) {
  return view(g, Op::kPermute, x, {}, g.ints(order));
}
inline Id pad(Graph& g, Id x, const Dims& before, const Dims& after) {
  return view(g, Op::kPad, x, {before, after});
}
inline Id shrink(Graph& g, Id x, const Dims& begin, const Dims& size) {
  return view(g, Op::kShrink, x, {begin, size});
}
inline Id flip(Graph& g, Id x, int64_t mask) { return view(g, Op::kFlip, x, {}, mask); }

inline Id device_node(Graph& g) { return g.add(Op::kDevice, kVoid, {}, g.text("CPU")); }

/// A buffer seen as a tensor of that shape; `slot` names it.
inline Id buffer(Graph& g, DType dtype, int64_t slot, const Dims& dims) {
  const Id flat = g.add(Op::kBuffer, dtype, {index_const(g, product(dims)), device_node(g)}, slot);
  return reshape(g, flat, dims);
}

/// REDUCE over `axes`; they stay with size 1.
inline Id reduce_axes(Graph& g, Op op, Id x, const Dims& axes) {
  Dims arg{static_cast<int64_t>(op)};
  arg.insert(arg.end(), axes.begin(), axes.end());
  return g.add(Op::kReduce, g.dtype(x), {x}, g.ints(arg));
}

inline Id contiguous(Graph& g, Id x) { return g.add(Op::kContiguous, g.dtype(x), {x}); }
inline Id store_tensor(Graph& g, Id target, Id value) {
  return g.add(Op::kStore, kVoid, {target, value});
}
/// `target`, a view of memory, once `value` has been stored there.
inline Id assign(Graph& g, Id target, Id value) {
  return g.add(Op::kAfter, g.dtype(target), {target, store_tensor(g, target, value)});
}

inline Id scalar(Graph& g, DType dtype, int64_t value) { return constant(g, dtype, value); }

/// The vector 0, 1, .., size - 1 of dtype index.
inline Id iota(Graph& g, int64_t size) { return range(g, size, 0, AxisType::kLoop); }

inline Id gather(Graph& g, Id x, std::vector<Id> indices) {
  indices.insert(indices.begin(), x);
  return g.add(Op::kIndex, g.dtype(x), indices);
}

/// a @ b for (m, k) and (k, n).
inline Id matmul(Graph& g, Id a, Id b) {
  const Dims left = shape_values(g, a), right = shape_values(g, b);
  const Dims all{left[0], right[1], left[1]};
  const Id x = expand(g, reshape(g, a, {left[0], 1, left[1]}), all);
  const Id y = expand(g, reshape(g, permute(g, b, {1, 0}), {1, right[1], right[0]}), all);
  return reshape(g, reduce_axes(g, Op::kAdd, mul(g, x, y), {2}), {left[0], right[1]});
}

/// SINK that stores each value into a fresh buffer with slots from `first_slot` on.
inline Id realize(Graph& g, const std::vector<Id>& values, int64_t first_slot = 1000) {
  std::vector<Id> stores;
  for (const Id value : values) {
    const Dims dims = shape_values(g, value);
    stores.push_back(store_tensor(g, buffer(g, g.dtype(value), first_slot++, dims), value));
  }
  return g.add(Op::kSink, kVoid, stores);
}

}  // namespace loom::oracle
