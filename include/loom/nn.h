// Layers as functions. Pictures are (batch, channels, height, width).
#pragma once
#include <array>
#include <optional>

#include "loom/tensor.h"

namespace loom {

/// (height, width): `{1, 2}`, or `2` for both.
struct Size2 {
  Size2(int64_t both) : height(both), width(both) {}  // NOLINT(google-explicit-constructor)
  Size2(int both) : Size2(int64_t{both}) {}           // NOLINT(google-explicit-constructor)
  Size2(int64_t h, int64_t w) : height(h), width(w) {}
  int64_t height, width;
};

struct ConvOptions {
  std::optional<Tensor> bias = {};
  Size2 stride = 1, padding = 0, dilation = 1;
  int64_t groups = 1;
};

/// Cross-correlation of x (n, groups * c, h, w) with weight (out, c, kh, kw), plus bias (out).
Tensor conv2d(const Tensor& x, const Tensor& weight, const ConvOptions& options = {});

struct PoolOptions {
  Size2 kernel;
  std::optional<Size2> stride = {};  // left out: the size of the window
  Size2 padding = 0, dilation = 1;
};

Tensor max_pool2d(const Tensor& x, const PoolOptions& options);
/// Padding counts as zeros.
Tensor avg_pool2d(const Tensor& x, const PoolOptions& options);

/// x * weight^T + bias, with weight (out, in).
Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias = {});

struct NormOptions {
  std::optional<Tensor> weight = {}, bias = {};
  double epsilon = 1e-5;
};

/// Inference: with the statistics of training, for each channel (axis 1).
Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                  const NormOptions& options = {});
/// Over the last `axes` axes.
Tensor layer_norm(const Tensor& x, int64_t axes, const NormOptions& options = {});

}  // namespace loom
