// Pieces of neural networks in tensor form, as the Tensor API builds them.
#pragma once
#include "tests/oracle/tensor_form.h"

namespace loom::oracle {

inline Id broadcast_to(Graph& g, Id x, const Dims& shape) {
  Dims dims = shape_values(g, x);
  if (dims.size() < shape.size()) {
    dims.insert(dims.begin(), shape.size() - dims.size(), 1);
    x = reshape(g, x, dims);
  }
  return dims == shape ? x : expand(g, x, shape);
}

/// Element-wise with NumPy's broadcasting.
inline Id apply(Graph& g, Op op, Id x, Id y) {
  Dims a = shape_values(g, x), b = shape_values(g, y);
  if (a.empty() || b.empty()) return binary(g, op, x, y);
  Dims shape(std::max(a.size(), b.size()), 1);
  for (size_t k = 1; k <= shape.size(); k++) {
    int64_t& dim = shape[shape.size() - k];
    if (k <= a.size()) dim = std::max(dim, a[a.size() - k]);
    if (k <= b.size() && b[b.size() - k] != 1) dim = b[b.size() - k];
  }
  return binary(g, op, broadcast_to(g, x, shape), broadcast_to(g, y, shape));
}

inline Id number(Graph& g, double value) { return constant(g, kFloat32, value); }
inline Id relu(Graph& g, Id x) { return binary(g, Op::kMax, x, number(g, 0)); }

inline Id mean(Graph& g, Id x, const Dims& axes) {
  double count = 1;
  for (const int64_t axis : axes)
    count *= static_cast<double>(shape_values(g, x)[static_cast<size_t>(axis)]);
  return mul(g, reduce_axes(g, Op::kAdd, x, axes), number(g, 1 / count));
}

inline Id softmax(Graph& g, Id x, int64_t axis) {
  const Id shifted = apply(g, Op::kSub, x, reduce_axes(g, Op::kMax, x, {axis}));
  const Id e = unary(g, Op::kExp2, mul(g, shifted, number(g, 1.4426950408889634)));
  return apply(g, Op::kMul, e, unary(g, Op::kRecip, reduce_axes(g, Op::kAdd, e, {axis})));
}

inline Id layer_norm(Graph& g, Id x, Id weight, Id bias) {
  const auto last = static_cast<int64_t>(shape_values(g, x).size()) - 1;
  const Id centred = apply(g, Op::kSub, x, mean(g, x, {last}));
  const Id variance = mean(g, mul(g, centred, centred), {last});
  const Id scale = unary(g, Op::kRecip, unary(g, Op::kSqrt, add(g, variance, number(g, 1e-5))));
  return apply(g, Op::kAdd, apply(g, Op::kMul, apply(g, Op::kMul, centred, scale), weight), bias);
}

/// Windows of `kernel` elements every `stride` along the last axis: (.., n) becomes (.., out,
/// kernel).
inline Id windows(Graph& g, Id x, int64_t kernel, int64_t stride) {
  Dims dims = shape_values(g, x);
  const size_t last = dims.size() - 1;
  const int64_t n = dims[last], out = (n - kernel) / stride + 1;
  const int64_t stretch = out * stride > n ? 2 : 1;  // room for the last, cut off stride
  const int64_t row = n * stretch + 1, repeats = (kernel * row + n - 1) / n;
  const auto with = [&](std::initializer_list<int64_t> tail) {
    Dims shape(dims.begin(), dims.end() - 1);
    shape.insert(shape.end(), tail);
    return shape;
  };
  const auto cut = [&](Id y, std::initializer_list<int64_t> tail) {
    return shrink(g, y, Dims(last + tail.size(), 0), with(tail));
  };
  x = reshape(g, expand(g, reshape(g, x, with({1, n})), with({repeats, n})), with({repeats * n}));
  x = reshape(g, cut(x, {kernel * row}), with({kernel, row}));
  x = reshape(g, cut(x, {kernel, out * stride}), with({kernel, out, stride}));
  x = reshape(g, cut(x, {kernel, out, 1}), with({kernel, out}));
  Dims order(last + 2);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[last], order[last + 1]);
  return permute(g, x, order);
}

