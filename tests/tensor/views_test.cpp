// Views, on memory and on expressions, against index arithmetic by hand.
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

Tensor counting(const Shape& shape, const std::string& device) {
  return Tensor::arange(count_of(shape)).cast(kInt32).reshape(shape).to(device).realize();
}

std::vector<int> values(const Tensor& x) { return x.to_vector<int>(); }

TEST(Views, Reshape) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 3}, device);
    EXPECT_EQ(values(x.reshape({3, 2})), (std::vector{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(x.reshape({-1}).shape(), Shape{6});
    EXPECT_EQ(x.reshape({3, -1, 1}).shape(), (Shape{3, 2, 1}));
    EXPECT_EQ(x.flatten().shape(), Shape{6});
    EXPECT_EQ(counting({2, 3, 4}, device).flatten(1).shape(), (Shape{2, 12}));
    EXPECT_EQ(Tensor(3).flatten().shape(), Shape{1});
    EXPECT_EQ(Tensor::zeros({0, 4}).reshape({2, 0}).numel(), 0);
  }
}

TEST(Views, PermuteAndTranspose) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 3}, device);
    EXPECT_EQ(values(x.t()), (std::vector{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(values((x + 1).t().contiguous()), (std::vector{1, 4, 2, 5, 3, 6}));
    const Tensor y = counting({2, 2, 3}, device).permute({2, 0, 1});
    EXPECT_EQ(y.shape(), (Shape{3, 2, 2}));
    EXPECT_EQ(values(y), (std::vector{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
    EXPECT_EQ(values(y.transpose(0, -1).flatten()),
              values(counting({2, 2, 3}, device).permute({1, 0, 2}).flatten()));
  }
}

TEST(Views, Expand) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 1}, device);
    EXPECT_EQ(values(x.expand({2, 3})), (std::vector{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(x.expand({4, -1, 3}).shape(), (Shape{4, 2, 3}));
    EXPECT_EQ(values(Tensor(7).expand({3})), (std::vector{7, 7, 7}));
    EXPECT_EQ(x.expand({2, 0}).numel(), 0);
  }
}

TEST(Views, FlipShrinkPad) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 3}, device);
    EXPECT_EQ(values(x.flip(1)), (std::vector{2, 1, 0, 5, 4, 3}));
    EXPECT_EQ(values(x.flip({})), (std::vector{5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(values(x.shrink({{1, 2}, {0, 2}})), (std::vector{3, 4}));
    EXPECT_EQ(values(x.pad({{0, 1}, {1, 0}})), (std::vector{0, 0, 1, 2, 0, 3, 4, 5, 0, 0, 0, 0}));
    EXPECT_EQ(values(x.pad({{0, 0}, {0, 1}}, -7)), (std::vector{0, 1, 2, -7, 3, 4, 5, -7}));
    EXPECT_EQ(values(x.pad({{-1, 0}, {-1, 1}})), (std::vector{4, 5, 0}));
    EXPECT_EQ(values(Tensor::zeros({0}, kInt32).to(device).pad({{1, 1}}, 3)), (std::vector{3, 3}));
  }
}

TEST(Views, SqueezeUnsqueezeRepeat) {
  const Tensor x = counting({1, 2, 1}, "CPU");
  EXPECT_EQ(x.squeeze().shape(), Shape{2});
  EXPECT_EQ(x.squeeze(-1).shape(), (Shape{1, 2}));
  EXPECT_EQ(x.squeeze({0, 2}).shape(), Shape{2});
  EXPECT_EQ(x.unsqueeze(-1).shape(), (Shape{1, 2, 1, 1}));
  EXPECT_EQ(x.unsqueeze(0).shape(), (Shape{1, 1, 2, 1}));
  EXPECT_EQ(values(counting({2}, "CPU").repeat({2, 3})),
            (std::vector{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(Views, Windows) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({7}, device);
    for (int64_t kernel : {1, 2, 3}) {
      for (int64_t stride : {1, 2, 3, 5}) {
        for (int64_t dilation : {1, 2}) {
          const Tensor windows = x.windows({kernel}, {stride}, {dilation});
          std::vector<int> expected;
          for (int64_t at = 0; at + (kernel - 1) * dilation < 7; at += stride) {
            for (int64_t k = 0; k < kernel; k++)
              expected.push_back(static_cast<int>(at + k * dilation));
          }
          EXPECT_EQ(values(windows), expected) << kernel << " " << stride << " " << dilation;
        }
      }
    }
  }
}

TEST(Views, OfViewsOfExpressions) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({4, 6}, device);
    const Tensor y =
        (x.t().flip(0).shrink({{1, 5}, {0, 4}}) * 2).pad({{1, 0}, {0, 1}}).reshape({5, 5}).t();
    std::vector<int> expected(25);
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {  // y[i][j] is row j, column i of the padded matrix
        if (j >= 1 && i < 4) expected[i * 5 + j] = 2 * (i * 6 + (5 - j));
      }
    }
    EXPECT_EQ(values(y), expected);
  }
}

TEST(Joining, CatAndStack) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 2}, device), y = counting({1, 2}, device) + 10;
    EXPECT_EQ(values(cat({x, y})), (std::vector{0, 1, 2, 3, 10, 11}));
    EXPECT_EQ(values(cat({x, x.t(), x}, 1)), (std::vector{0, 1, 0, 2, 0, 1, 2, 3, 1, 3, 2, 3}));
    EXPECT_EQ(values(stack({x[0], x[1], y[0]}, -1)), (std::vector{0, 2, 10, 1, 3, 11}));
    EXPECT_EQ(values(cat({x, Tensor::zeros({0, 2}, kInt32).to(device)})),
              (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(cat({x, y.cast(kFloat64)}).dtype(), kFloat64);
  }
}

