#include "bench/resnet50.h"

#include <cmath>

#include "loom/nn.h"

namespace loom::bench {

namespace {

Tensor weight(Shape shape) { return Tensor::empty(std::move(shape)); }

Tensor batch_norm(const Tensor& x) {
  int64_t channels = x.shape()[1];
  return loom::batch_norm(x, weight({channels}), weight({channels}),
                          {.weight = weight({channels}), .bias = weight({channels})});
}

Tensor conv_norm(const Tensor& x, int64_t channels, int64_t kernel, int64_t stride) {
  Tensor w = weight({channels, x.shape()[1], kernel, kernel});
  return batch_norm(conv2d(x, w, {.stride = stride, .padding = kernel / 2}));
}

/// 1x1 down, 3x3, 1x1 up to four times the width, plus the shortcut (He et al., 2015; the stride
/// sits on the 3x3).
Tensor bottleneck(const Tensor& x, int64_t width, int64_t stride) {
  Tensor y = conv_norm(x, width, 1, 1).relu();
  y = conv_norm(y, width, 3, stride).relu();
  y = conv_norm(y, 4 * width, 1, 1);
  bool same = x.shape()[1] == 4 * width && stride == 1;
  return (y + (same ? x : conv_norm(x, 4 * width, 1, stride))).relu();
}

}  // namespace

Tensor resnet50(int64_t batch) {
  Tensor x = weight({batch, 3, 224, 224});
  x = max_pool2d(conv_norm(x, 64, 7, 2).relu(), {.kernel = 3, .stride = 2, .padding = 1});
  constexpr int64_t kBlocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; stage++) {
    for (int64_t block = 0; block < kBlocks[stage]; block++) {
      x = bottleneck(x, int64_t{64} << stage, stage > 0 && block == 0 ? 2 : 1);
    }
  }
  return x.mean({2, 3}).matmul(weight({2048, 1000})) + weight({1000});
}

}  // namespace loom::bench
