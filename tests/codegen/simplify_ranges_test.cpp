#include "codegen/simplify_ranges.h"

#include "codegen/kernel.h"
#include "tests/codegen/kernels.h"
#include "tests/codegen/lowered.h"

namespace loom::testing {
namespace {

/// Sizes of the kernel's ranges after simplification, outermost first.
std::vector<int64_t> simplified_sizes(Graph& g, Id sink) {
  const Id simple = simplify_ranges(g, sink, wide_target());
  const oracle::Memory memory = filled_memory(g, sink, 1);
  EXPECT_EQ(meaning(g, simple, memory), meaning(g, sink, memory)) << print(g, simple);
  std::vector<int64_t> sizes;
  for (Id range : kernel_ranges(g, simple)) sizes.push_back(range_size(g, range));
  return sizes;
}

TEST(SimplifyRanges, ContiguousAxesBecomeOne) {
  Graph g;
  EXPECT_EQ(simplified_sizes(g, addition(g, kInt32, 6, 10)), std::vector<int64_t>{60});
}

TEST(SimplifyRanges, BroadcastAxesStayApart) {
  Graph g;
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 60), x = k.buffer(kInt32, 60), b = k.buffer(kInt32, 10);
  const Id i = k.loop(6), j = k.loop(10), at = k.offset({{i, 10}, {j, 1}});
  const Id sink = k.sink({k.write(y, at, add(g, k.read(x, at), k.read(b, j)), {i, j})});
  EXPECT_EQ(simplified_sizes(g, sink), (std::vector<int64_t>{6, 10}));
}

TEST(SimplifyRanges, ReducedAxesBecomeOne) {
  Graph g;
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 4), x = k.buffer(kInt32, 4 * 5 * 6);
  const Id i = k.loop(4), r = k.reduced(5), s = k.reduced(6);
  const Id value = k.read(x, k.offset({{i, 30}, {r, 6}, {s, 1}}));
  const Id sink = k.sink({k.write(y, i, k.sum(value, {r, s}), {i})});
  EXPECT_EQ(simplified_sizes(g, sink), (std::vector<int64_t>{4, 30}));
}

TEST(SimplifyRanges, OutputAndReducedAxesDoNotMix) {
  Graph g;
  EXPECT_EQ(simplified_sizes(g, sums(g, kInt32, 4, 6, true)), (std::vector<int64_t>{4, 6}));
}

TEST(SimplifyRanges, AxesOfSizeOneGo) {
  Graph g;
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 5), x = k.buffer(kInt32, 5);
  const Id i = k.loop(1), j = k.loop(5), r = k.reduced(1);
  const Id value = k.sum(k.read(x, k.offset({{j, 1}, {r, 5}})), {r});
  EXPECT_EQ(simplified_sizes(g, k.sink({k.write(y, k.offset({{i, 5}, {j, 1}}), value, {i, j})})),
            std::vector<int64_t>{5});
}

TEST(SimplifyRanges, DividedAxisIsSplit) {
  Graph g;
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 60), x = k.buffer(kInt32, 10), z = k.buffer(kInt32, 6);
  const Id i = k.loop(60), ten = index_const(g, 10);
  const Id column = k.read(x, binary(g, Op::kMod, i, ten));
  const Id row = k.read(z, binary(g, Op::kIDiv, i, ten));
  EXPECT_EQ(simplified_sizes(g, k.sink({k.write(y, i, mul(g, column, row), {i})})),
            (std::vector<int64_t>{6, 10}));
}

TEST(SimplifyRanges, RowsOfAPaddedImageBecomeOneWhereTheyAreRagged) {
  Graph g;
  const Id ragged = convolution(g, kInt32, {2, 3, 4, 7, 3, 1, 1});
  EXPECT_EQ(simplified_sizes(g, ragged), (std::vector<int64_t>{2, 4, 49, 3, 3, 3}));
  Graph h;
  const Id even = convolution(h, kInt32, {1, 2, 2, 16, 3, 1, 1});
  EXPECT_EQ(simplified_sizes(h, even), (std::vector<int64_t>{2, 16, 16, 2, 3, 3}));
}

}  // namespace
}  // namespace loom::testing
