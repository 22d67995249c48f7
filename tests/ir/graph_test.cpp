#include "ir/graph.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "ir/build.h"

namespace loom {
namespace {

TEST(Interning, EqualPartsGiveTheSameNode) {
  Graph g;
  const Id one = index_const(g, 1), two = index_const(g, 2);
  EXPECT_NE(one, two);
  EXPECT_EQ(index_const(g, 1), one);
  EXPECT_EQ(add(g, one, two), add(g, one, two));
  EXPECT_NE(add(g, one, two), add(g, two, one));
  EXPECT_EQ(g.size(), 5U);  // none, 1, 2 and two sums
}

TEST(Interning, EveryPartCounts) {
  Graph g;
  const Id x = constant(g, kInt32, 1), y = constant(g, kInt32, 2), z = constant(g, kInt32, 3);
  const Id node = g.add(Op::kCustom, kInt32, {x, y}, 7);
  EXPECT_NE(g.add(Op::kGetTuple, kInt32, {x, y}, 7), node);
  EXPECT_NE(g.add(Op::kCustom, kUInt32, {x, y}, 7), node);
  EXPECT_NE(g.add(Op::kCustom, kInt32.vec(4), {x, y}, 7), node);
  EXPECT_NE(g.add(Op::kCustom, kInt32, {x, z}, 7), node);
  EXPECT_NE(g.add(Op::kCustom, kInt32, {x}, 7), node);
  EXPECT_NE(g.add(Op::kCustom, kInt32, {x, y}, 8), node);
}

TEST(Interning, LongSourceListsAreSharedAndKeptApart) {
  Graph g;
  std::vector<Id> list;
  for (int i = 0; i < 100; i++) list.push_back(index_const(g, i));
  const Id whole = g.add(Op::kSink, kVoid, list);
  EXPECT_EQ(g.add(Op::kSink, kVoid, list), whole);
  EXPECT_TRUE(std::ranges::equal(g.src(whole), list));
  for (size_t length = 0; length < list.size(); length++) {
    const Id part = g.add(Op::kSink, kVoid, std::span(list).first(length));
    EXPECT_NE(part, whole);
    EXPECT_TRUE(std::ranges::equal(g.src(part), std::span(list).first(length)));
  }
  std::swap(list[98], list[99]);
  EXPECT_NE(g.add(Op::kSink, kVoid, list), whole);
}

TEST(Interning, SourcesMayLieInTheGraphItself) {
  Graph g(8);
  std::vector<Id> list(5, index_const(g, 0));
  Id node = g.add(Op::kSink, kVoid, list);
  for (int i = 0; i < 1000; i++) node = g.add(Op::kSink, kVoid, g.src(node), i);
  EXPECT_TRUE(std::ranges::equal(g.src(node), list));
  Id sum = add(g, list[0], list[0]);
  for (int i = 1; i < 1000; i++) sum = g.add(Op::kCustom, kIndex, g.src(sum), i);
  EXPECT_TRUE(std::ranges::equal(g.src(sum), std::span(list).first(2)));
}

TEST(Interning, FindSeesOnlyWhatIsThere) {
  Graph g;
  const Id x = index_const(g, 4);
  EXPECT_EQ(g.find(Op::kConst, kIndex, {}, 4), x);
  EXPECT_EQ(g.find(Op::kConst, kIndex, {}, 5), 0U);
  EXPECT_EQ(g.size(), 2U);
}

TEST(Payloads, EqualContentGivesAnEqualHandle) {
  Graph g;
  EXPECT_EQ(g.text("kernel"), g.text("kernel"));
  EXPECT_NE(g.text("kernel"), g.text("kernels"));
  EXPECT_EQ(g.text(""), 0);
  EXPECT_EQ(g.ints({}), 0);
  const int64_t handle = g.ints({1, 0, 2});
  const std::span<const int64_t> values = g.ints_of(handle);
  for (int64_t i = 0; i < 1000; i++) g.ints({i});
  EXPECT_EQ(g.ints({1, 0, 2}), handle);
  EXPECT_EQ(std::vector<int64_t>(values.begin(), values.end()), (std::vector<int64_t>{1, 0, 2}));
  EXPECT_EQ(g.text_of(g.text(std::string_view("a\0b", 3))).size(), 3U);
}

TEST(Payloads, AHandleOfNothingIsAnError) {
  Graph g;
  EXPECT_THROW(g.ints_of(77), InternalError);
  EXPECT_THROW(g.text_of(-1), InternalError);
}

TEST(Graph, MovesWithItsContents) {
  Graph g;
  const Id x = index_const(g, 3), sum = add(g, x, x);
  const int64_t name = g.text("name");
  Graph moved = std::move(g);
  EXPECT_EQ(add(moved, x, x), sum);
  EXPECT_EQ(moved.text_of(name), "name");
  EXPECT_EQ(moved.bounds(sum), (Interval{6, 6}));
}

// Mean and longest search for a free or matching slot, in cache lines, over keys added in a fixed
// pattern.
struct ProbeCount {
  double mean = 0;
  uint64_t longest = 0;
};

template <class AddNext>
ProbeCount probes_of(int count, const AddNext& add_next) {
  Graph g;
  ProbeCount result;
  std::vector<Id> ids;
  for (int i = 0; i < count; i++) {
    const uint64_t before = g.stats().probes;
    const uint64_t lookups = g.stats().lookups;
    ids.push_back(add_next(g, ids, i));
    if (g.stats().lookups == lookups + 1)
      result.longest = std::max(result.longest, g.stats().probes - before);
  }
  result.mean = static_cast<double>(g.stats().probes) / static_cast<double>(g.stats().lookups);
  return result;
}

using Ids = const std::vector<Id>&;

TEST(ProbeLengths, StayShortForRegularGraphs) {
  const auto spread_consts = [](Graph& g, Ids, int i) { return index_const(g, int64_t{i} << 32); };
  const auto float_consts = [](Graph& g, Ids, int i) {
    return constant(g, kFloat32, static_cast<double>(i));
  };
  const auto grid = [](Graph& g, Ids ids, int i) {
    if (i < 400) return index_const(g, i);
    const int k = i - 400;
    return add(g, ids[k / 400 % 400], ids[k % 400]);
  };
  const auto chain = [](Graph& g, Ids ids, int i) {
    return i == 0 ? index_const(g, 1) : add(g, ids.back(), ids[0]);
  };
  const auto lists = [](Graph& g, Ids ids, int i) {
    if (i < 300) return index_const(g, i);
    const Id list[] = {ids[0], ids[1], ids[2], ids[i / 300 % 300], ids[i % 300]};
    return g.add(Op::kSink, kVoid, list);
  };
  const auto lanes = [](Graph& g, Ids, int i) {
    return g.add(Op::kLanes, kIndex.vec(1 + i % 60000));
  };
  const auto consecutive = [](Graph& g, Ids, int i) { return index_const(g, i); };
  const auto check = [](const char* name, ProbeCount count) {
    // Every lookup here is of a new key, in a table a quarter to a half full. At worst the bucket
    // beside the sources is full each time; random keys in buckets of twelve then take 1.1.
    EXPECT_LT(count.mean, 2.2) << name;
    EXPECT_LT(count.longest, 24U) << name;
  };
  constexpr int kCount = 150000;
  check("consecutive constants", probes_of(kCount, consecutive));
  check("constants in the high half", probes_of(kCount, spread_consts));
  check("consecutive floats", probes_of(kCount, float_consts));
  check("grid of sums", probes_of(kCount, grid));
  check("chain", probes_of(kCount, chain));
  check("long lists that differ at the end", probes_of(kCount, lists));
  check("lane counts", probes_of(60000, lanes));
}

TEST(Memory, IsThirtyTwoBytesANodeAndTheTable) {
  constexpr size_t kCount = 100000;
  Graph g(kCount);
  for (size_t i = 0; i < kCount; i++) index_const(g, static_cast<int64_t>(i));
  EXPECT_LT(g.bytes(), kCount * (32 + 22) + 10000);  // 64 bytes of the table for 3 to 6 nodes
}

TEST(DeepGraph, EveryPropertyAndWalkIsALoop) {
  constexpr int kDepth = 100000;
  Graph g;
  const Id r = range(g, 10, 0, AxisType::kLoop);
  Id x = r;
  for (int i = 0; i < kDepth; i++) x = add(g, x, index_const(g, i % 7));
  EXPECT_EQ(g.bounds(x).lo, g.bounds(x).hi - 9);
  EXPECT_TRUE(g.depends_on(x, r));
  EXPECT_EQ(g.shape(x).size(), 1U);
  Graph copy;
  EXPECT_EQ(structural_hash(copy, import(copy, g, x)), structural_hash(g, x));
  const Id other = range(g, 20, 0, AxisType::kLoop);
  const Id moved = substitute(g, x, std::span(&r, 1), std::span(&other, 1));
  EXPECT_EQ(g.bounds(moved).hi, g.bounds(x).hi + 10);
}

}  // namespace
}  // namespace loom
