#include "ir/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>

#include "ir/build.h"

namespace loom {
namespace {

// A different graph for each number.
Id build(Graph& g, int64_t number, int nodes = 50) {
  Id x = index_const(g, number);
  for (int i = 0; i < nodes; i++) x = add(g, x, index_const(g, number * 1000 + i));
  return x;
}

int64_t value_of(Session::Access& access, const Root& root) {
  return access.graph().bounds(access[root]).lo;
}

size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST(Session, KeepsWhatRootsNeedWhenItCompacts) {
  Session session;
  Root root = [&] {
    Session::Access access = session.access();
    return access.root(build(access.graph(), 7));
  }();
  const auto read = [&] {
    Session::Access access = session.access();
    return value_of(access, root);
  };
  const int64_t expected = read();
  for (int64_t i = 0; i < 2000; i++) {
    Session::Access access = session.access();
    access.root(build(access.graph(), 100 + i));
  }
  EXPECT_EQ(read(), expected);
  EXPECT_LT(session.access().graph().size(), 12000U);
}

TEST(Session, DroppedRootsFreeTheirPlaces) {
  Session session;
  for (int64_t i = 0; i < 1000; i++) {
    Session::Access access = session.access();
    const Root root = access.root(build(access.graph(), i, 1));
    EXPECT_LT(root.place(), 2U);
  }
}

TEST(Session, RootsMove) {
  Session session;
  Session::Access access = session.access();
  Root first = access.root(index_const(access.graph(), 1));
  Root second = access.root(index_const(access.graph(), 2));
  second = std::move(first);
  EXPECT_EQ(value_of(access, second), 1);
  Root third = std::move(second);
  EXPECT_EQ(value_of(access, third), 1);
  EXPECT_TRUE(Root().is_empty());
}

TEST(Session, ARootCanReferToAnotherNode) {
  Session session;
  Session::Access access = session.access();
  const Root root = access.root(index_const(access.graph(), 1));
  access.set(root, index_const(access.graph(), 5));
  EXPECT_EQ(value_of(access, root), 5);
}

TEST(Session, ListsItsLiveRootsAndReplacesBelowThem) {
  Session session;
  Session::Access access = session.access();
  Graph& g = access.graph();
  const Id x = index_const(g, 1), y = index_const(g, 10);
  const Root sum = access.root(add(g, x, x)), product = access.root(mul(g, x, y));
  size_t live = 0;
  for (Id id : access.roots()) live += id != 0;
  EXPECT_EQ(live, 2U);
  access.replace(std::span(&x, 1), std::span(&y, 1));
  EXPECT_EQ(value_of(access, sum), 20);
  EXPECT_EQ(value_of(access, product), 100);
}

TEST(Session, ThreadsShareIt) {
  Session session;
  const auto work = [&](int64_t first) {
    for (int64_t i = first; i < first + 500; i++) {
      std::vector<Root> kept;
      for (int64_t k = 0; k < 3; k++) {
        Session::Access access = session.access();
        kept.push_back(access.root(build(access.graph(), i * 10 + k, 20)));
      }
      for (int64_t k = 0; k < 3; k++) {
        Session::Access access = session.access();
        Graph alone;
        EXPECT_EQ(value_of(access, kept[k]), alone.bounds(build(alone, i * 10 + k, 20)).lo);
      }
    }
  };
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; t++) threads.emplace_back(work, t * 10000);
  for (std::thread& thread : threads) thread.join();
}

TEST(Session, MemoryStaysFlatOverManyDifferentGraphs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  Session session;
  const auto cycle = [&](int64_t number) {
    Session::Access access = session.access();
    const Root root = access.root(build(access.graph(), number, 20));
    access.graph().bounds(access[root]);
  };
  for (int64_t i = 0; i < 1000; i++) cycle(i);
  const size_t before = resident_bytes();
  for (int64_t i = 1000; i < 100000; i++) cycle(i);
  EXPECT_LT(resident_bytes(), before + (size_t{4} << 20));
}

}  // namespace
}  // namespace loom
