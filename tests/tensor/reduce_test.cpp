// Reductions and matrix products against plain loops.
#include <limits>

#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Folds `data` of `shape` over `axes` with `step`, starting from `first`.
std::vector<double> fold(const std::vector<double>& data, const Shape& shape,
                         std::vector<bool> reduced, double first,
                         const std::function<double(double, double)>& step) {
  int64_t results = 1;
  for (size_t axis = 0; axis < shape.size(); axis++) results *= reduced[axis] ? 1 : shape[axis];
  std::vector<double> out(static_cast<size_t>(results), first);
  for (size_t i = 0; i < data.size(); i++) {
    int64_t rest = static_cast<int64_t>(i), at = 0, stride = 1;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (!reduced[axis]) {
        at += rest % shape[axis] * stride;
        stride *= shape[axis];
      }
      rest /= shape[axis];
    }
    double& value = out[static_cast<size_t>(at)];
    value = step(value, data[i]);
  }
  return out;
}

const Shape kShape = {3, 4, 5};
const std::vector<std::pair<Axes, std::vector<bool>>> kAxes = {
    {{}, {true, true, true}},   {0, {true, false, false}},      {1, {false, true, false}},
    {-1, {false, false, true}}, {{0, -1}, {true, false, true}}, {{1, 2}, {false, true, true}},
};

Shape result_shape(const std::vector<bool>& reduced, bool keepdim) {
  Shape shape;
  for (size_t axis = 0; axis < kShape.size(); axis++) {
    if (!reduced[axis])
      shape.push_back(kShape[axis]);
    else if (keepdim)
      shape.push_back(1);
  }
  return shape;
}

TEST(Reduce, SumProdMaxMinOfEveryAxis) {
  const std::vector<double> data = sample(60, -9, 9);
  for (const std::string& device : devices()) {
    for (DType dtype : {kInt8, kInt64, kFloat16, kFloat32, kFloat64}) {
      const Tensor x = tensor_of(data, kShape, dtype, device).realize();
      const DType wide = dtype == kInt8 ? kInt64 : dtype;
      for (const auto& [axes, reduced] : kAxes) {
        SCOPED_TRACE(str(axes.list, " ", name(dtype), " ", device));
        for (bool keepdim : {false, true}) {
          const Shape shape = result_shape(reduced, keepdim);
          expect_values(x.sum(axes, keepdim),
                        fold(data, kShape, reduced, 0, [](double a, double b) { return a + b; }),
                        shape, wide);
          expect_values(
              x.max(axes, keepdim),
              fold(data, kShape, reduced, -99, [](double a, double b) { return std::max(a, b); }),
              shape, dtype);
          expect_values(
              x.min(axes, keepdim),
              fold(data, kShape, reduced, 99, [](double a, double b) { return std::min(a, b); }),
              shape, dtype);
        }
      }
    }
  }
}

TEST(Reduce, UnsignedBoolAndWrapAround) {
  for (const std::string& device : devices()) {
    const Tensor u8 = Tensor(std::vector<uint8_t>{200, 100, 255, 3}, {}, device);
    expect_values(u8.sum(), {558}, {}, kUInt64);
    expect_values(u8.min(), {3}, {}, kUInt8);
    expect_values(u8.max(), {255}, {}, kUInt8);
    const Tensor flags = Tensor(std::vector<bool>{true, false, true, true}, Shape{2, 2}, device);
    expect_values(flags.sum(), {3}, {}, kInt64);
    expect_values(flags.any(1), {1, 1}, {2}, kBool);
    expect_values(flags.all(1), {0, 1}, {2}, kBool);
    expect_values(flags.max(0), {1, 1}, {2}, kBool);
    expect_values(flags.min(0), {1, 0}, {2}, kBool);
    expect_values(Tensor({0.0F, kNaN}, {}, device).any(), {1}, {}, kBool);
    expect_values(Tensor({1 << 30, 4, 3}, {}, device).prod(), {12.0 * (1 << 30)}, {}, kInt64);
    const Tensor big = Tensor(std::vector<int64_t>{INT64_MAX, 2}, {}, device);
    EXPECT_EQ(big.sum().item<int64_t>(), INT64_MIN + 1);
  }
}

