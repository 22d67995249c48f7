// Several threads build, realize, assign and print at once; and nothing grows in a process that
// runs for long.
#include <fstream>
#include <thread>

#include "engine/engine.h"
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

void on_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; t++) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, ThreadsBuildAndRealizeTheirOwnTensors) {
  on_threads(4, [](int t) {
    for (int i = 0; i < 30; i++) {
      const Tensor x = Tensor::arange(12).reshape({3, 4}) + t;
      const Tensor y = (x * (i % 5)).sum(1), z = x.t().matmul(x);
      ASSERT_EQ(y.to_vector<int>(), (std::vector{(6 + 4 * t) * (i % 5), (22 + 4 * t) * (i % 5),
                                                 (38 + 4 * t) * (i % 5)}));
      ASSERT_EQ(z[0][0].item<int>(), t * t + (4 + t) * (4 + t) + (8 + t) * (8 + t));
    }
  });
}

TEST(Concurrency, ThreadsShareTensorsAndRealizeThemTogether) {
  for (int round = 0; round < 10; round++) {
    const Tensor base = Tensor::arange(100).contiguous() * (round + 2);
    const Tensor shared = base + 1;
    on_threads(4, [&](int t) {
      const Tensor mine = shared * (t + 1);
      ASSERT_EQ(mine.to_vector<int>()[99], (99 * (round + 2) + 1) * (t + 1));
      ASSERT_EQ(shared.to_vector<int>()[1], round + 3);
    });
  }
}

TEST(Concurrency, ReadersKeepTheValuesThatAnotherThreadOverwrites) {
  Tensor counter({0, 0, 0});
  counter.realize();
  std::vector<Tensor> snapshots;
  for (int i = 0; i < 50; i++) {
    snapshots.push_back(counter + 0);
    counter.assign(counter + 1);
  }
  on_threads(4, [&](int t) {
    for (int i = t; i < 50; i += 4)
      ASSERT_EQ(snapshots[i].to_vector<int>(), (std::vector{i, i, i}));
  });
  EXPECT_EQ(counter.to_vector<int>(), (std::vector{50, 50, 50}));
}

TEST(Concurrency, AssignmentsOfEachThreadStayInOrder) {
  on_threads(4, [](int t) {
    Tensor x({1}), y({1});
    int a = 1, b = 1;
    for (int i = 0; i < 25; i++) {
      x.assign(x + y * t);
      a += b * t;
      y.assign((x + i) % 1000);
      b = (a + i) % 1000;
      a %= 1000;
      x.assign(x % 1000);
    }
    ASSERT_EQ(x.item<int>(), a);
    ASSERT_EQ(y.item<int>(), b);
  });
}

TEST(Concurrency, AssignedTensorsMayGoWhileOthersLookForThem) {
  on_threads(4, [](int t) {
    Jit f([](const Tensor& x) { return x * 2; });  // each call realizes what is assigned
    for (int i = 0; i < 50; i++) {
      Tensor gone({i});
      gone.assign(gone + t);
      ASSERT_EQ(f(Tensor({i, t})).to_vector<int>(), (std::vector{2 * i, 2 * t}));
    }
  });
}

int64_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident;
}

TEST(Growth, ManyStepsOfTheSameProgramNeedNoMoreMemory) {
  Tensor x = Tensor::zeros({64}).contiguous().realize();
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; i++) x = (x * 0.5 + 1).realize();
  };
  run(2000);
  const int64_t pages = resident_pages();
  const size_t buffers = engine().buffers().size();
  run(20000);
  EXPECT_LE(engine().buffers().size(), buffers + 20);
  EXPECT_LT(resident_pages() - pages, 2000);  // of 4 KB
}

TEST(Growth, ManyPendingAssignmentsTakeTheirTimeOnce) {
  Tensor x({1});
  for (int i = 0; i < 20000; i++) x.assign(x + 1);
  EXPECT_EQ(x.item<int>(), 20001);
}

TEST(Growth, AGraphOfManyStepsIsRealizedWithoutRecursion) {
  Tensor x = Tensor({1}).contiguous();
  for (int i = 0; i < 20000; i++) x = x + 1;
  EXPECT_EQ(x.item<int>(), 20001);
}

}  // namespace
}  // namespace loom::testing
