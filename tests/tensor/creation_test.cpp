// Tensors from data, numbers and positions.
#include <numeric>

#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

TEST(Creation, TakesDataOfEveryCppType) {
  for (const std::string& device : devices()) {
    EXPECT_EQ(Tensor({1, -2, 3}, {}, device).to_vector<int>(), (std::vector{1, -2, 3}));
    EXPECT_EQ(Tensor(std::vector<uint8_t>{250, 3}, {}, device).dtype(), kUInt8);
    EXPECT_EQ(Tensor(std::vector<int64_t>{INT64_MIN, INT64_MAX}, {}, device).to_vector<int64_t>(),
              (std::vector<int64_t>{INT64_MIN, INT64_MAX}));
    EXPECT_EQ(Tensor(std::vector<bool>{true, false}, {}, device).to_vector<bool>(),
              (std::vector<bool>{true, false}));
    EXPECT_EQ(Tensor({0.1, 1e300}, {}, device).to_vector<double>(), (std::vector{0.1, 1e300}));
    EXPECT_EQ(Tensor({0.1F}, {}, device).dtype(), kFloat32);
  }
}

TEST(Creation, GivesDataAShape) {
  const Tensor x({1, 2, 3, 4, 5, 6}, Shape{2, 3});
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x[1].to_vector<int>(), (std::vector{4, 5, 6}));
  EXPECT_EQ(error_of([] { Tensor({1, 2, 3}, Shape{2, 2}); }),
            "Tensor: 3 elements of int32 do not fill shape (2, 2), expected 4");
}

TEST(Creation, MakesScalarsAndEmptyTensors) {
  EXPECT_EQ(Tensor(5).shape(), Shape{});
  EXPECT_EQ(Tensor(5).item<int>(), 5);
  EXPECT_EQ(Tensor(2.5).dtype(), kFloat64);
  EXPECT_EQ(Tensor(true).item<bool>(), true);
  EXPECT_EQ(Tensor().shape(), Shape{0});
  EXPECT_EQ(Tensor::zeros({3, 0, 2}).numel(), 0);
  EXPECT_EQ(Tensor(std::vector<float>{}).to_vector<float>(), std::vector<float>{});
}

TEST(Creation, FillsWithConstants) {
  expect_values(Tensor::zeros({2, 2}), {0, 0, 0, 0}, {2, 2}, kFloat32);
  expect_values(Tensor::ones({3}, kInt8), {1, 1, 1}, {3}, kInt8);
  expect_values(Tensor::full({2}, 7), {7, 7}, {2}, kInt32);
  expect_values(Tensor::full({2}, 0.5), {0.5, 0.5}, {2}, kFloat32);
  expect_values(Tensor::full({1}, true), {1}, {1}, kBool);
  expect_values(Tensor::full({1}, 7, kBFloat16), {7}, {1}, kBFloat16);
  EXPECT_EQ(error_of([] { Tensor::full({2, -1}, 0); }),
            "full: shape (2, -1) has a negative dimension");
  EXPECT_EQ(error_of([] { Tensor::full({1}, 300, kUInt8); }),
            "full: 300 is not a number of uint8, expected one (or cast the tensor first)");
}

TEST(Creation, ChecksSizesIn64Bits) {
  const std::string error = error_of([] { Tensor::zeros({INT64_C(1) << 40, INT64_C(1) << 40}); });
  EXPECT_NE(error.find("overflows"), std::string::npos) << error;
}

TEST(Creation, CountsLikeNumPysArange) {
  expect_values(Tensor::arange(5), {0, 1, 2, 3, 4}, {5}, kInt64);
  expect_values(Tensor::arange(7, 1, -2), {7, 5, 3}, {3}, kInt64);
  expect_values(Tensor::arange(3, 3), {}, {0}, kInt64);
  expect_values(Tensor::arange(0, 1, 0.25), {0, 0.25, 0.5, 0.75}, {4}, kFloat32);
  expect_values(Tensor::arange(0, 0.35, 0.1, kFloat64), {0.0, 0.1, 0.2, 0.1 * 3}, {4}, kFloat64);
  expect_values(Tensor::arange(INT64_MIN, INT64_MIN + 3), {-0x1p63, -0x1p63, -0x1p63}, {3}, kInt64);
  EXPECT_EQ(error_of([] { Tensor::arange(0, 1, 0); }), "arange: the step is 0");
}

