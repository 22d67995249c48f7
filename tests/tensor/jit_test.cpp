// The contract of Jit, one promise a test.
#include "loom/jit.h"

#include <thread>

#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

std::vector<int> values(const Tensor& x) { return x.to_vector<int>(); }
Tensor input(int value, const std::string& device) {
  return Tensor({value, value + 1}, {}, device);
}

TEST(Jit, ReplaysWithNewInputsFromTheThirdCallOn) {
  for (const std::string& device : devices()) {
    int runs = 0;
    Jit f([&](const Tensor& x) {
      runs++;
      return (x * 2).realize() + 1;
    });
    for (int i = 0; i < 6; i++)
      EXPECT_EQ(values(f(input(i, device))), (std::vector{2 * i + 1, 2 * i + 3}));
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(f.launch_count(), 2U);
  }
}

TEST(Jit, TakesAndReturnsVectorsAndTuples) {
  for (const std::string& device : devices()) {
    Jit f([](const std::vector<Tensor>& list, const Tensor& y) {
      return std::tuple(list[0] + y, std::vector{list[1] - y, y * 2});
    });
    for (int i = 0; i < 4; i++) {
      const auto [sum, rest] =
          f(std::vector{input(i, device), input(10, device)}, input(1, device));
      EXPECT_EQ(values(sum), (std::vector{i + 1, i + 3}));
      ASSERT_EQ(rest.size(), 2U);
      EXPECT_EQ(values(rest[0]), (std::vector{9, 9}));
      EXPECT_EQ(values(rest[1]), (std::vector{2, 4}));
    }
  }
}

TEST(Jit, RefusesOtherShapesTypesAndDevices) {
  Jit f([](const Tensor& x, const std::vector<Tensor>& y) { return x + y[0]; });
  const Tensor x({1.0F, 2.0F});
  for (int i = 0; i < 3; i++) {
    f(x, std::vector{x});
    EXPECT_EQ(error_of([&] { f(x, std::vector{Tensor({1.0F})}); }),
              "Jit: argument 1 is float32 (1) on CPU, expected float32 (2) on CPU");
    EXPECT_EQ(error_of([&] { f(Tensor({1, 2}), std::vector{x}); }),
              "Jit: argument 0 is int32 (2) on CPU, expected float32 (2) on CPU");
    EXPECT_EQ(error_of([&] { f(x, std::vector{x, x}); }),
              "Jit: 3 tensors in lists of (2), expected 2 in lists of (1)");
  }
}

TEST(Jit, TakesTheSameTensorTwice) {
  for (const std::string& device : devices()) {
    Jit f([](const Tensor& x, const Tensor& y) { return x * 10 + y; });
    for (int i = 0; i < 3; i++) {
      const Tensor x = input(i, device);
      EXPECT_EQ(values(f(x, x)), (std::vector{11 * i, 11 * (i + 1)}));
    }
    EXPECT_EQ(values(f(input(1, device), input(5, device))), (std::vector{15, 26}));
    const Tensor x = input(7, device);
    EXPECT_EQ(values(f(x, x)), (std::vector{77, 88}));
  }
}

TEST(Jit, TakesViewsExpressionsAndConstants) {
  for (const std::string& device : devices()) {
    Jit f([](const Tensor& x) { return x + 1; });
    const Tensor base = Tensor({1, 2, 3, 4}, Shape{2, 2}, device);
    EXPECT_EQ(values(f(base.t())), (std::vector{2, 4, 3, 5}));
    EXPECT_EQ(values(f(base * 2)), (std::vector{3, 5, 7, 9}));
    EXPECT_EQ(values(f(base.flip(0))), (std::vector{4, 5, 2, 3}));
    EXPECT_EQ(values(f(Tensor::full({2, 2}, 9).to(device))), (std::vector{10, 10, 10, 10}));
    EXPECT_EQ(values(f(base.reshape({4}).reshape({2, 2}))), (std::vector{2, 3, 4, 5}));
  }
}

