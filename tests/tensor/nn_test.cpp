// Layers against plain loops.
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

struct Conv {
  int64_t batch, channels, height, width, filters, kernel_h, kernel_w;
  Size2 stride = 1, padding = 0, dilation = 1;
  int64_t groups = 1;
};

const Conv kConvs[] = {
    {1, 1, 5, 5, 1, 3, 3},
    {2, 3, 7, 6, 4, 3, 2},
    {1, 2, 8, 8, 2, 3, 3, 2, 1},
    {1, 2, 9, 7, 3, 1, 1, {2, 3}},
    {1, 2, 9, 9, 2, 3, 3, 1, {2, 1}, 2},
    {2, 4, 6, 6, 6, 3, 3, 1, 1, 1, 2},
    {1, 3, 6, 6, 3, 3, 3, 2, 1, 1, 3},
    {1, 3, 13, 13, 4, 7, 7, 2, 3},
};

// What conv2d is, spelt out.
std::vector<double> convolve(const Conv& c, const std::vector<double>& x,
                             const std::vector<double>& w, const std::vector<double>& bias,
                             Shape& shape) {
  const auto out_size = [](int64_t n, int64_t kernel, int64_t stride, int64_t padding,
                           int64_t dilation) {
    return (n + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
  };
  const int64_t oh =
      out_size(c.height, c.kernel_h, c.stride.height, c.padding.height, c.dilation.height);
  const int64_t ow =
      out_size(c.width, c.kernel_w, c.stride.width, c.padding.width, c.dilation.width);
  const int64_t in_group = c.channels / c.groups, out_group = c.filters / c.groups;
  shape = {c.batch, c.filters, oh, ow};
  std::vector<double> out;
  for (int64_t n = 0; n < c.batch; n++) {
    for (int64_t f = 0; f < c.filters; f++) {
      for (int64_t y = 0; y < oh; y++) {
        for (int64_t z = 0; z < ow; z++) {
          double sum = bias[f];
          for (int64_t k = 0; k < in_group; k++) {
            for (int64_t i = 0; i < c.kernel_h; i++) {
              for (int64_t j = 0; j < c.kernel_w; j++) {
                const int64_t row = y * c.stride.height + i * c.dilation.height - c.padding.height;
                const int64_t column = z * c.stride.width + j * c.dilation.width - c.padding.width;
                if (row < 0 || row >= c.height || column < 0 || column >= c.width) continue;
                const int64_t channel = f / out_group * in_group + k;
                sum += x[((n * c.channels + channel) * c.height + row) * c.width + column] *
                       w[((f * in_group + k) * c.kernel_h + i) * c.kernel_w + j];
              }
            }
          }
          out.push_back(sum);
        }
      }
    }
  }
  return out;
}

TEST(Conv2d, MatchesLoops) {
  for (const std::string& device : devices()) {
    for (const Conv& c : kConvs) {
      SCOPED_TRACE(str(device, " ", &c - kConvs));
      const Shape x_shape{c.batch, c.channels, c.height, c.width};
      const Shape w_shape{c.filters, c.channels / c.groups, c.kernel_h, c.kernel_w};
      const std::vector<double> x = sample(count_of(x_shape), -3, 3, 1),
                                w = sample(count_of(w_shape), -3, 3, 2),
                                bias = sample(c.filters, -9, 9, 3);
      Shape shape;
      const std::vector<double> expected = convolve(c, x, w, bias, shape);
      const Tensor actual =
          conv2d(tensor_of(x, x_shape, kFloat32, device), tensor_of(w, w_shape, kFloat32, device),
                 {.bias = tensor_of(bias, {c.filters}, kFloat32, device),
                  .stride = c.stride,
                  .padding = c.padding,
                  .dilation = c.dilation,
                  .groups = c.groups});
      expect_values(actual, expected, shape, kFloat32);
    }
  }
}

TEST(Pool2d, MaxIgnoresPaddingAndAverageCountsIt) {
  for (const std::string& device : devices()) {
    const Tensor x = (Tensor::arange(16).reshape({1, 1, 4, 4}) - 20).cast(kFloat32).to(device);
    expect_values(max_pool2d(x, {.kernel = 2}), {-15, -13, -7, -5}, {1, 1, 2, 2}, kFloat32);
    expect_values(max_pool2d(x, {.kernel = 3, .stride = 2, .padding = 1}), {-15, -13, -7, -5},
                  {1, 1, 2, 2}, kFloat32);
    expect_values(avg_pool2d(x, {.kernel = 2}), {-17.5, -15.5, -9.5, -7.5}, {1, 1, 2, 2}, kFloat32);
    expect_values(avg_pool2d(x, {.kernel = {2, 4}, .stride = 2, .padding = {1, 0}}),
                  {(-20 - 19 - 18 - 17) / 8.0, (-16 - 15 - 14 - 13 - 12 - 11 - 10 - 9) / 8.0,
                   (-8 - 7 - 6 - 5) / 8.0},
                  {1, 1, 3, 1}, kFloat32);
    expect_values(max_pool2d(x.cast(kInt8), {.kernel = 3, .stride = 2, .padding = 1}),
                  {-15, -13, -7, -5}, {1, 1, 2, 2}, kInt8);
  }
}

TEST(Norm, BatchAndLayer) {
  for (const std::string& device : devices()) {
    const std::vector<double> data = sample(24, -9, 9);
    const Tensor x = tensor_of(data, {2, 3, 4}, kFloat32, device);
    const auto vector = [&](std::vector<double> v) { return tensor_of(v, {3}, kFloat32, device); };
    const Tensor batch =
        batch_norm(x, vector({1, 2, 3}), vector({4, 1, 0.25}),
                   {.weight = vector({1, -1, 2}), .bias = vector({0, 5, 1}), .epsilon = 0});
    std::vector<double> expected;
    for (size_t i = 0; i < 24; i++) {
      const size_t channel = i / 4 % 3;
      const double mean[] = {1, 2, 3}, deviation[] = {2, 1, 0.5}, weight[] = {1, -1, 2},
                   bias[] = {0, 5, 1};
      expected.push_back((data[i] - mean[channel]) / deviation[channel] * weight[channel] +
                         bias[channel]);
    }
    expect_values(batch, expected, {2, 3, 4}, kFloat32);

    const std::vector<float> layer = layer_norm(x, 2, {.epsilon = 0}).to_vector<float>();
    for (size_t row = 0; row < 2; row++) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < 12; i++) mean += data[row * 12 + i] / 12;
      for (size_t i = 0; i < 12; i++)
        variance += (data[row * 12 + i] - mean) * (data[row * 12 + i] - mean) / 12;
      for (size_t i = 0; i < 12; i++) {
        EXPECT_NEAR(layer[row * 12 + i], (data[row * 12 + i] - mean) / std::sqrt(variance), 1e-5);
      }
    }
  }
}

