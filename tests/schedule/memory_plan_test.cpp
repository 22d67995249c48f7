#include "schedule/memory_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom {
namespace {

void expect_disjoint(std::span<const Lifetime> lifetimes, const MemoryPlan& plan) {
  for (size_t a = 0; a < lifetimes.size(); a++) {
    EXPECT_EQ(plan.temps[a].offset % 64, 0);
    EXPECT_LE(plan.temps[a].offset + lifetimes[a].bytes, plan.arena_bytes);
    for (size_t b = 0; b < a; b++) {
      const bool in_time =
          lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
      const TempBuffer &x = plan.temps[a], &y = plan.temps[b];
      const bool in_space =
          x.offset < y.offset + lifetimes[b].bytes && y.offset < x.offset + lifetimes[a].bytes;
      EXPECT_FALSE(in_time && in_space && x.device == y.device) << a << " and " << b << " overlap";
    }
  }
}

int64_t peak(std::span<const Lifetime> lifetimes, size_t times) {
  int64_t most = 0;
  for (size_t time = 0; time < times; time++) {
    int64_t now = 0;
    for (const Lifetime& life : lifetimes) {
      if (life.first <= time && time <= life.last) now += (life.bytes + 63) / 64 * 64;
    }
    most = std::max(most, now);
  }
  return most;
}

TEST(MemoryPlanFuzz, BuffersThatLiveAtTheSameTimeAreDisjoint) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; round++) {
    std::vector<Lifetime> lifetimes;
    for (int k = 0; k < 60; k++) {
      const size_t first = random() % 50;
      lifetimes.push_back({k, random() % 8 == 0 ? 2u : 1u,
                           1 + static_cast<int64_t>(random() % 1000), first,
                           first + random() % 10});
    }
    const MemoryPlan plan = plan_memory(lifetimes);
    expect_disjoint(lifetimes, plan);
    EXPECT_LE(plan.arena_bytes, 2 * peak(lifetimes, 60));
  }
}

TEST(MemoryPlan, ChainNeedsTwoBuffers) {
  std::vector<Lifetime> lifetimes;
  for (size_t k = 0; k < 20; k++) lifetimes.push_back({static_cast<int64_t>(k), 1, 4096, k, k + 1});
  EXPECT_EQ(plan_memory(lifetimes).arena_bytes, 2 * 4096);
}

TEST(MemoryPlan, ScheduledChainReusesItsMemory) {
  Graph g;
  Id x = oracle::buffer(g, kFloat32, 0, {64, 64});
  for (int k = 1; k <= 30; k++) x = oracle::matmul(g, x, oracle::buffer(g, kFloat32, k, {64, 64}));
  const Schedule scheduled = schedule(g, oracle::realize(g, {x}));
  EXPECT_EQ(scheduled.temps.size(), 29u);
  EXPECT_EQ(scheduled.arena_bytes, 2 * 64 * 64 * 4);
}

// Thirty products, each summed up: only one of them needs to exist at a time.
TEST(MemoryPlan, OrderLetsIntermediatesDieYoung) {
  Graph g;
  std::vector<Id> products;
  for (int k = 0; k < 30; k++) {
    const Id a = oracle::buffer(g, kFloat32, 2 * k, {64, 64}),
             b = oracle::buffer(g, kFloat32, 2 * k + 1, {64, 64});
    products.push_back(oracle::contiguous(g, oracle::matmul(g, a, b)));
  }
  Id total = oracle::number(g, 0);
  for (const Id product : products) {
    const Id sum = oracle::contiguous(g, oracle::reduce_axes(g, Op::kAdd, product, {0, 1}));
    total = add(g, total, oracle::reshape(g, sum, {}));
  }
  const Schedule scheduled = schedule(g, oracle::realize(g, {total}));
  EXPECT_LE(scheduled.arena_bytes, 3 * 64 * 64 * 4);
}

TEST(MemoryPlan, TempsOfAScheduleAreDisjointWhileTheyLive) {
  Graph g;
  const Id sink = oracle::realize(g, {oracle::NetworkBuilder(g).resnet(4, 64, {3, 4, 6, 3})});
  const Schedule scheduled = schedule(g, sink);
  std::vector<Lifetime> lifetimes;
  MemoryPlan plan{scheduled.temps, scheduled.arena_bytes};
  for (const TempBuffer& temp : scheduled.temps) {
    Lifetime life{temp.slot, temp.device, temp.bytes, SIZE_MAX, 0};
    for (size_t time = 0; time < g.src(scheduled.linear).size(); time++) {
      for (const Id buffer : g.src(g.src(scheduled.linear, time)).subspan(1)) {
        if (g.arg(buffer) != temp.slot) continue;
        life.first = std::min(life.first, time);
        life.last = time;
      }
    }
    lifetimes.push_back(life);
  }
  expect_disjoint(lifetimes, plan);
}

}  // namespace
}  // namespace loom