TEST(Joining, Split) {
  const Tensor x = counting({5}, "CPU");
  const std::vector<Tensor> pieces = x.split(2);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(values(pieces[1]), (std::vector{2, 3}));
  EXPECT_EQ(values(pieces[2]), (std::vector{4}));
  EXPECT_EQ(values(x.split({4, 0, 1})[2]), (std::vector{4}));
  EXPECT_EQ(error_of([&] { x.split({4, 2}); }),
            "split: lengths (4, 2) of axis 0 of int32 (5) add up to 6, expected 5");
}

TEST(ViewErrors, SayWhatWasGivenAndWhatWasExpected) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_EQ(error_of([&] { x.reshape({4, 2}); }),
            "reshape: float32 (2, 3) to (4, 2) changes the number of elements from 6 to 8");
  EXPECT_EQ(
      error_of([&] { x.reshape({4, -1}); }),
      "reshape: the 6 elements of float32 (2, 3) leave no whole number for the -1 in (4, -1)");
  EXPECT_EQ(error_of([&] { x.reshape({-1, -1}); }), "reshape: more than one -1 in (-1, -1)");
  EXPECT_EQ(error_of([&] { x.permute({0, 0}); }), "permute: (0, 0) names an axis twice");
  EXPECT_EQ(error_of([&] { x.permute({0}); }),
            "permute: 1 entries for float32 (2, 3), expected one for each axis");
  EXPECT_EQ(error_of([&] { x.transpose(0, 2); }),
            "transpose: axis 2 is not an axis of float32 (2, 3), expected -2 to 1");
  EXPECT_EQ(error_of([&] { x.expand({4, 3}); }),
            "expand: float32 (2, 3) to (4, 3), expected 2 or more axes, equal where the tensor's "
            "is not 1");
  EXPECT_EQ(error_of([&] { x.shrink({{0, 3}, {0, 3}}); }),
            "shrink: (0, 3) of axis 0 of float32 (2, 3), expected 0 <= begin <= end <= 2");
  EXPECT_EQ(error_of([&] { x.squeeze(0); }), "squeeze: axis 0 of float32 (2, 3) is not 1");
  EXPECT_EQ(error_of([&] { cat({x, Tensor::zeros({2, 4})}, 0); }),
            "cat: float32 (2, 3) and float32 (2, 4), expected equal sizes on every axis but 0");
  EXPECT_EQ(error_of([&] { Tensor(1).sum(0); }), "sum: axis 0 of a scalar, which has no axes");
}

}  // namespace
}  // namespace loom::testing