TEST(Jit, LeavesEarlierOutputsAsTheyAre) {
  for (const std::string& device : devices()) {
    Jit f([](const Tensor& x) { return x * x; });
    std::vector<Tensor> outputs;
    for (int i = 0; i < 5; i++) outputs.push_back(f(input(i, device)));
    for (int i = 0; i < 5; i++)
      EXPECT_EQ(values(outputs[i]), (std::vector{i * i, (i + 1) * (i + 1)}));
  }
}

TEST(Jit, TakesItsOutputBackAsInput) {
  for (const std::string& device : devices()) {
    Jit f([](const Tensor& x, const Tensor& y) { return std::tuple(x + y, x); });
    Tensor x = input(1, device), y = input(1, device);
    std::vector<int> a = {1, 2}, b = {1, 2};
    for (int i = 0; i < 8; i++) {
      std::tie(x, y) = f(x, y);
      for (int k = 0; k < 2; k++) b[k] = std::exchange(a[k], a[k] + b[k]);
      EXPECT_EQ(values(x), a);
      EXPECT_EQ(values(y), b);
    }
  }
}

TEST(Jit, ReturnsInputsAndConstantsAsNewTensors) {
  for (const std::string& device : devices()) {
    Jit f(
        [&](const Tensor& x) { return std::vector{x, x, Tensor::full({2}, 3).to(device), x + 1}; });
    for (int i = 0; i < 4; i++) {
      Tensor x = input(i, device);
      const std::vector<Tensor> out = f(x);
      x.assign(0);
      EXPECT_EQ(values(out[0]), (std::vector{i, i + 1}));
      EXPECT_EQ(values(out[1]), (std::vector{i, i + 1}));
      EXPECT_EQ(values(out[2]), (std::vector{3, 3}));
      EXPECT_EQ(values(out[3]), (std::vector{i + 1, i + 2}));
    }
  }
}

TEST(Jit, AssignsToInputsWhereTheCallerSeesIt) {
  for (const std::string& device : devices()) {
    Jit f([](Tensor x) {
      x.assign(x * 2);
      return x + 1;
    });
    for (int i = 0; i < 4; i++) {
      Tensor x = input(i, device);
      const Tensor before = x + 0, view = x.reshape({2, 1});
      EXPECT_EQ(values(f(x)), (std::vector{2 * i + 1, 2 * i + 3}));
      EXPECT_EQ(values(x), (std::vector{2 * i, 2 * i + 2}));
      EXPECT_EQ(values(before), (std::vector{i, i + 1}));
      EXPECT_EQ(values(view), (std::vector{i, i + 1}));
    }
  }
}

TEST(Jit, AssignsToTensorsItDidNotTake) {
  for (const std::string& device : devices()) {
    Tensor total = Tensor::zeros({2}, kInt32).to(device);
    Jit f([&](const Tensor& x) {
      total.assign(total + x);
      return total;
    });
    std::vector<Tensor> outputs;
    for (int i = 0; i < 5; i++) outputs.push_back(f(input(i, device)));
    EXPECT_EQ(values(total), (std::vector{10, 15}));
    EXPECT_EQ(values(outputs[1]), (std::vector{1, 3}));
    EXPECT_EQ(values(outputs[3]), (std::vector{6, 10}));
    total.assign(0);
    f(input(1, device));
    EXPECT_EQ(values(total), (std::vector{1, 2}));
  }
}

TEST(Jit, AssignsToOneOfTwoEqualInputs) {
  for (const std::string& device : devices()) {
    Jit f([](Tensor x, const Tensor& y) {
      x.assign(x + 100);
      return x + y;
    });
    for (int i = 0; i < 4; i++) {
      const Tensor x = input(i, device);
      EXPECT_EQ(values(f(x, x)), (std::vector{2 * i + 100, 2 * i + 102}));
      EXPECT_EQ(values(x), (std::vector{i + 100, i + 101}));
    }
  }
}

