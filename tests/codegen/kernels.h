// Kernel bodies for tests, built by hand: what the scheduler makes of well-known tensor programs.
#pragma once
#include <vector>

#include "ir/build.h"

namespace loom::testing {

/// A kernel body in the making: buffers get slots and ranges get axis numbers in the order in which
/// they are asked for.
class KernelBuilder {
 public:
  explicit KernelBuilder(Graph& graph) : g(graph) {}

  Id loop(int64_t size) { return loom::range(g, size, axes_++, AxisType::kLoop); }
  Id reduced(int64_t size) { return loom::range(g, size, axes_++, AxisType::kReduce); }
  Id buffer(DType dtype, int64_t size) {
    return g.add(Op::kParam, dtype, {index_const(g, size)}, slots_++);
  }

  /// The number of an element: ranges (or other numbers) times strides.
  Id offset(std::initializer_list<std::pair<Id, int64_t>> terms, int64_t start = 0) {
    Id sum = index_const(g, start);
    for (auto [number, stride] : terms)
      sum = loom::add(g, sum, mul(g, number, index_const(g, stride)));
    return sum;
  }
  Id read(Id buffer, Id offset) { return load(g, index(g, buffer, offset)); }
  /// Zero where the gate is false.
  Id read(Id buffer, Id offset, Id gate) {
    return load(g, index(g, buffer, offset, gate), constant(g, g.dtype(buffer), 0));
  }
  Id write(Id buffer, Id offset, Id value, std::vector<Id> ranges) {
    ranges.insert(ranges.begin(), store(g, index(g, buffer, offset), value));
    return ranges.size() == 1 ? ranges[0] : g.add(Op::kEnd, kVoid, ranges);
  }
  Id sum(Id value, std::vector<Id> ranges) { return reduce(g, Op::kAdd, value, ranges); }
  Id sink(std::vector<Id> effects) { return g.add(Op::kSink, kVoid, effects); }
  /// low <= number < high.
  Id between(Id number, int64_t low, int64_t high) {
    const Id above = binary(g, Op::kCmpLt, index_const(g, low - 1), number);
    return logical_and(g, above, binary(g, Op::kCmpLt, number, index_const(g, high)));
  }

  Graph& g;

 private:
  int64_t axes_ = 0, slots_ = 0;
};

/// c[i] = a[i] + b[i], as a tensor of shape (rows, columns).
inline Id addition(Graph& g, DType dtype, int64_t rows, int64_t columns) {
  KernelBuilder k(g);
  const Id c = k.buffer(dtype, rows * columns), a = k.buffer(dtype, rows * columns),
           b = k.buffer(dtype, rows * columns);
  const Id i = k.loop(rows), j = k.loop(columns), at = k.offset({{i, columns}, {j, 1}});
  return k.sink({k.write(c, at, add(g, k.read(a, at), k.read(b, at)), {i, j})});
}

/// c[j, i] = a[i, j].
inline Id transposition(Graph& g, DType dtype, int64_t rows, int64_t columns) {
  KernelBuilder k(g);
  const Id c = k.buffer(dtype, rows * columns), a = k.buffer(dtype, rows * columns);
  const Id j = k.loop(columns), i = k.loop(rows);
  return k.sink({k.write(c, k.offset({{j, rows}, {i, 1}}),
                         k.read(a, k.offset({{i, columns}, {j, 1}})), {j, i})});
}

/// c = a b for a of m x k and b of k x n.
inline Id product(Graph& g, DType dtype, int64_t m, int64_t n, int64_t depth) {
  KernelBuilder k(g);
  const Id c = k.buffer(dtype, m * n), a = k.buffer(dtype, m * depth),
           b = k.buffer(dtype, depth * n);
  const Id i = k.loop(m), j = k.loop(n), r = k.reduced(depth);
  const Id term =
      mul(g, k.read(a, k.offset({{i, depth}, {r, 1}})), k.read(b, k.offset({{r, n}, {j, 1}})));
  return k.sink({k.write(c, k.offset({{i, n}, {j, 1}}), k.sum(term, {r}), {i, j})});
}

/// The sums of the rows, or of the columns.
inline Id sums(Graph& g, DType dtype, int64_t rows, int64_t columns, bool of_rows) {
  KernelBuilder k(g);
  const Id c = k.buffer(dtype, of_rows ? rows : columns), a = k.buffer(dtype, rows * columns);
  const Id kept = k.loop(of_rows ? rows : columns), r = k.reduced(of_rows ? columns : rows);
  const Id at = of_rows ? k.offset({{kept, columns}, {r, 1}}) : k.offset({{r, columns}, {kept, 1}});
  return k.sink({k.write(c, kept, k.sum(k.read(a, at), {r}), {kept})});
}

struct Convolution {
  int64_t batch, in, out, size, window, stride = 1, padding = 0;
  int64_t out_size() const { return (size + 2 * padding - window) / stride + 1; }
};

/// Square images (batch, channel, row, column) times weights (out, in, window, window).
inline Id convolution(Graph& g, DType dtype, const Convolution& c) {
  KernelBuilder k(g);
  const int64_t to = c.out_size(), area = c.size * c.size, taps = c.window * c.window;
  const Id y = k.buffer(dtype, c.batch * c.out * to * to),
           x = k.buffer(dtype, c.batch * c.in * area);
  const Id w = k.buffer(dtype, c.out * c.in * taps);
  const Id n = k.loop(c.batch), o = k.loop(c.out), row = k.loop(to), column = k.loop(to);
  const Id i = k.reduced(c.in), u = k.reduced(c.window), v = k.reduced(c.window);
  const Id from_row = k.offset({{row, c.stride}, {u, 1}}, -c.padding);
  const Id from_column = k.offset({{column, c.stride}, {v, 1}}, -c.padding);
  const Id at = k.offset({{n, c.in * area}, {i, area}, {from_row, c.size}, {from_column, 1}});
  const Id inside =
      logical_and(g, k.between(from_row, 0, c.size), k.between(from_column, 0, c.size));
  const Id pixel = c.padding == 0 ? k.read(x, at) : k.read(x, at, inside);
  const Id weight = k.read(w, k.offset({{o, c.in * taps}, {i, taps}, {u, c.window}, {v, 1}}));
  const Id to_at = k.offset({{n, c.out * to * to}, {o, to * to}, {row, to}, {column, 1}});
  return k.sink({k.write(y, to_at, k.sum(mul(g, pixel, weight), {i, u, v}), {n, o, row, column})});
}

/// y[i, j] = a[i, j] - max over j - sum over j of (a - max): reductions that need one another.
inline Id centred_rows(Graph& g, DType dtype, int64_t rows, int64_t columns) {
  KernelBuilder k(g);
  const Id y = k.buffer(dtype, rows * columns), a = k.buffer(dtype, rows * columns);
  const Id i = k.loop(rows), j = k.loop(columns), r = k.reduced(columns);
  const Id at = k.offset({{i, columns}, {j, 1}}),
           along = k.read(a, k.offset({{i, columns}, {r, 1}}));
  const Id highest = reduce(g, Op::kMax, along, std::vector<Id>{r});
  const Id total = k.sum(binary(g, Op::kSub, along, highest), {r});
  const Id centred = binary(g, Op::kSub, binary(g, Op::kSub, k.read(a, at), highest), total);
  return k.sink({k.write(y, at, centred, {i, j})});
}

}  // namespace loom::testing