TEST(Reduce, ReadsAnyLayout) {
  const std::vector<double> data = sample(24, -50, 50);
  for (const std::string& device : devices()) {
    const Tensor x = tensor_of(data, {4, 6}, kInt32, device).realize();
    std::vector<double> columns(6), reversed_rows;
    for (size_t i = 0; i < 24; i++) columns[i % 6] += data[i];
    expect_values(x.t().sum(1), columns, {6}, kInt64);
    expect_values(x.flip({0, 1}).t().sum(1), {columns.rbegin(), columns.rend()}, {6}, kInt64);
    expect_values(x.unsqueeze(0).expand({3, 4, 6}).sum({0, 1}),
                  {3 * columns[0], 3 * columns[1], 3 * columns[2], 3 * columns[3], 3 * columns[4],
                   3 * columns[5]},
                  {6}, kInt64);
    expect_values(x.pad({{0, 0}, {1, 1}}).sum(0),
                  {0, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], 0},
                  {8}, kInt64);
  }
}

TEST(Reduce, EmptyTensors) {
  const Tensor empty = Tensor::zeros({0, 3});
  expect_values(empty.sum(0), {0, 0, 0}, {3}, kFloat32);
  expect_values(empty.prod(), {1}, {}, kFloat32);
  expect_values(empty.any(0), {0, 0, 0}, {3}, kBool);
  expect_values(empty.all(0), {1, 1, 1}, {3}, kBool);
  expect_values(empty.max(1), {}, {0}, kFloat32);
  EXPECT_TRUE(std::isnan(empty.mean().item<float>()));
  EXPECT_EQ(error_of([&] { empty.max(0); }),
            "max: float32 (0, 3) has no elements along the axes, expected some");
}

TEST(Reduce, ScalarsAreTheirOwnReduction) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({7}, {}, device).reshape({});
    EXPECT_EQ(x.sum().item<int>(), 7);
    EXPECT_EQ(x.max().item<int>(), 7);
    EXPECT_EQ(x.argmax().item<int>(), 0);
    EXPECT_EQ(x.mean().item<float>(), 7);
  }
}

TEST(Reduce, MeanVarStd) {
  const std::vector<double> data = sample(20, -9, 9);
  double mean = 0, squares = 0;
  for (double v : data) mean += v / 20;
  for (double v : data) squares += (v - mean) * (v - mean);
  for (const std::string& device : devices()) {
    const Tensor x = tensor_of(data, {20}, kInt16, device);
    EXPECT_EQ(x.mean().dtype(), kFloat32);
    EXPECT_NEAR(x.mean().item<double>(), mean, 1e-6);
    EXPECT_NEAR(x.var().item<double>(), squares / 19, 1e-5);
    EXPECT_NEAR(x.var({}, false, 0).item<double>(), squares / 20, 1e-5);
    EXPECT_NEAR(x.cast(kFloat64).std().item<double>(), std::sqrt(squares / 19), 1e-13);
    EXPECT_EQ(x.cast(kFloat16).mean().dtype(), kFloat16);
    EXPECT_EQ(Tensor::full({40000}, 1, kFloat16).to(device).sum().item<float>(),
              40000);  // not stuck at 2048
  }
}

TEST(Reduce, ArgmaxTakesTheFirstAndNaN) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1, 5, 5, -2, 7, 7}, Shape{2, 3}, device);
    expect_values(x.argmax(), {4}, {}, kInt64);
    expect_values(x.argmax(1), {1, 1}, {2}, kInt64);
    expect_values(x.argmin(0, true), {1, 0, 0}, {1, 3}, kInt64);
    expect_values(Tensor({1.0F, kNaN, 9.0F, kNaN}, {}, device).argmax(), {1}, {}, kInt64);
    expect_values(Tensor({1.0F, kNaN, -9.0F}, {}, device).argmin(), {1}, {}, kInt64);
    expect_values(Tensor(std::vector<uint8_t>{0, 255, 255}, {}, device).argmax(), {1}, {}, kInt64);
    expect_values(Tensor(std::vector<uint8_t>{9, 0, 0}, {}, device).argmin(), {1}, {}, kInt64);
  }
}

TEST(Reduce, SoftmaxSumsToOneAndSurvivesLargeNumbers) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1.0F, 2.0F, 3.0F, 1000.0F, 1001.0F, 1002.0F}, Shape{2, 3}, device);
    double total = 0;
    std::vector<double> expected;
    for (int i = 0; i < 3; i++) total += std::exp(i);
    for (int i = 0; i < 6; i++) expected.push_back(round_to(kFloat32, std::exp(i % 3) / total));
    expect_values(x.softmax(), expected, {2, 3}, kFloat32, 4);
    for (double& v : expected) v = round_to(kFloat32, std::log(v));
    expect_values(x.log_softmax(), expected, {2, 3}, kFloat32, 8);
    EXPECT_EQ(Tensor::zeros({0, 3}).softmax(0).numel(), 0);
  }
}

