// t.index(...) and t.set(...): slices against Python's rules worked out by hand, gathers against
// loops.
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

Tensor counting(const Shape& shape, const std::string& device) {
  return Tensor::arange(count_of(shape)).cast(kInt32).reshape(shape).to(device).realize();
}

std::vector<int> values(const Tensor& x) { return x.to_vector<int>(); }

TEST(Index, NumbersSlicesNoneEllipsis) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({3, 4, 5}, device);
    EXPECT_EQ(values(x[1][2]), (std::vector{30, 31, 32, 33, 34}));
    EXPECT_EQ(values(x[-1][-1][-1]), (std::vector{59}));
    EXPECT_EQ(values(x.index({1, Slice(1, 3), 4})), (std::vector{29, 34}));
    EXPECT_EQ(values(x.index({Ellipsis, 0})),
              (std::vector{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55}));
    EXPECT_EQ(x.index({None, 0, Ellipsis, None}).shape(), (Shape{1, 4, 5, 1}));
    EXPECT_EQ(x.index({}).shape(), (Shape{3, 4, 5}));
    EXPECT_EQ(x.index({Slice(5, 9)}).shape(), (Shape{0, 4, 5}));
    EXPECT_EQ(x.index({1, 2, 3}).shape(), Shape{});
  }
}

// All slices of an axis of 7 elements: what Python's range(*slice.indices(7)) gives.
TEST(Index, SlicesOfEveryStepMatchPythons) {
  const auto resolve = [](std::optional<int64_t> bound, int64_t fallback, int64_t low,
                          int64_t high) {
    if (!bound) return fallback;
    return std::clamp(*bound < 0 ? *bound + 7 : *bound, low, high);
  };
  std::vector<std::optional<int64_t>> bounds = {{}};
  for (int64_t i = -9; i <= 9; i += 3) bounds.emplace_back(i);
  const Tensor x = counting({7}, "CPU");
  for (int64_t step : {1, 2, 3, 8, -1, -2, -3, -8}) {
    std::vector<Tensor> taken;
    std::vector<int> expected;
    for (const auto& start : bounds) {
      for (const auto& stop : bounds) {
        taken.push_back(x.index({Slice(start, stop, step)}));
        const bool up = step > 0;
        const int64_t first = resolve(start, up ? 0 : 6, up ? 0 : -1, up ? 7 : 6);
        const int64_t last = resolve(stop, up ? 7 : -1, up ? 0 : -1, up ? 7 : 6);
        for (int64_t i = first; up ? i < last : i > last; i += step)
          expected.push_back(static_cast<int>(i));
      }
    }
    EXPECT_EQ(values(cat(taken)), expected) << "step " << step;
  }
}

TEST(Index, StepsOnSeveralAxes) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({5, 6}, device);
    EXPECT_EQ(values(x.index({Slice({}, {}, 2), Slice(4, 0, -2)})),
              (std::vector{4, 2, 16, 14, 28, 26}));
    EXPECT_EQ(values((x + 1).index({Slice({}, {}, -3), 5})), (std::vector{30, 12}));
  }
}

TEST(Gather, OneIndexTensor) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({4, 3}, device);
    const Tensor rows({2, -1, 0}, {}, device);
    EXPECT_EQ(values(x[rows]), (std::vector{6, 7, 8, 9, 10, 11, 0, 1, 2}));
    EXPECT_EQ(values(x.index({Slice(), rows.cast(kInt8).index({Slice(1, 3)})})),
              (std::vector{2, 0, 5, 3, 8, 6, 11, 9}));
    EXPECT_EQ(x[rows.reshape({3, 1})].shape(), (Shape{3, 1, 3}));
    EXPECT_EQ(values(x[Tensor(-2).to(device)]), (std::vector{6, 7, 8}));
    EXPECT_EQ(values(x[Tensor({7, -9, 1}, {}, device)]), (std::vector{0, 0, 0, 0, 0, 0, 3, 4, 5}));
    EXPECT_EQ(x[Tensor::zeros({0}, kInt32).to(device)].shape(), (Shape{0, 3}));
  }
}

TEST(Gather, UnsignedIndicesAboveInt64LieOutside) {
  for (const std::string& device : devices()) {
    const Tensor at(std::vector<uint64_t>{1, UINT64_MAX, uint64_t{1} << 63, 0}, {}, device);
    EXPECT_EQ(values((counting({3}, device) + 5)[at]), (std::vector{6, 0, 0, 5}));
  }
}

TEST(Gather, SeveralIndexTensorsBroadcastTogether) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({3, 4, 5}, device);
    const Tensor i({0, 2}, {}, device), j = Tensor({1, 3, 0}, Shape{3, 1}, device);
    const Tensor side_by_side = x.index({i, j});
    EXPECT_EQ(side_by_side.shape(), (Shape{3, 2, 5}));
    const Tensor apart = x.index({i, Slice(), j});
    EXPECT_EQ(apart.shape(), (Shape{3, 2, 4}));
    std::vector<int> expected_beside, expected_apart;
    for (int b : {1, 3, 0}) {
      for (int a : {0, 2}) {
        for (int k = 0; k < 5; k++) expected_beside.push_back(a * 20 + b * 5 + k);
        for (int k = 0; k < 4; k++) expected_apart.push_back(a * 20 + k * 5 + b);
      }
    }
    EXPECT_EQ(values(side_by_side), expected_beside);
    EXPECT_EQ(values(apart), expected_apart);
    EXPECT_EQ(x.index({Slice(), i, Slice(0, 2)}).shape(), (Shape{3, 2, 2}));
    EXPECT_EQ(x.index({Slice(), i, i}).shape(), (Shape{3, 2}));
  }
}

