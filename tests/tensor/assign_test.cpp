// Values: a tensor never changes because another one does, and assign reaches every copy of its
// handle.
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

std::vector<int> values(const Tensor& x) { return x.to_vector<int>(); }

TEST(Assign, ChangesTheTensorAndCopiesOfItsHandle) {
  for (const std::string& device : devices()) {
    Tensor x({1, 2, 3}, {}, device);
    const Tensor copy = x;
    x.assign(x * 10);
    EXPECT_EQ(values(x), (std::vector{10, 20, 30}));
    EXPECT_EQ(values(copy), (std::vector{10, 20, 30}));
  }
}

TEST(Assign, ReachesNoOtherTensor) {
  for (const std::string& device : devices()) {
    Tensor x({1, 2, 3}, {}, device);
    const Tensor lazy = x + 1, view = x.reshape({3, 1}), same = x.cast(kInt32);
    x.assign(0);
    const Tensor after = x + 1;
    EXPECT_EQ(values(x), (std::vector{0, 0, 0}));
    EXPECT_EQ(values(lazy), (std::vector{2, 3, 4}));
    EXPECT_EQ(values(view), (std::vector{1, 2, 3}));
    EXPECT_EQ(values(same), (std::vector{1, 2, 3}));
    EXPECT_EQ(values(after), (std::vector{1, 1, 1}));
  }
}

TEST(Assign, KeepsEveryVersionThatSomebodyStillNeeds) {
  for (const std::string& device : devices()) {
    Tensor x({1, 2}, {}, device);
    const Tensor v0 = x * 1, alias0 = x.reshape({2, 1});
    x.assign(x + 10);
    const Tensor v1 = x * 1, alias1 = x.reshape({1, 2});
    x.assign(x + 100);
    const Tensor v2 = x * 1;
    x.set({0}, -1);
    EXPECT_EQ(values(x), (std::vector{-1, 112}));
    EXPECT_EQ(values(v2), (std::vector{111, 112}));
    EXPECT_EQ(values(alias1), (std::vector{11, 12}));
    EXPECT_EQ(values(v1), (std::vector{11, 12}));
    EXPECT_EQ(values(alias0), (std::vector{1, 2}));
    EXPECT_EQ(values(v0), (std::vector{1, 2}));
  }
}

TEST(Assign, RunsOnceWhoeverAsksForIt) {
  for (const std::string& device : devices()) {
    Tensor x({1}, {}, device);
    x.assign(x + 1);
    const Tensor y = x * 10, z = x * 100;
    EXPECT_EQ(values(y), (std::vector{20}));
    EXPECT_EQ(values(z), (std::vector{200}));
    EXPECT_EQ(values(x), (std::vector{2}));
    x.assign(x + 1);  // the same expression as before, and a new assignment
    EXPECT_EQ(values(x), (std::vector{3}));
  }
}

TEST(Assign, OfTensorsToEachOther) {
  for (const std::string& device : devices()) {
    Tensor x({1, 2}, {}, device), y({3, 4}, {}, device);
    x.assign(y + x);
    y.assign(x * y);
    x.assign(y - x);
    EXPECT_EQ(values(x), (std::vector{12 - 4, 24 - 6}));
    EXPECT_EQ(values(y), (std::vector{12, 24}));
  }
}

TEST(Assign, ToAnAliasLeavesTheOriginalAlone) {
  for (const std::string& device : devices()) {
    Tensor x({1, 2}, {}, device);
    Tensor alias = x.reshape({2, 1});
    alias.realize();
    alias.assign(7);
    EXPECT_EQ(values(alias), (std::vector{7, 7}));
    EXPECT_EQ(values(x), (std::vector{1, 2}));
  }
}

TEST(Assign, BroadcastsAndConverts) {
  Tensor x = Tensor::zeros({2, 2}, kInt8);
  x.assign(Tensor({1.9F, -1.9F}));
  EXPECT_EQ(values(x), (std::vector{1, -1, 1, -1}));
  EXPECT_EQ(
      error_of([&] { x.assign(Tensor({1, 2, 3})); }),
      "expand: int8 (3) to (2, 2), expected 1 or more axes, equal where the tensor's is not 1");
}

TEST(Assign, KeepsItsMemoryThroughManySteps) {
  for (const std::string& device : devices()) {
    Tensor x({0}, {}, device);
    for (int i = 0; i < 50; i++) x.assign(x + i);
    EXPECT_EQ(values(x), (std::vector{49 * 50 / 2}));
    for (int i = 0; i < 50; i++) x.assign(x + 1).realize();
    EXPECT_EQ(values(x), (std::vector{49 * 50 / 2 + 50}));
  }
}

TEST(Realize, ComputesSeveralTogetherAndOnlyOnce) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1, 2, 3}, {}, device) * 2;
    const Tensor y = x + 1, z = x.sum();
    realize({x, y, z});
    EXPECT_EQ(values(y), (std::vector{3, 5, 7}));
    EXPECT_EQ(values(z), (std::vector{12}));
    EXPECT_EQ(values(x.contiguous()), (std::vector{2, 4, 6}));
  }
}

}  // namespace
}  // namespace loom::testing
