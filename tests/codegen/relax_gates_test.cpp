#include "codegen/relax_gates.h"

#include "tests/codegen/kernels.h"
#include "tests/codegen/lowered.h"

namespace loom::testing {
namespace {

class RelaxGates : public ::testing::Test {
 protected:
  /// Sizes of the gates of the loads that are left: how many INDEX nodes have one.
  int gated(Id sink) {
    const Id relaxed = relax_gates(g, sink);
    verify(g, relaxed, Stage::kKernel);
    const oracle::Memory memory = filled_memory(g, sink, 1);
    EXPECT_EQ(meaning(g, relaxed, memory), meaning(g, sink, memory));
    int count = 0;
    for (Id id : reachable(g, relaxed)) count += g.op(id) == Op::kIndex && g.src(id).size() == 3;
    return count;
  }
  Id below(Id number, int64_t limit) {
    return binary(g, Op::kCmpLt, number, index_const(g, limit));
  }

  Graph g;
  KernelBuilder k{g};
  const Id y = k.buffer(kInt32, 20), i = k.loop(20), seven = constant(g, kInt32, 7);
};

TEST_F(RelaxGates, WhereChoosesAnyway) {
  const Id x = k.buffer(kInt32, 20), gate = below(i, 12);
  const Id value = where(g, gate, add(g, k.read(x, i, gate), seven), seven);
  EXPECT_EQ(gated(k.sink({k.write(y, i, value, {i})})), 0);
}

TEST_F(RelaxGates, GateThatKeepsTheOffsetInBoundsStays) {
  const Id x = k.buffer(kInt32, 12), gate = below(i, 12);
  const Id value = where(g, gate, add(g, k.read(x, i, gate), seven), seven);
  EXPECT_EQ(gated(k.sink({k.write(y, i, value, {i})})), 1);
}

TEST_F(RelaxGates, ValueThatIsUsedElsewhereKeepsItsGate) {
  const Id x = k.buffer(kInt32, 20), gate = below(i, 12), loaded = k.read(x, i, gate);
  const Id value = where(g, gate, add(g, loaded, seven), mul(g, loaded, seven));
  EXPECT_EQ(gated(k.sink({k.write(y, i, value, {i})})), 1);
}

TEST_F(RelaxGates, GatedStoreNeedsNoGatedLoad) {
  const Id x = k.buffer(kInt32, 20), gate = below(i, 12);
  const Id target = index(g, y, i, gate);
  const Id write = store(g, target, add(g, k.read(x, i, gate), seven));
  EXPECT_EQ(gated(k.sink({g.add(Op::kEnd, kVoid, {write, i})})), 1) << "that of the store";
}

}  // namespace
}  // namespace loom::testing