TEST(Creation, SpacesEvenly) {
  expect_values(Tensor::linspace(-1, 1, 5), {-1, -0.5, 0, 0.5, 1}, {5}, kFloat32);
  expect_values(Tensor::linspace(2, 9, 1), {2}, {1}, kFloat32);
  expect_values(Tensor::linspace(2, 9, 0), {}, {0}, kFloat32);
  EXPECT_EQ(Tensor::linspace(0, 0.7, 8, kFloat64).to_vector<double>().back(), 0.7);
}

TEST(Creation, MakesIdentities) {
  expect_values(Tensor::eye(2), {1, 0, 0, 1}, {2, 2}, kFloat32);
  expect_values(Tensor::eye(2, 3, kInt32), {1, 0, 0, 0, 1, 0}, {2, 3}, kInt32);
  expect_values(Tensor::eye(0), {}, {0, 0}, kFloat32);
}

TEST(Random, IsAPureFunctionOfTheSeedOnEveryDevice) {
  for (DType dtype : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
    const std::vector<double> cpu = Tensor::rand({100}, 7, dtype).to_vector<double>();
    EXPECT_EQ(cpu, Tensor::rand({10, 10}, 7, dtype).to("INTERP").to_vector<double>());
    EXPECT_NE(cpu, Tensor::rand({100}, 8, dtype).to_vector<double>());
    for (double v : cpu) EXPECT_TRUE(v >= 0 && v < 1) << v;
  }
}

TEST(Random, HasTheMomentsOfItsDistribution) {
  const int64_t count = 1 << 16;
  const Tensor uniform = Tensor::rand({count}, 3), normal = Tensor::randn({count}, 3);
  EXPECT_NEAR(uniform.mean().item<double>(), 0.5, 0.005);
  EXPECT_NEAR(uniform.var().item<double>(), 1.0 / 12, 0.002);
  EXPECT_NEAR(normal.mean().item<double>(), 0, 0.02);
  EXPECT_NEAR(normal.var().item<double>(), 1, 0.02);
  EXPECT_NEAR((normal.abs() < 1).cast(kFloat32).mean().item<double>(), 0.6827, 0.01);
}

TEST(Device, IsKnownAndNamesTheKnownOnesInItsError) {
  const Tensor x({1, 2}, {}, "INTERP");
  EXPECT_EQ(x.device(), "INTERP");
  EXPECT_EQ((x + 1).device(), "INTERP");
  EXPECT_EQ(x.to("CPU").device(), "CPU");
  EXPECT_EQ(x.to("CPU").to_vector<int>(), (std::vector{1, 2}));
  EXPECT_EQ((x.to("CPU") * 2).to("INTERP").to_vector<int>(), (std::vector{2, 4}));
  EXPECT_EQ(error_of([&] { x + Tensor({1, 2}); }),
            "+: tensors on INTERP and CPU, expected one device");
  EXPECT_THROW(Tensor({1}, {}, "CPUU"), DeviceError);
}

// Each of these is a constant whatever the elements are; the fuzzer found pad (seed 9710).
TEST(Device, IsKeptByResultsThatDependOnNoElement) {
  const Tensor none(std::vector<int>{}, Shape{2, 0}, "INTERP"), some({1, 2}, {}, "INTERP");
  EXPECT_EQ(none.device(), "INTERP");
  EXPECT_EQ(Tensor::empty({0}, kFloat32, "INTERP").device(), "INTERP");
  EXPECT_EQ(none.pad({{0, 0}, {1, 1}}).realize().device(), "INTERP");
  EXPECT_EQ(none.pad({{0, 0}, {1, 1}}, 3).realize().device(), "INTERP");
  EXPECT_EQ(none.sum(1).realize().device(), "INTERP");
  EXPECT_EQ(none.all().realize().device(), "INTERP");
  EXPECT_EQ(none.flatten()[Tensor({0}, {}, "INTERP")].realize().device(), "INTERP");
  EXPECT_EQ(some.isinf().realize().device(), "INTERP");
  EXPECT_EQ(some.isfinite().realize().device(), "INTERP");
}

TEST(Device, OfConstantsIsThatOfWhatTheyMeet) {
  Tensor x = Tensor::arange(3);
  const Tensor y = x + 1;
  x.realize();  // x lies on the default device now; y is as free as before
  EXPECT_EQ((y * Tensor({1, 1, 2}, {}, "INTERP")).to_vector<int>(), (std::vector{1, 2, 6}));
  EXPECT_EQ(error_of([&] { x + Tensor({1, 1, 2}, {}, "INTERP"); }),
            "+: tensors on CPU and INTERP, expected one device");
}

}  // namespace
}  // namespace loom::testing