TEST(Linear, MultipliesByTheTransposedWeight) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1.0F, 2.0F}, Shape{1, 2}, device);
    const Tensor w = Tensor({1.0F, 0.0F, 0.0F, 1.0F, 1.0F, 1.0F}, Shape{3, 2}, device);
    expect_values(linear(x, w, Tensor({10.0F, 20.0F, 30.0F}, {}, device)), {11, 22, 33}, {1, 3},
                  kFloat32);
  }
}

TEST(NnErrors, NameTheLayer) {
  const Tensor x = Tensor::zeros({1, 4, 5, 5});
  EXPECT_EQ(error_of([&] { conv2d(x, Tensor::zeros({2, 3, 3, 3})); }),
            "conv2d: float32 (1, 4, 5, 5) and weight float32 (2, 3, 3, 3) in 1 groups, expected 1 "
            "* 3 channels "
            "and a multiple of 1 filters");
  EXPECT_EQ(error_of([&] { conv2d(x, Tensor::zeros({2, 4, 7, 7})); }),
            "windows: 7 elements do not fit on axis 2 of float32 (1, 4, 5, 5)");
  EXPECT_EQ(error_of([&] { max_pool2d(Tensor::zeros({2, 2}), {.kernel = 2}); }),
            "max_pool2d: float32 (2, 2), expected (batch, channels, height, width)");
}

}  // namespace
}  // namespace loom::testing
