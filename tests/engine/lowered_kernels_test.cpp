// Kernels of well-known programs through all of codegen, run by each device, against plain loops.
#include <gtest/gtest.h>

#include <functional>

#include "tests/codegen/kernels.h"
#include "tests/engine/kernel_builder.h"

namespace loom {
namespace {

/// Small integers, so that sums are exact in any order.
std::vector<float> small_integers(size_t n) {
  std::vector<float> values(n);
  for (size_t k = 0; k < n; ++k) values[k] = static_cast<float>((k * 7 + k / 5) % 9) - 4.0f;
  return values;
}

std::vector<float> run_on(Device& device, const Graph& g, Id sink, size_t size,
                          std::vector<std::vector<float>> inputs) {
  const LoweredKernel kernel = lower_kernel(g, sink, device.target());
  const auto program =
      device.language().empty()
          ? make_interpreted(kernel)
          : device.load(device.compile(render_llvm(kernel, device.target()), kernel.name),
                        kernel.name);
  std::vector<float> result(size);
  std::vector<void*> buffers = {result.data()};
  for (auto& input : inputs) buffers.push_back(input.data());
  LaunchDims dims;
  dims.threads = kernel.threads;
  program->launch(buffers, {}, dims);
  return result;
}

void expect_on_every_device(const Graph& g, Id sink, const std::vector<std::vector<float>>& inputs,
                            const std::vector<float>& expected) {
  static const auto interpreter = open_interpreter();
  EXPECT_EQ(run_on(cpu(), g, sink, expected.size(), inputs), expected);
  EXPECT_EQ(run_on(*interpreter, g, sink, expected.size(), inputs), expected);
}

TEST(LoweredKernel, AddsTensors) {
  for (int64_t columns : {1, 7, 16, 100}) {
    Graph g;
    const Id sink = ::loom::testing::addition(g, kFloat32, 5, columns);
    const auto a = small_integers(static_cast<size_t>(5 * columns));
    std::vector<float> expected(a);
    for (size_t k = 0; k < a.size(); ++k) expected[k] += a[k];
    expect_on_every_device(g, sink, {a, a}, expected);
  }
}

TEST(LoweredKernel, MultipliesMatrices) {
  for (int64_t n : {3, 16, 33, 64}) {
    Graph g;
    const Id sink = ::loom::testing::product(g, kFloat32, n, n + 1, n + 2);
    const auto a = small_integers(static_cast<size_t>(n * (n + 2)));
    const auto b = small_integers(static_cast<size_t>((n + 2) * (n + 1)));
    std::vector<float> expected(static_cast<size_t>(n * (n + 1)));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n + 1; ++j)
        for (int64_t r = 0; r < n + 2; ++r)
          expected[i * (n + 1) + j] += a[i * (n + 2) + r] * b[r * (n + 1) + j];
    expect_on_every_device(g, sink, {a, b}, expected);
  }
}

TEST(LoweredKernel, SumsRowsAndColumns) {
  for (bool of_rows : {true, false}) {
    Graph g;
    const Id sink = ::loom::testing::sums(g, kFloat32, 37, 50, of_rows);
    const auto a = small_integers(37 * 50);
    std::vector<float> expected(of_rows ? 37 : 50);
    for (size_t i = 0; i < 37; ++i)
      for (size_t j = 0; j < 50; ++j) expected[of_rows ? i : j] += a[i * 50 + j];
    expect_on_every_device(g, sink, {a}, expected);
  }
}

std::vector<float> convolved(const ::loom::testing::Convolution& c, const std::vector<float>& x,
                             const std::vector<float>& w) {
  const int64_t to = c.out_size();
  std::vector<float> y(static_cast<size_t>(c.batch * c.out * to * to));
  const auto pixel = [&](int64_t n, int64_t i, int64_t row, int64_t column) {
    const bool is_inside = row >= 0 && row < c.size && column >= 0 && column < c.size;
    return is_inside ? x[((n * c.in + i) * c.size + row) * c.size + column] : 0.0f;
  };
  for (int64_t k = 0; k < std::ssize(y); ++k) {
    const int64_t column = k % to, row = k / to % to, o = k / (to * to) % c.out,
                  n = k / (to * to * c.out);
    for (int64_t t = 0; t < c.in * c.window * c.window; ++t) {
      const int64_t v = t % c.window, u = t / c.window % c.window, i = t / (c.window * c.window);
      y[k] += pixel(n, i, row * c.stride + u - c.padding, column * c.stride + v - c.padding) *
              w[o * c.in * c.window * c.window + t];
    }
  }
  return y;
}

TEST(LoweredKernel, ConvolvesPaddedImages) {
  for (auto c :
       {::loom::testing::Convolution{
            .batch = 2, .in = 3, .out = 5, .size = 9, .window = 3, .stride = 1, .padding = 1},
        ::loom::testing::Convolution{
            .batch = 1, .in = 2, .out = 16, .size = 12, .window = 5, .stride = 2, .padding = 2}}) {
    Graph g;
    const Id sink = ::loom::testing::convolution(g, kFloat32, c);
    const auto x = small_integers(static_cast<size_t>(c.batch * c.in * c.size * c.size));
    const auto w = small_integers(static_cast<size_t>(c.out * c.in * c.window * c.window));
    expect_on_every_device(g, sink, {x, w}, convolved(c, x, w));
  }
}

}  // namespace
}  // namespace loom
