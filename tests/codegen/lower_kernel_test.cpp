// What the programs look like that come out of codegen.
#include "base/log.h"
#include "tests/codegen/kernels.h"
#include "tests/codegen/lowered.h"

namespace loom::testing {
namespace {

LoweredKernel lowered(Id (*make)(Graph&)) {
  Graph g;
  return lower_kernel(g, make(g), wide_target());
}

/// Nodes of the innermost body that `matches` is true of.
template <class F>
int count_in_body(const LoweredKernel& kernel, const F& matches) {
  const std::vector<Id> body = innermost_body(kernel);
  return static_cast<int>(std::ranges::count_if(body, matches));
}

/// Is it a LOAD from this kind of memory?
bool reads(const Graph& g, Id id, Op memory) {
  if (g.op(id) != Op::kLoad) return false;
  Id buffer = g.src(g.src(id, 0), 0);
  while (g.op(buffer) == Op::kAfter) buffer = g.src(buffer, 0);
  return g.op(buffer) == memory;
}

TEST(Product, HasARegisterTileOfFusedMultiplyAdds) {
  const LoweredKernel k = lowered([](Graph& g) { return product(g, kFloat32, 512, 512, 512); });
  const Graph& g = k.graph;
  EXPECT_EQ(k.name, "r_8_37_512_16_14_2_2_512_2_16");  // the last three fill a panel
  EXPECT_EQ(k.threads, 2);
  EXPECT_EQ(count_ops(k, Op::kDefineReg), 14 * 2);
  EXPECT_EQ(count_in_body(k, [&](Id id) { return g.op(id) == Op::kMulAcc; }), 14 * 2);
  EXPECT_EQ(count_in_body(k, [&](Id id) { return g.op(id) == Op::kMul && g.dtype(id).is_float(); }),
            0);
  const auto loads_of = [&](Op memory, int lanes) {
    return count_in_body(k,
                         [&](Id id) { return reads(g, id, memory) && g.dtype(id).lanes == lanes; });
  };
  EXPECT_EQ(loads_of(Op::kDefineLocal, 16), 2);
  EXPECT_EQ(loads_of(Op::kParam, 16), 0);
  EXPECT_EQ(loads_of(Op::kParam, 1), 14);
  EXPECT_EQ(k.flops, int64_t{2} * 37 * 14 * 512 * 512) << "the last block of rows overlaps";
  EXPECT_EQ(k.bytes, int64_t{3} * 512 * 512 * 4);
}

TEST(Product, WithoutFusedMultiplyAddHasNone) {
  Graph g;
  Target target = wide_target();
  target.has_fma = false;
  const LoweredKernel k = lower_kernel(g, product(g, kFloat32, 64, 64, 64), target);
  EXPECT_EQ(count_ops(k, Op::kMulAcc), 0);
}

TEST(PlainConvolution, HasNoDivisionAndNoGatherInItsInnerLoop) {
  const LoweredKernel k =
      lowered([](Graph& g) { return convolution(g, kFloat32, {1, 32, 64, 30, 3, 1, 0}); });
  const Graph& g = k.graph;
  for (Id id : innermost_body(k)) {
    EXPECT_NE(g.op(id), Op::kIDiv);
    EXPECT_NE(g.op(id), Op::kMod);
    if (g.op(id) == Op::kIndex) {
      EXPECT_EQ(g.dtype(g.src(id, 1)).lanes, 1) << print_node(g, id);
    }
  }
  EXPECT_GT(count_in_body(k, [&](Id id) { return g.op(id) == Op::kMulAcc; }), 64);
}

TEST(PaddedConvolution, PreparesItsMasksOutsideOfTheInnerLoop) {
  const LoweredKernel k =
      lowered([](Graph& g) { return convolution(g, kFloat32, {1, 32, 64, 14, 3, 1, 1}); });
  const Graph& g = k.graph;
  EXPECT_EQ(count_in_body(k, [&](Id id) { return is_comparison(g.op(id)); }), 0);
}

TEST(Elementwise, ContiguousAxesAreOneLoop) {
  const LoweredKernel k = lowered([](Graph& graph) {
    KernelBuilder b(graph);
    const Id y = b.buffer(kFloat32, 2 * 3 * 4 * 80), x = b.buffer(kFloat32, 2 * 3 * 4 * 80);
    const Id i = b.loop(2), j = b.loop(3), r = b.loop(4), s = b.loop(80);
    const Id at = b.offset({{i, 960}, {j, 320}, {r, 80}, {s, 1}});
    return b.sink({b.write(y, at, b.read(x, at), {i, j, r, s})});
  });
  EXPECT_EQ(count_ops(k, Op::kRange), 1);
  EXPECT_EQ(k.threads, 1) << "too small to wake a thread";
}

TEST(Elementwise, LargeOnesRunOnThreads) {
  const LoweredKernel k = lowered([](Graph& g) { return addition(g, kFloat32, 512, 512); });
  EXPECT_EQ(k.threads, 2);
  EXPECT_EQ(count_ops(k, Op::kSpecial), 1);
}

TEST(Elementwise, LanesAreAsWideAsTheWidestType) {
  const LoweredKernel bytes = lowered([](Graph& g) { return addition(g, kUInt8, 64, 64); });
  const LoweredKernel doubles = lowered([](Graph& g) { return addition(g, kFloat64, 64, 64); });
  const auto widest = [](const LoweredKernel& k) {
    int lanes = 1;
    for (Id id : k.graph.src(k.linear)) lanes = std::max<int>(lanes, k.graph.dtype(id).lanes);
    return lanes;
  };
  EXPECT_EQ(widest(bytes), 64);
  EXPECT_EQ(widest(doubles), 8);
}

TEST(RowSums, AddInIndependentVectorsAndFoldTheirLanes) {
  const LoweredKernel k = lowered([](Graph& g) { return sums(g, kFloat32, 4, 1024, true); });
  EXPECT_EQ(count_ops(k, Op::kDefineReg), 8);
  EXPECT_EQ(count_in_body(k, [&](Id id) { return reads(k.graph, id, Op::kParam); }), 8);
  EXPECT_EQ(count_ops(k, Op::kLane), 16 + 8 + 4 + 2);
}

TEST(ColumnSums, RunAlongTheRows) {
  const LoweredKernel k = lowered([](Graph& g) { return sums(g, kFloat32, 256, 256, false); });
  const Graph& g = k.graph;
  EXPECT_EQ(count_ops(k, Op::kLane), 0);
  for (Id id : innermost_body(k)) {
    if (reads(g, id, Op::kParam)) {
      EXPECT_EQ(g.dtype(id).lanes, 16);
    }
  }
}

/// mean and mean of squares of each row.
Id moments(Graph& g) {
  KernelBuilder k(g);
  const Id mean = k.buffer(kInt32, 8), square = k.buffer(kInt32, 8), x = k.buffer(kInt32, 8 * 40);
  const Id i = k.loop(8), r = k.reduced(40), value = k.read(x, k.offset({{i, 40}, {r, 1}}));
  return k.sink({k.write(mean, i, k.sum(value, {r}), {i}),
                 k.write(square, i, k.sum(mul(g, value, value), {r}), {i})});
}

TEST(Reductions, OfOneRangeShareItsLoop) {
  Graph g;
  CodegenOptions plain;
  plain.optimise = false;
  const LoweredKernel k = expect_right(g, moments(g), plain);
  EXPECT_EQ(count_ops(k, Op::kRange), 2);
  EXPECT_EQ(count_ops(k, Op::kEnd), 2);
}

TEST(Reductions, ThatNeedEachOtherHaveTheirOwnLoops) {
  Graph g;
  CodegenOptions plain;
  plain.optimise = false;
  const LoweredKernel k = expect_right(g, centred_rows(g, kInt32, 3, 10), plain);
  EXPECT_EQ(count_ops(k, Op::kRange), 4);
  // Neither depends on the column that is written: both are computed once for a row.
  EXPECT_EQ(innermost_body(k).size(), 7u);
}

TEST(InPlace, StoresComeAfterTheLoadsOfWhatTheyOverwrite) {
  Graph g;
  KernelBuilder b(g);
  const Id x = b.buffer(kInt32, 64), y = b.buffer(kInt32, 64), i = b.loop(64), old = b.read(x, i);
  const Id one = store(g, index(g, x, i), add(g, old, constant(g, kInt32, 1)));
  const Id other = store(g, index(g, y, i), mul(g, old, constant(g, kInt32, 3)));
  const Id both = g.add(Op::kGroup, kVoid, {one, other});
  const Id sink = b.sink({g.add(Op::kEnd, kVoid, {both, i})});
  const LoweredKernel k = expect_right(g, sink);
  bool has_stored = false;
  for (Id id : innermost_body(k)) {
    has_stored |= k.graph.op(id) == Op::kStore;
    if (reads(k.graph, id, Op::kParam)) {
      EXPECT_FALSE(has_stored);
    }
  }
}

TEST(SmallStrides, AreLoadedContiguously) {
  for (int64_t stride : {-4, -1, 2, 3, 4}) {
    Graph g;
    KernelBuilder b(g);
    const Id y = b.buffer(kInt32, 64), x = b.buffer(kInt32, 300), i = b.loop(64);
    const Id at = b.offset({{i, stride}}, stride < 0 ? 280 : 3);
    const LoweredKernel k = expect_right(g, b.sink({b.write(y, i, b.read(x, at), {i})}));
    for (Id id : k.graph.src(k.linear)) {
      if (k.graph.op(id) == Op::kIndex) {
        EXPECT_EQ(k.graph.dtype(k.graph.src(id, 1)).lanes, 1);
      }
    }
  }
}

/// y[i] = x[table[i]], or zero where the table points outside.
Id gather(Graph& g) {
  KernelBuilder k(g);
  const Id y = k.buffer(kFloat32, 64), x = k.buffer(kFloat32, 1000), table = k.buffer(kInt64, 64);
  const Id i = k.loop(64), at = cast(g, k.read(table, i), kIndex);
  return k.sink({k.write(y, i, k.read(x, at, k.between(at, 0, 1000)), {i})});
}

TEST(Gather, HasOffsetsOf32BitsWhereTheBufferIsSmall) {
  Graph g;
  const LoweredKernel k = expect_right(g, gather(g));
  int gathers = 0;
  for (Id id : k.graph.src(k.linear)) {
    if (k.graph.op(id) != Op::kIndex || k.graph.dtype(k.graph.src(id, 1)).lanes == 1) continue;
    EXPECT_EQ(k.graph.dtype(k.graph.src(id, 1)).scalar, Scalar::kInt32);
    gathers++;
  }
  EXPECT_EQ(gathers, 4);
}

TEST(SymbolicSizes, AreLoopsOfUnknownLength) {
  Graph g;
  KernelBuilder b(g);
  const Id n = g.add(Op::kVariable, kIndex, {index_const(g, 1), index_const(g, 10)}, g.text("n"));
  const Id y = b.buffer(kInt32, 10 * 32), x = b.buffer(kInt32, 10 * 32);
  const Id i = range(g, n, 0, AxisType::kLoop), j = range(g, 32, 1, AxisType::kLoop);
  const Id at = b.offset({{i, 32}, {j, 1}});
  const Id sink = b.sink({b.write(y, at, add(g, b.read(x, at), cast(g, n, kInt32)), {i, j})});
  const LoweredKernel k = expect_right(g, sink, {}, wide_target(), {{"n", 7}});
  EXPECT_EQ(k.name, "e_n_16_2");
  EXPECT_EQ(k.variables, std::vector<std::string>{"n"});
}

TEST(Names, TellLoopsAndPaintThem) {
  const LoweredKernel k = lowered([](Graph& g) { return sums(g, kFloat32, 4, 1024, true); });
  EXPECT_EQ(k.name, "r_4_8_16_8");
  EXPECT_EQ(k.painted_name, "r_4_" + paint(Color::kRed, "8") + "_" + paint(Color::kGreen, "16") +
                                "_" + paint(Color::kMagenta, "8"));
}

TEST(Lowering, IsDeterministic) {
  const auto text = [] {
    const LoweredKernel k =
        lowered([](Graph& g) { return convolution(g, kFloat32, {2, 8, 16, 9, 3, 2, 1}); });
    return print(k.graph, k.linear);
  };
  EXPECT_EQ(text(), text());
}

/// x + 1, squared and so on: `depth` operations one after the other.
Id chain(Graph& g, int depth) {
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 64), x = k.buffer(kInt32, 64), i = k.loop(64);
  Id value = k.read(x, i);
  for (int n = 0; n < depth; n++) {
    value = binary(g, n % 2 == 0 ? Op::kXor : Op::kMul, value, k.read(x, i));
  }
  return k.sink({k.write(y, i, value, {i})});
}

TEST(Lowering, DoesNotRecurse) {
  Graph g;
  const LoweredKernel k = lower_kernel(g, chain(g, 100'000), wide_target());
  EXPECT_GT(k.graph.src(k.linear).size(), 100'000U);
}

}  // namespace
}  // namespace loom::testing
