// Reductions that need no loop, masks that a load has already, loops that are one.
#include "schedule/kernel_rules.h"

#include <random>

#include "ir/text.h"
#include "rewrite/rewrite.h"
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

// Random reductions over two loops, of masked values, before and after: all elements must agree.
class RandomReduction {
 public:
  explicit RandomReduction(uint64_t seed) : random(seed) {}

  /// SINK(END(STORE(INDEX(PARAM 0, i), reduction), i)); PARAM 1 is an input of kInput elements.
  Id sink() {
    loop = range(g, pick(1, 4), 0, AxisType::kLoop);
    for (const int64_t axis : {1, 2})
      reduced.push_back(range(g, pick(1, 4), axis, AxisType::kReduce));
    constexpr Op kOps[] = {Op::kAdd, Op::kAdd, Op::kAdd, Op::kMax, Op::kMul, Op::kAdd};
    const Id value = where_chance(pick(0, 5) ? masked() : plain());
    const Id result = reduce(g, kOps[pick(0, 5)], value, reduced);
    const Id out = g.add(Op::kParam, kInt32, {g.src(loop, 0)}, 0);
    const Id stored = store(g, index(g, out, loop), result);
    return g.add(Op::kSink, kVoid, {g.add(Op::kEnd, kVoid, {stored, loop})});
  }

  static constexpr int64_t kInput = 64;
  Graph g = Graph();
  Id loop = 0;

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  Id number(int value) { return scalar(g, kInt32, value); }
  Id any_range() { return pick(0, 2) ? reduced[static_cast<size_t>(pick(0, 1))] : loop; }

  Id linear() {
    Id sum = scalar(g, kIndex, pick(-3, 4));
    for (int k = pick(1, 2); k > 0; k--)
      sum = add(g, sum,
                mul(g, any_range(), scalar(g, kIndex, pick(0, 4) ? (pick(0, 1) ? 1 : -1) : 2)));
    return sum;
  }
  Id condition() {
    constexpr Op kOps[] = {Op::kCmpLt, Op::kCmpLt, Op::kCmpEq, Op::kCmpLt};
    Id result = binary(g, kOps[pick(0, 3)], linear(), linear());
    return pick(0, 3) ? result : logical_not(g, result);
  }
  Id plain() {
    if (pick(0, 2) == 0) return number(pick(-2, 3));
    Id at = scalar(g, kIndex, pick(8, 20));
    if (pick(0, 1)) at = add(g, at, mul(g, any_range(), scalar(g, kIndex, 3)));
    return load(g, index(g, g.add(Op::kParam, kInt32, {scalar(g, kIndex, kInput)}, 1), at));
  }
  Id masked() {
    Id mask = condition();
    for (int k = pick(0, 2); k > 0; k--) mask = logical_and(g, mask, condition());
    if (pick(0, 3) == 0) return cast(g, mask, kInt32);
    return pick(0, 2) ? where(g, mask, plain(), number(0)) : where(g, mask, number(0), plain());
  }
  Id where_chance(Id value) { return pick(0, 3) ? value : mul(g, value, number(pick(-2, 3))); }

  std::mt19937_64 random;
  std::vector<Id> reduced;
};

TEST(KernelRulesFuzz, ReductionsKeepTheirValue) {
  size_t without_loop = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    RandomReduction program(seed);
    const Id before = program.sink(), after = rewrite(program.g, before, kernel_simplifications());
    KernelEvaluator::Buffer input, results[2];
    for (int64_t k = 0; k < RandomReduction::kInput; k++)
      input.push_back(Value::of_int(k * k % 23 - 9));
    for (const bool rewritten : {false, true}) {
      KernelEvaluator::Buffer& result = results[rewritten];
      result.resize(static_cast<size_t>(program.g.arg(program.g.src(program.loop, 0))));
      KernelEvaluator(program.g, {&result, &input}, {}).run(rewritten ? after : before);
    }
    ASSERT_EQ(results[0], results[1]) << "seed " << seed << "\n"
                                      << print(program.g, before) << print(program.g, after);
    size_t reduces = 0;
    for (const Id id : reachable(program.g, after)) reduces += program.g.op(id) == Op::kReduce;
    without_loop += reduces == 0;
  }
  EXPECT_GT(without_loop, 300u);
}

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
