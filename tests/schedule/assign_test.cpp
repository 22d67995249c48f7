// Stores into memory that is also read: overlaps, old and new content, and chains of assignments.
#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

class Assign : public testing::Test {
 protected:
  Id input(const Dims& shape) { return buffer(g, kInt32, next_slot++, shape); }
  /// `state`, a view of memory, after `value` has been stored into `target`, a view of the same
  /// memory.
  Id store_into(Id state, Id target, Id value) {
    return g.add(Op::kAfter, g.dtype(state), {state, store_tensor(g, target, value)});
  }
  Id sink_of(const std::vector<Id>& effects) { return g.add(Op::kSink, kVoid, effects); }
  size_t checked(Id sink) { return checked_kernel_count(g, sink); }
  size_t temps(Id sink) { return schedule(g, sink).temps.size(); }

  Graph g;
  int64_t next_slot = 0;
};

TEST_F(Assign, ElementwiseUpdateIsDoneInPlace) {
  const Id x = input({4, 5});
  const Id sink =
      sink_of({store_tensor(g, x, add(g, mul(g, x, scalar(g, kInt32, 3)), input({4, 5})))});
  EXPECT_EQ(checked(sink), 1);
  EXPECT_EQ(temps(sink), 0);
}

TEST_F(Assign, UpdateOfASliceInPlace) {
  const Id x = input({6});
  const Id slice = shrink(g, x, {2}, {3});
  EXPECT_EQ(checked(sink_of({store_tensor(g, slice, add(g, slice, slice))})), 1);
}

TEST_F(Assign, OverlappingShiftGoesThroughATemporary) {
  for (const bool up : {false, true}) {
    const Id x = input({7});
    const Id low = shrink(g, x, {0}, {6}), high = shrink(g, x, {1}, {6});
    EXPECT_EQ(checked(sink_of({up ? store_tensor(g, high, low) : store_tensor(g, low, high)})), 2);
  }
}

TEST_F(Assign, FlipTransposeAndMeanGoThroughATemporary) {
  const Id x = input({5, 5});
  EXPECT_EQ(checked(sink_of({store_tensor(g, x, flip(g, x, 1))})), 2);
  EXPECT_EQ(checked(sink_of({store_tensor(g, x, add(g, x, permute(g, x, {1, 0})))})), 2);
  const Id total = expand(g, reduce_axes(g, Op::kAdd, x, {1}), {5, 5});
  EXPECT_EQ(checked(sink_of({store_tensor(g, x, binary(g, Op::kSub, x, total))})), 2);
}

TEST_F(Assign, StoreThroughAPermutedView) {
  const Id x = input({3, 4});
  EXPECT_EQ(checked(sink_of({store_tensor(g, flip(g, permute(g, x, {1, 0}), 2), input({4, 3}))})),
            1);
}

TEST_F(Assign, ReaderOfTheOldContentRunsFirst) {
  const Id x = input({6});
  const Id old = reduce_axes(g, Op::kAdd, x, {0});
  const Id changed = assign(g, x, input({6}));
  EXPECT_EQ(checked(realize(g, {changed, old})), 3);
}

TEST_F(Assign, OldContentIsSavedForAReaderOfBoth) {
  const Id x = input({6});
  const Id changed = assign(g, x, input({6}));
  EXPECT_EQ(checked(realize(g, {add(g, changed, flip(g, x, 1))})), 3);
}

TEST_F(Assign, OldContentIsSavedForAReaderThatDependsOnTheNew) {
  const Id x = input({6});
  const Id changed = assign(g, x, input({6}));
  const Id total = contiguous(g, reduce_axes(g, Op::kAdd, changed, {0}));
  EXPECT_EQ(checked(realize(g, {add(g, x, expand(g, total, {6}))})), 4);
}

TEST_F(Assign, AssignmentsToPartsFollowEachOther) {
  Id x = input({6});
  for (int64_t k = 0; k < 5; k++) {
    const Id next = shrink(g, x, {k + 1}, {1}), here = shrink(g, x, {k}, {1});
    x = store_into(x, next, add(g, here, scalar(g, kInt32, 1)));
  }
  EXPECT_EQ(checked(realize(g, {x})), 11);
}

TEST_F(Assign, SwapOfTwoBuffers) {
  const Id x = input({4}), y = input({4});
  EXPECT_EQ(checked(sink_of({store_tensor(g, x, y), store_tensor(g, y, x)})), 3);
}

TEST_F(Assign, ValueThatIsUsedElsewhereToo) {
  const Id x = input({4});
  const Id doubled = add(g, x, x);
  const Id changed = assign(g, x, doubled);
  EXPECT_EQ(checked(realize(g, {changed, doubled, add(g, changed, doubled)})), 4);
}

TEST_F(Assign, LongChainOfAssignments) {
  Id x = input({4});
  for (int k = 0; k < 2000; k++) x = assign(g, x, add(g, x, scalar(g, kInt32, k)));
  EXPECT_EQ(checked(realize(g, {x})), 2001);
}

}  // namespace
}  // namespace loom::oracle