/// (n, c, h, w) becomes (n, c, out_h, kernel, out_w, kernel) or so, permuted to (n, c, oh, ow, kh,
/// kw).
inline Id windows_2d(Graph& g, Id x, int64_t kernel, int64_t stride) {
  Id y = windows(g, x, kernel, stride);      // n c h ow kw
  y = permute(g, y, {0, 1, 3, 4, 2});        // n c ow kw h
  y = windows(g, y, kernel, stride);         // n c ow kw oh kh
  return permute(g, y, {0, 1, 4, 2, 5, 3});  // n c oh ow kh kw
}

inline Id pad_2d(Graph& g, Id x, int64_t by) {
  return by == 0 ? x : pad(g, x, {0, 0, by, by}, {0, 0, by, by});
}

/// x (n, ci, h, w) with weights (co, ci, k, k).
inline Id conv_2d(Graph& g, Id x, Id weights, int64_t stride, int64_t padding) {
  const Dims w = shape_values(g, weights);
  const Id patches = windows_2d(g, pad_2d(g, x, padding), w[2], stride);
  const Dims p = shape_values(g, patches);
  const Dims all{p[0], w[0], p[2], p[3], w[1], w[2], w[3]};
  const Id left = expand(
      g,
      reshape(g, permute(g, patches, {0, 2, 3, 1, 4, 5}), {p[0], 1, p[2], p[3], p[1], p[4], p[5]}),
      all);
  const Id right = expand(g, reshape(g, weights, {1, w[0], 1, 1, w[1], w[2], w[3]}), all);
  return reshape(g, reduce_axes(g, Op::kAdd, mul(g, left, right), {4, 5, 6}),
                 {p[0], w[0], p[2], p[3]});
}

inline Id max_pool_2d(Graph& g, Id x, int64_t kernel, int64_t stride, int64_t padding) {
  const Id patches = windows_2d(g, pad_2d(g, x, padding), kernel, stride);
  const Dims p = shape_values(g, patches);
  return reshape(g, reduce_axes(g, Op::kMax, patches, {4, 5}), {p[0], p[1], p[2], p[3]});
}

/// Builds a network; every parameter is a buffer of its own.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(Graph& graph) : g(graph) {}

  Id parameter(const Dims& shape) { return buffer(g, kFloat32, next_slot++, shape); }

  Id conv(Id x, int64_t out_channels, int64_t kernel, int64_t stride) {
    const int64_t in_channels = shape_values(g, x)[1];
    return conv_2d(g, x, parameter({out_channels, in_channels, kernel, kernel}), stride,
                   kernel / 2);
  }

  Id batch_norm(Id x) {
    const int64_t channels = shape_values(g, x)[1];
    const Dims shape{channels, 1, 1};
    const auto per_channel = [&] { return reshape(g, parameter({channels}), shape); };
    const Id centred = apply(g, Op::kSub, x, per_channel());
    const Id variance = add(g, per_channel(), number(g, 1e-5));
    const Id scale = mul(g, per_channel(), unary(g, Op::kRecip, unary(g, Op::kSqrt, variance)));
    return apply(g, Op::kAdd, apply(g, Op::kMul, centred, scale), per_channel());
  }

  Id bottleneck(Id x, int64_t width, int64_t stride) {
    Id y = relu(g, batch_norm(conv(x, width, 1, 1)));
    y = relu(g, batch_norm(conv(y, width, 3, stride)));
    y = batch_norm(conv(y, 4 * width, 1, 1));
    const bool same = shape_values(g, x) == shape_values(g, y);
    return relu(g, add(g, y, same ? x : batch_norm(conv(x, 4 * width, 1, stride))));
  }

  /// ResNet with bottlenecks on pictures of size x size; `depths` {3, 4, 6, 3} is ResNet-50.
  Id resnet(int64_t batch, int64_t size, const Dims& depths) {
    Id x = parameter({batch, 3, size, size});
    x = relu(g, batch_norm(conv(x, 64, 7, 2)));
    x = max_pool_2d(g, x, 3, 2, 1);
    int64_t width = 64;
    for (size_t stage = 0; stage < depths.size(); stage++, width *= 2) {
      for (int64_t k = 0; k < depths[stage]; k++)
        x = bottleneck(x, width, stage > 0 && k == 0 ? 2 : 1);
    }
    const Dims shape = shape_values(g, x);
    x = reshape(g, mean(g, x, {2, 3}), {shape[0], shape[1]});
    return apply(g, Op::kAdd, matmul(g, x, parameter({shape[1], 1000})), parameter({1000}));
  }

 private:
  Graph& g;
  int64_t next_slot = 0;
};

}  // namespace loom::oracle