TEST(Gather, FromExpressionsAndByExpressions) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({6}, device);
    EXPECT_EQ(values((x * x)[(x * 2) % 6]), (std::vector{0, 4, 16, 0, 4, 16}));
    EXPECT_EQ(values(x[Tensor({0.0F, 2.9F}, {}, device).cast(kInt32)] + 1), (std::vector{1, 3}));
  }
}

// Index values that are computed once for many readers go through memory, where they have 64 bits.
TEST(Gather, ByIndicesThatAreStaged) {
  for (const std::string& device : devices()) {
    const Tensor a = Tensor({3, 3, 3, 3, 5}, {}, device),
                 b = Tensor({4, 3, -1, 0}, Shape{2, 2, 1}, device);
    const Tensor by = (a < b).argmin(2) % 3 - 1;  // 0, and three times the last
    const std::vector<int> larger[] = {
        {4, 4, 4, 4, 5}, {3, 3, 3, 3, 5}, {3, 3, 3, 3, 5}, {3, 3, 3, 3, 5}};
    std::vector<int> expected;
    for (int row : {0, 1, 1, 1}) {
      for (int j : {0, 1}) {
        expected.insert(expected.end(), larger[2 * row + j].begin(), larger[2 * row + j].end());
      }
    }
    EXPECT_EQ(values(maximum(a, b)[by]), expected);
  }
}

TEST(Gather, AlongAnAxis) {
  for (const std::string& device : devices()) {
    const Tensor x = counting({2, 3}, device);
    EXPECT_EQ(values(x.gather(1, Tensor({2, 0, 1, 1}, Shape{2, 2}, device))),
              (std::vector{2, 0, 4, 4}));
    EXPECT_EQ(values(x.gather(0, Tensor({1, 0, 1}, Shape{1, 3}, device))), (std::vector{3, 1, 5}));
  }
}

TEST(Set, PartsInPlace) {
  for (const std::string& device : devices()) {
    Tensor x = counting({3, 4}, device);
    x.set({1}, 100);
    x.set({Slice(), Slice(1, 3)}, Tensor({-1, -2}, {}, device));
    EXPECT_EQ(values(x), (std::vector{0, -1, -2, 3, 100, -1, -2, 100, 8, -1, -2, 11}));
    x.set({Slice({}, {}, -1), 0}, Tensor({1, 2, 3}, {}, device));
    EXPECT_EQ(values(x), (std::vector{3, -1, -2, 3, 2, -1, -2, 100, 1, -1, -2, 11}));
    x.set({Slice({}, {}, 2), Slice({}, {}, -3)}, 0.9);
    EXPECT_EQ(values(x), (std::vector{0, -1, -2, 0, 2, -1, -2, 100, 0, -1, -2, 0}));
    x.set({Ellipsis}, x + 1);
    EXPECT_EQ(values(x.index({0})), (std::vector{1, 0, -1, 1}));
  }
}

TEST(Set, OfOverlappingPartsReadsTheOldValues) {
  for (const std::string& device : devices()) {
    Tensor x = counting({6}, device);
    x.set({Slice(1, {})}, x.index({Slice({}, 5)}));
    EXPECT_EQ(values(x), (std::vector{0, 0, 1, 2, 3, 4}));
    x.set({Slice()}, x.flip(0));
    EXPECT_EQ(values(x), (std::vector{4, 3, 2, 1, 0, 0}));
  }
}

TEST(Set, OfAnExpressionGivesItMemory) {
  for (const std::string& device : devices()) {
    Tensor x = counting({4}, device) * 2;
    x.set({Slice(0, 2)}, 7);
    Tensor zeros = Tensor::zeros({3}, kInt32);
    zeros.set({1}, 5);
    EXPECT_EQ(values(x), (std::vector{7, 7, 4, 6}));
    EXPECT_EQ(values(zeros), (std::vector{0, 5, 0}));
  }
}

TEST(IndexErrors, SayWhatIsAllowed) {
  Tensor x = Tensor::zeros({2, 3});
  EXPECT_EQ(error_of([&] { x[2]; }), "index: 2 on axis 0 of float32 (2, 3), expected -2 to 1");
  EXPECT_EQ(error_of([&] { x.index({0, 0, 0}); }),
            "index: 3 numbers, slices and tensors for float32 (2, 3), expected 2 or less");
  EXPECT_EQ(error_of([&] { x.index({Ellipsis, Ellipsis}); }), "index: more than one Ellipsis");
  EXPECT_EQ(error_of([&] { x.index({Slice(0, 1, 0)}); }), "index: a slice with step 0");
  EXPECT_EQ(error_of([&] { x[Tensor({1.0F})]; }),
            "index: an index tensor of float32 (1), expected integers (for a mask use where)");
  EXPECT_EQ(error_of([&] { x.set({Tensor({1})}, 0); }),
            "set: an index tensor, expected numbers and slices");
  EXPECT_EQ(
      error_of([&] { x.set({0}, Tensor::zeros({2})); }),
      "expand: float32 (2) to (3), expected 1 or more axes, equal where the tensor's is not 1");
}

}  // namespace
}  // namespace loom::testing