TEST(Jit, RefusesToLookAtWhatItCaptures) {
  Tensor weight({5});
  Jit f([&](const Tensor& x) { return x * (x.sum().item<int>() + weight.item<int>()); });
  const Tensor x({1, 2});
  EXPECT_EQ(values(f(x)), (std::vector{8, 16}));
  EXPECT_NE(error_of([&] { f(x); }).find("inside a Jit"), std::string::npos);
  Jit g([&](const Tensor& y) { return y * weight.item<int>(); });
  for (int i = 0; i < 3; i++) EXPECT_EQ(values(g(x)), (std::vector{5, 10}));
}

TEST(Jit, LeavesNothingBehindWhenTheFunctionThrows) {
  int runs = 0;
  Jit f([&](const Tensor& x) {
    runs++;
    if (runs == 1 || runs == 3) throw std::runtime_error("no");
    return x + 1;
  });
  const Tensor x({1, 2});
  EXPECT_THROW(f(x), std::runtime_error);
  EXPECT_EQ(values(f(x)), (std::vector{2, 3}));
  EXPECT_THROW(f(x), std::runtime_error);
  EXPECT_EQ(values((x * 3).realize()), (std::vector{3, 6}));
  EXPECT_EQ(values(f(x)), (std::vector{2, 3}));
  EXPECT_EQ(values(f(input(4, "CPU"))), (std::vector{5, 6}));
  EXPECT_EQ(runs, 4);
}

TEST(Jit, PrunesWhatDoesNotDependOnTheInputs) {
  for (const std::string& device : devices()) {
    const Tensor w = Tensor::arange(64).cast(kInt32).reshape({8, 8}).to(device).realize();
    const auto body = [&](const Tensor& x) {
      const Tensor table = (w * w).contiguous(), sums = table.sum(1).cast(kInt32).contiguous();
      return (x + sums).contiguous() * table.max();
    };
    Jit plain(body), pruned(body, {.prune = true});
    for (int i = 0; i < 5; i++) {
      const Tensor x = Tensor::full({8}, i).to(device).contiguous();
      EXPECT_EQ(values(pruned(x)), values(body(x)));
      EXPECT_EQ(values(plain(x)), values(body(x)));
    }
    EXPECT_LT(pruned.launch_count(), plain.launch_count());
    EXPECT_GT(pruned.launch_count(), 0U);
  }
}

TEST(Jit, InsideAJitIsPartOfIt) {
  for (const std::string& device : devices()) {
    Jit inner([](const Tensor& x) { return x + 1; });
    Jit outer([&](const Tensor& x) { return inner(x * 2) * 3; });
    for (int i = 0; i < 5; i++)
      EXPECT_EQ(values(outer(input(i, device))), (std::vector{6 * i + 3, 6 * i + 9}));
    EXPECT_EQ(values(inner(input(4, device))), (std::vector{5, 6}));
  }
}

TEST(Jit, TakesEmptyTensors) {
  Jit f(
      [](const Tensor& x, const Tensor& y) { return std::tuple(x + 1, y + x.sum().cast(kInt32)); });
  for (int i = 0; i < 4; i++) {
    const auto [empty, y] = f(Tensor::zeros({0, 3}), input(i, "CPU"));
    EXPECT_EQ(empty.shape(), (Shape{0, 3}));
    EXPECT_EQ(values(y), (std::vector{i, i + 1}));
  }
}

TEST(Jit, ServesOneThreadEach) {
  std::vector<std::thread> threads;
  std::vector<int> failures(4);
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([t, &failures] {
      Tensor state = Tensor::zeros({2}, kInt32);
      Jit f([&](const Tensor& x) {
        state.assign(state + x);
        return x * (t + 1);
      });
      for (int i = 0; i < 20; i++) {
        failures[t] += values(f(input(i, "CPU"))) != std::vector{i * (t + 1), (i + 1) * (t + 1)};
      }
      failures[t] += values(state) != std::vector{190, 210};
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, (std::vector{0, 0, 0, 0}));
}

}  // namespace
}  // namespace loom::testing
