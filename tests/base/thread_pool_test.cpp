#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <numeric>
#include <random>
#include <set>
#include <string>

#include "base/error.h"
#include "base/timing.h"

namespace loom {
namespace {

TEST(ThreadPool, CallsEveryIndexOnce) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.threads(), 4U);
  for (size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 1000U}) {
    std::vector<std::atomic<int>> calls(count);
    pool.parallel_for(count, [&](size_t i) { calls[i]++; });
    for (auto& n : calls) EXPECT_EQ(n, 1);
  }
}

TEST(ThreadPool, UsesSeveralThreads) {
  ThreadPool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  // Three bodies that wait for each other can only end on three threads.
  std::atomic<int> arrived{0};
  pool.parallel_for(3, [&](size_t) {
    arrived++;
    while (arrived < 3) std::this_thread::yield();
    std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
}

TEST(ThreadPool, APoolOfOneRunsOnTheCaller) {
  ThreadPool pool(1);
  std::vector<size_t> order;
  pool.parallel_for(4, [&](size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(ThreadPool, NestedLoopsRunInline) {
  ThreadPool pool(3);
  std::atomic<int> calls{0};
  pool.parallel_for(8, [&](size_t) {
    auto caller = std::this_thread::get_id();
    pool.parallel_for(8, [&](size_t) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      calls++;
    });
  });
  EXPECT_EQ(calls, 64);
}

TEST(ThreadPool, TheExceptionOfTheLowestIndexComesOut) {
  ThreadPool pool(4);
  for (int round = 0; round < 100; round++) {
    std::string text;
    try {
      pool.parallel_for(64, [&](size_t i) {
        if (i % 10 == 7) fail<UserError>("index ", i);
      });
    } catch (const UserError& error) {
      text = error.what();
    }
    EXPECT_EQ(text, "index 7");
  }
  int calls = 0;
  pool.parallel_for(1, [&](size_t) { calls++; });
  EXPECT_EQ(calls, 1);
}

TEST(ThreadPool, SeveralCallersAtOnceGetTheirOwnResults) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (size_t caller = 0; caller < 4; caller++) {
    callers.emplace_back([&, caller] {
      for (size_t round = 0; round < 200; round++) {
        std::vector<size_t> values(50);
        pool.parallel_for(values.size(), [&](size_t i) { values[i] = i * (caller + round); });
        size_t sum = std::accumulate(values.begin(), values.end(), size_t{0});
        if (sum != 1225 * (caller + round)) wrong++;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, FuzzLoopsOfEverySizeWithAndWithoutPauses) {
  ThreadPool pool(4);
  std::mt19937 random(1);
  for (int round = 0; round < 3000; round++) {
    size_t count = random() % 40;
    std::atomic<size_t> sum{0};
    pool.parallel_for(count, [&](size_t i) { sum += i + 1; });
    ASSERT_EQ(sum, count * (count + 1) / 2);
    // Around the length of the spin, where a waking and a falling asleep thread can miss each
    // other.
    if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
  }
}

TEST(ThreadPool, AnIdlePoolUsesNoProcessorTime) {
  ThreadPool pool(4);
  pool.parallel_for(4, [](size_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  auto used_us = [] {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
  };
  auto before = used_us();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LT(used_us() - before, 5000);
}

}  // namespace
}  // namespace loom
