#include <gtest/gtest.h>

#include "ir/build.h"
#include "ir/graph.h"

namespace loom {
namespace {

using Ids = std::vector<Id>;

class LiveRangesTest : public testing::Test {
 protected:
  Ids ranges(Id id) {
    const std::span<const Id> found = g.ranges(id);
    return {found.begin(), found.end()};
  }
  Graph g;
  Id i = range(g, 4, 0, AxisType::kLoop);
  Id j = range(g, 5, 1, AxisType::kLoop);
  Id k = range(g, 6, 2, AxisType::kReduce);
  Id p = g.add(Op::kParam, kFloat32, {index_const(g, 120)}, 0);
};

TEST_F(LiveRangesTest, AreTheUnionOfTheSources) {
  EXPECT_EQ(ranges(i), Ids{i});
  EXPECT_EQ(ranges(add(g, mul(g, j, i), k)), (Ids{i, j, k}));
  EXPECT_EQ(ranges(index_const(g, 3)), Ids{});
  EXPECT_TRUE(g.depends_on(add(g, i, j), j));
  EXPECT_FALSE(g.depends_on(add(g, i, j), k));
}

TEST_F(LiveRangesTest, AReductionClosesItsRanges) {
  const Id sum = reduce(g, Op::kAdd, add(g, i, k), std::span(&k, 1));
  EXPECT_EQ(ranges(sum), Ids{i});
  EXPECT_EQ(ranges(add(g, sum, j)), (Ids{i, j}));
}

TEST_F(LiveRangesTest, EndAndStageCloseTheirs) {
  const Id effect = store(g, index(g, p, add(g, i, j)), constant(g, kFloat32, 0));
  EXPECT_EQ(ranges(effect), (Ids{i, j}));
  EXPECT_EQ(ranges(g.add(Op::kEnd, kVoid, {effect, j})), Ids{i});
  EXPECT_EQ(ranges(g.add(Op::kEnd, kVoid, {effect, i, j})), Ids{});
  EXPECT_EQ(ranges(g.add(Op::kStage, kIndex, {add(g, i, k), i}, 0)), Ids{k});
}

TEST_F(LiveRangesTest, EndClosesTheRangesOfAnExpression) {
  const Id effect = store(g, index(g, p, add(g, i, j)), constant(g, kFloat32, 0));
  EXPECT_EQ(ranges(g.add(Op::kEnd, kVoid, {effect, add(g, i, mul(g, j, i))})), Ids{});
}

TEST_F(LiveRangesTest, AfterHasThoseOfItsEffects) {
  const Id effect = store(g, index(g, p, i), constant(g, kFloat32, 0));
  EXPECT_EQ(ranges(g.add(Op::kAfter, kFloat32, {p, effect})), Ids{i});
  const Id closed = g.add(Op::kEnd, kVoid, {effect, i});
  EXPECT_EQ(ranges(g.add(Op::kAfter, kFloat32, {p, closed})), Ids{});
}

TEST_F(LiveRangesTest, ARangeWhoseSizeDependsOnAnotherKeepsBoth) {
  const Id triangle = range(g, add(g, i, index_const(g, 1)), 3, AxisType::kLoop);
  EXPECT_EQ(ranges(triangle), (Ids{i, triangle}));
}

TEST_F(LiveRangesTest, ProgramsHaveNone) {
  EXPECT_EQ(ranges(g.add(Op::kLinear, kVoid, {i, j, k})), Ids{});
}

TEST_F(LiveRangesTest, AWideGraphStaysLinear) {
  Ids open;
  for (int axis = 0; axis < 50; axis++) open.push_back(range(g, 2, 10 + axis, AxisType::kLoop));
  Id sum = open[0];
  for (int step = 0; step < 200000; step++) sum = add(g, sum, open[step % 50]);
  EXPECT_EQ(ranges(sum), open);
  EXPECT_LT(g.bytes(), size_t{40} << 20);
}

}  // namespace
}  // namespace loom
