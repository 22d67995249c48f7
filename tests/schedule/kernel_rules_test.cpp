// Reductions that need no loop, masks that a load has already, loops that are one.
#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

class KernelRules : public testing::Test {
 protected:
  Id input(const Dims& shape) { return buffer(g, kInt32, next_slot++, shape); }
  Id ones(const Dims& shape) {
    return expand(g, reshape(g, scalar(g, kInt32, 1), Dims(shape.size(), 1)), shape);
  }
  Id counted(const Dims& shape, size_t axis) {
    Dims dims(shape.size(), 1);
    dims[axis] = shape[axis];
    return expand(g, reshape(g, iota(g, shape[axis]), dims), shape);
  }

  /// Schedules `value` into one kernel that computes the right thing, and counts its nodes of an
  /// op.
  size_t count(Op op, Id value) {
    const Id sink = realize(g, {value});
    EXPECT_EQ(difference(g, sink, filled_memory(g, sink)), "");
    const Id linear = schedule(g, sink).linear;
    EXPECT_EQ(g.src(linear).size(), 1u);
    size_t found = 0;
    for (const Id id : reachable(g, g.src(g.src(linear, 0), 0))) found += g.op(id) == op;
    return found;
  }

  Graph g;
  int64_t next_slot = 0;
};

TEST_F(KernelRules, SumOfOnesIsItsLength) {
  EXPECT_EQ(count(Op::kReduce, reduce_axes(g, Op::kAdd, ones({3, 4}), {1})), 0u);
  EXPECT_EQ(count(Op::kReduce, reduce_axes(g, Op::kAdd, expand(g, input({3, 1}), {3, 4}), {1})),
            0u);
  EXPECT_EQ(count(Op::kReduce, reduce_axes(g, Op::kMax, expand(g, input({3, 1}), {3, 4}), {1})),
            0u);
}

TEST_F(KernelRules, RunningSumOfOnesIsAnArange) {
  const Id row = pad(g, ones({6}), {5}, {0});
  EXPECT_EQ(count(Op::kReduce, reduce_axes(g, Op::kAdd, windows(g, row, 6, 1), {1})), 0u);
}

TEST_F(KernelRules, TriangleCountsNeedNoLoop) {
  const Dims square{5, 5};
  const Id i = counted(square, 0), j = counted(square, 1);
  for (const Op op : {Op::kCmpLt}) {
    EXPECT_EQ(
        count(Op::kReduce, reduce_axes(g, Op::kAdd, cast(g, binary(g, op, i, j), kInt32), {1})),
        0u);
    EXPECT_EQ(
        count(Op::kReduce, reduce_axes(g, Op::kAdd, cast(g, binary(g, op, j, i), kInt32), {1})),
        0u);
  }
  const Id in_band = logical_and(g, binary(g, Op::kCmpLt, i, add(g, j, scalar(g, kIndex, 2))),
                                 binary(g, Op::kCmpLt, j, add(g, i, scalar(g, kIndex, 2))));
  EXPECT_EQ(count(Op::kReduce,
                  reduce_axes(g, Op::kAdd,
                              where(g, in_band, scalar(g, kInt32, 3), scalar(g, kInt32, 0)), {1})),
            0u);
}

TEST_F(KernelRules, OneHotSumIsALoad) {
  const Dims shape{4, 6};
  const Id wanted = cast(g, expand(g, reshape(g, input({4}), {4, 1}), shape), kIndex);
  const Id table = expand(g, reshape(g, input({6}), {1, 6}), shape);
  const Id hit = binary(g, Op::kCmpEq, counted(shape, 1), wanted);
  EXPECT_EQ(
      count(Op::kReduce, reduce_axes(g, Op::kAdd, where(g, hit, table, scalar(g, kInt32, 0)), {1})),
      0u);
}

TEST_F(KernelRules, ConstantFactorLeavesTheSum) {
  const Id sum = reduce_axes(g, Op::kAdd, mul(g, input({3, 4}), scalar(g, kInt32, 5)), {1});
  EXPECT_EQ(count(Op::kReduce, sum), 1u);
}

TEST_F(KernelRules, PaddingIsAGatedLoadWithoutAMask) {
  EXPECT_EQ(count(Op::kWhere, pad(g, input({3, 4}), {1, 2}, {0, 1})), 0u);
}

TEST_F(KernelRules, ContiguousElementwiseKernelHasOneLoop) {
  EXPECT_EQ(count(Op::kRange, add(g, input({2, 3, 4}), input({2, 3, 4}))), 1u);
  EXPECT_EQ(count(Op::kRange, flip(g, input({2, 3, 4}), 7)), 1u);
}

TEST_F(KernelRules, LoopsThatPartSomewhereStayTwo) {
  EXPECT_EQ(count(Op::kRange, permute(g, input({3, 4}), {1, 0})), 2u);
  EXPECT_EQ(count(Op::kRange, apply(g, Op::kAdd, input({3, 4}), input({4}))), 2u);
  EXPECT_EQ(count(Op::kRange, apply(g, Op::kAdd, input({2, 3, 4}), input({4}))), 2u);
  EXPECT_EQ(count(Op::kRange, shrink(g, input({3, 4}), {0, 0}, {3, 2})), 2u);
}

TEST_F(KernelRules, ReducedLoopsMergeToo) {
  EXPECT_EQ(count(Op::kRange, reduce_axes(g, Op::kAdd, input({2, 3, 4}), {1, 2})), 2u);
  EXPECT_EQ(count(Op::kRange, reduce_axes(g, Op::kAdd, input({2, 3, 4}), {0, 1, 2})), 1u);
  EXPECT_EQ(count(Op::kRange, reduce_axes(g, Op::kAdd, input({2, 3, 4}), {0, 2})), 3u);
}

}  // namespace
}  // namespace loom::oracle
