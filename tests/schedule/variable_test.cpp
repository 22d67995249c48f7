// Values and offsets that are only known at launch.
#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

class Variables : public testing::Test {
 protected:
  Id bound(const char* name, int64_t low, int64_t high, int64_t value) {
    const Id variable =
        g.add(Op::kVariable, kIndex, {index_const(g, low), index_const(g, high)}, g.text(name));
    return g.add(Op::kBind, kIndex, {variable, index_const(g, value)});
  }
  Memory run(Id sink) { return run_schedule(g, schedule(g, sink).linear, filled_memory(g, sink)); }

  Graph g;
};

TEST_F(Variables, AreValues) {
  const Id x = buffer(g, kInt32, 0, {4});
  const Id sink = realize(g, {add(g, x, cast(g, bound("v", 0, 9, 5), kInt32))});
  const Memory after = run(sink);
  for (size_t k = 0; k < 4; k++) EXPECT_EQ(after.at(1000)[k].as_int(), after.at(0)[k].as_int() + 5);
}

TEST_F(Variables, AreOffsets) {
  const Id x = buffer(g, kInt32, 0, {9});
  const Id begin = bound("begin", 0, 5, 3);
  const Id window = g.add(Op::kShrink, kInt32, {x, begin, index_const(g, 4)});
  const Id sink = realize(g, {window, add(g, window, cast(g, begin, kInt32))});
  const Memory after = run(sink);
  for (size_t k = 0; k < 4; k++) {
    EXPECT_EQ(after.at(1000)[k], after.at(0)[k + 3]);
    EXPECT_EQ(after.at(1001)[k].as_int(), after.at(0)[k + 3].as_int() + 3);
  }
}

TEST_F(Variables, UnusedOnesAreNotPassed) {
  const Id nothing = mul(g, cast(g, bound("v", 0, 9, 5), kInt32), scalar(g, kInt32, 0));
  const Id linear = schedule(g, realize(g, {add(g, buffer(g, kInt32, 0, {4}), nothing)})).linear;
  EXPECT_EQ(g.src(g.src(linear, 0)).size(), 3u);
}

TEST_F(Variables, SymbolicLengthIsTheLengthOfLoops) {
  const Id length = bound("length", 1, 8, 6);
  const Id x = buffer(g, kInt32, 0, {3, 8});
  const Id head = g.add(Op::kShrink, kInt32,
                        {x, index_const(g, 0), index_const(g, 0), index_const(g, 3), length});
  const Id sink = realize(g, {reduce_axes(g, Op::kAdd, mul(g, head, head), {1})});
  const Memory after = run(sink);
  for (size_t row = 0; row < 3; row++) {
    int64_t sum = 0;
    for (size_t k = 0; k < 6; k++) {
      const int64_t value = after.at(0)[row * 8 + k].as_int();
      sum += value * value;
    }
    EXPECT_EQ(after.at(1000)[row].as_int(), sum);
  }
}

TEST(Devices, CopyBetweenDevicesIsOneItem) {
  Graph g;
  const Id other = g.add(Op::kDevice, kVoid, {}, g.text("OTHER"));
  const Id x = mul(g, buffer(g, kInt32, 0, {4}), scalar(g, kInt32, 2));
  const Id there = g.add(Op::kCopy, kInt32, {x, other});
  const Id flat = g.add(Op::kBuffer, kInt32, {index_const(g, 4), other}, 1000);
  const Id sink =
      g.add(Op::kSink, kVoid, {store_tensor(g, flat, add(g, there, scalar(g, kInt32, 1)))});
  EXPECT_EQ(difference(g, sink, filled_memory(g, sink)), "");
  const Schedule scheduled = schedule(g, sink);
  ASSERT_EQ(g.src(scheduled.linear).size(), 3u);
  EXPECT_EQ(g.op(g.src(g.src(scheduled.linear, 1), 0)), Op::kCopy);
  EXPECT_NE(scheduled.temps[0].device, scheduled.temps[1].device);
}

TEST(Devices, CopyOfABufferIntoARootIsAllThereIs) {
  Graph g;
  const Id other = g.add(Op::kDevice, kVoid, {}, g.text("OTHER"));
  const Id there = g.add(Op::kCopy, kInt32, {buffer(g, kInt32, 0, {4}), other});
  const Id flat = g.add(Op::kBuffer, kInt32, {index_const(g, 4), other}, 1000);
  const Id sink = g.add(Op::kSink, kVoid, {store_tensor(g, flat, there)});
  EXPECT_EQ(checked_kernel_count(g, sink), 1u);
}

TEST(Devices, ViewsAndAssignedTensorsAreGatheredBeforeACopy) {
  Graph g;
  const Id other = g.add(Op::kDevice, kVoid, {}, g.text("OTHER"));
  const Id x = buffer(g, kInt32, 0, {3, 4});
  const Id changed = assign(g, x, add(g, x, x));
  const Id there = g.add(Op::kCopy, kInt32, {permute(g, changed, {1, 0}), other});
  const Id flat = g.add(Op::kBuffer, kInt32, {index_const(g, 12), other}, 1000);
  const Id sink = g.add(Op::kSink, kVoid, {store_tensor(g, reshape(g, flat, {4, 3}), there)});
  EXPECT_EQ(checked_kernel_count(g, sink), 3u);
}

}  // namespace
}  // namespace loom::oracle
