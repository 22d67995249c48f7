// Layers: compositions of windows, products, reductions and element-wise functions.
#include "loom/nn.h"

#include <limits>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

Tensor pad_picture(const Tensor& x, Size2 padding, const Number& value = 0) {
  return x.pad({{0, 0}, {0, 0}, {padding.height, padding.height}, {padding.width, padding.width}},
               value);
}

// (n, c, h, w) to (n, c, out h, out w, kernel h, kernel w).
Tensor picture_windows(const Tensor& x, Size2 kernel, Size2 stride, Size2 dilation) {
  return x.windows({kernel.height, kernel.width}, {stride.height, stride.width},
                   {dilation.height, dilation.width});
}

Tensor pool_windows(const Tensor& padded, const PoolOptions& options) {
  return picture_windows(padded, options.kernel, options.stride.value_or(options.kernel),
                         options.dilation);
}

void check_picture(std::string_view op, const Tensor& x) {
  if (x.ndim() != 4) {
    fail<UserError>(op, ": ", describe(x), ", expected (batch, channels, height, width)");
  }
}

void check_conv(const Tensor& x, const Tensor& weight, int64_t groups) {
  check_picture("conv2d", x);
  check_picture("conv2d: weight", weight);
  if (groups < 1 || weight.size(0) % groups != 0 || x.size(1) != groups * weight.size(1)) {
    fail<UserError>("conv2d: ", describe(x), " and weight ", describe(weight), " in ", groups,
                    " groups, expected ", groups, " * ", weight.size(1),
                    " channels and a multiple of ", groups, " filters");
  }
}

// A vector along axis 1 of a picture or batch of features.
Tensor per_channel(const Tensor& vector, const Tensor& x) {
  Shape shape(x.shape().size(), 1);
  shape[1] = vector.numel();
  return vector.reshape(shape);
}

// The lowest value of a dtype, what a maximum over padding ignores.
Number lowest(DType dtype) {
  if (dtype.is_float()) return -std::numeric_limits<double>::infinity();
  return dtype.min_value();
}

}  // namespace

// Every pair of filter and window is multiplied under one shape (n, groups, filters, out h, out w,
// channels, kernel h, kernel w) and the last three axes are summed.
Tensor conv2d(const Tensor& x, const Tensor& weight, const ConvOptions& options) {
  check_conv(x, weight, options.groups);
  const int64_t groups = options.groups, filters = weight.size(0) / groups;
  const int64_t batch = x.size(0), channels = weight.size(1);
  const int64_t kh = weight.size(2), kw = weight.size(3);
  const Tensor windows =
      picture_windows(pad_picture(x, options.padding), {kh, kw}, options.stride, options.dilation);
  const int64_t out_h = windows.size(2), out_w = windows.size(3);
  const Tensor patches = windows.reshape({batch, groups, 1, channels, out_h, out_w, kh, kw})
                             .permute({0, 1, 2, 4, 5, 3, 6, 7});
  const Tensor filter = weight.reshape({1, groups, filters, 1, 1, channels, kh, kw});
  const Tensor sums = (patches * filter).sum({-3, -2, -1});
  const Tensor result = sums.reshape({batch, groups * filters, out_h, out_w});
  return options.bias ? result + per_channel(*options.bias, result) : result;
}

Tensor max_pool2d(const Tensor& x, const PoolOptions& options) {
  check_picture("max_pool2d", x);
  const Tensor padded = pad_picture(x, options.padding, lowest(x.dtype()));
  return pool_windows(padded, options).max({-2, -1});
}

Tensor avg_pool2d(const Tensor& x, const PoolOptions& options) {
  check_picture("avg_pool2d", x);
  return pool_windows(pad_picture(x, options.padding), options).mean({-2, -1});
}

Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  const Tensor product = x.matmul(weight.t());
  return bias ? product + *bias : product;
}

Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                  const NormOptions& options) {
  const Tensor inverse = (variance + options.epsilon).rsqrt();
  const Tensor scale = options.weight ? *options.weight * inverse : inverse;
  const Tensor offset = options.bias ? *options.bias - mean * scale : -(mean * scale);
  return x * per_channel(scale, x) + per_channel(offset, x);
}

Tensor layer_norm(const Tensor& x, int64_t axes, const NormOptions& options) {
  Axes last;
  for (int64_t axis = 1; axis <= axes; axis++) last.list.push_back(-axis);
  const Tensor centered = x - x.mean(last, true);
  const Tensor normal = centered * ((centered.square().mean(last, true) + options.epsilon).rsqrt());
  const Tensor scaled = options.weight ? normal * *options.weight : normal;
  return options.bias ? scaled + *options.bias : scaled;
}

}  // namespace loom