// --- Matrix products. ---

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, int64_t n,
                            int64_t k, int64_t m) {
  std::vector<double> out(static_cast<size_t>(n * m));
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      for (int64_t l = 0; l < k; l++) out[i * m + j] += a[i * k + l] * b[l * m + j];
    }
  }
  return out;
}

TEST(Matmul, OfEveryDtypeAndOddSizes) {
  for (const std::string& device : devices()) {
    for (DType dtype : {kInt8, kInt32, kFloat16, kBFloat16, kFloat32, kFloat64}) {
      for (const auto& [n, k, m] :
           {std::tuple{1, 1, 1}, {3, 5, 2}, {17, 9, 33}, {1, 7, 4}, {4, 7, 1}}) {
        SCOPED_TRACE(str(name(dtype), " ", n, "x", k, "x", m, " ", device));
        const std::vector<double> a = sample(n * k, -2, 2, 1), b = sample(k * m, -2, 2, 2);
        const Tensor x = tensor_of(a, {n, k}, dtype, device),
                     y = tensor_of(b, {k, m}, dtype, device);
        expect_values(x.matmul(y), product(a, b, n, k, m), {n, m}, dtype);
      }
    }
  }
}

// Large enough for register tiles with padded edges, and for panels in a cache.
TEST(Matmul, OfSizesThatAreTiled) {
  for (DType dtype : {kInt8, kFloat32, kFloat64}) {
    for (const auto& [n, k, m] : {std::tuple{131, 257, 97}, {240, 200, 48}, {64, 600, 130}}) {
      SCOPED_TRACE(str(name(dtype), " ", n, "x", k, "x", m));
      const std::vector<double> a = sample(n * k, -2, 2, 1), b = sample(k * m, -2, 2, 2);
      const Tensor x = tensor_of(a, {n, k}, dtype, "CPU"), y = tensor_of(b, {k, m}, dtype, "CPU");
      std::vector<double> expected = product(a, b, n, k, m);
      for (double& v : expected) v = dtype == kInt8 ? static_cast<int8_t>(v) : v;
      expect_values(x.matmul(y), expected, {n, m}, dtype);
    }
  }
}

TEST(Matmul, OfEveryRank) {
  for (const std::string& device : devices()) {
    const auto t = [&](const Shape& shape) {
      return Tensor::arange(count_of(shape)).cast(kFloat32).reshape(shape).to(device);
    };
    EXPECT_EQ(t({3}).matmul(t({3})).shape(), Shape{});
    EXPECT_EQ(t({3}).matmul(t({3})).item<float>(), 5);
    EXPECT_EQ(t({3}).matmul(t({3, 2})).to_vector<float>(), (std::vector{10.0F, 13.0F}));
    EXPECT_EQ(t({2, 3}).matmul(t({3})).to_vector<float>(), (std::vector{5.0F, 14.0F}));
    EXPECT_EQ(t({4, 2, 3}).matmul(t({3, 5})).shape(), (Shape{4, 2, 5}));
    EXPECT_EQ(t({4, 1, 2, 3}).matmul(t({5, 3, 2})).shape(), (Shape{4, 5, 2, 2}));
    EXPECT_EQ(t({4, 2, 3}).matmul(t({3})).shape(), (Shape{4, 2}));
    EXPECT_EQ(t({3}).matmul(t({4, 3, 2})).shape(), (Shape{4, 2}));
    EXPECT_EQ(t({2, 0}).matmul(t({0, 2})).to_vector<float>(),
              (std::vector{0.0F, 0.0F, 0.0F, 0.0F}));
    EXPECT_EQ(t({0, 2}).matmul(t({2, 3})).shape(), (Shape{0, 3}));
    const Tensor batched = t({2, 2, 2}).matmul(t({2, 2, 2}));
    EXPECT_EQ(batched.to_vector<float>(),
              (std::vector{2.0F, 3.0F, 6.0F, 11.0F, 46.0F, 55.0F, 66.0F, 79.0F}));
    EXPECT_EQ(t({2, 2}).t().matmul(t({2, 2}).flip(1)).to_vector<float>(),
              (std::vector{6.0F, 4.0F, 10.0F, 6.0F}));
  }
}

TEST(Matmul, RefusesWhatDoesNotFit) {
  const Tensor a = Tensor::zeros({2, 3}), b = Tensor::zeros({4, 5});
  EXPECT_EQ(error_of([&] { a.matmul(b); }),
            "matmul: float32 (2, 3) and float32 (4, 5), expected the last axis of the first, 3, "
            "and 4 to be equal");
  EXPECT_EQ(error_of([&] { a.matmul(Tensor(1.0F)); }),
            "matmul: float32 (2, 3) and float32 (), expected one axis or more on both sides");
}

}  // namespace
}  // namespace loom::testing
