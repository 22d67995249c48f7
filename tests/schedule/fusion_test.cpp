// What fuses: the number of kernels of typical programs. Small ones are also run.
#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

class Fusion : public testing::Test {
 protected:
  Id input(const Dims& shape) { return buffer(g, kFloat32, next_slot++, shape); }
  size_t kernels(const std::vector<Id>& values) { return kernel_count(g, realize(g, values)); }
  size_t checked(const std::vector<Id>& values) {
    return checked_kernel_count(g, realize(g, values));
  }

  Graph g;
  int64_t next_slot = 0;
};

TEST_F(Fusion, ElementwiseChainIsOneKernel) {
  Id x = input({4, 5});
  for (int k = 0; k < 20; k++) x = add(g, mul(g, x, number(g, 2)), input({4, 5}));
  EXPECT_EQ(checked({x}), 1);
}

TEST_F(Fusion, MatmulTakesItsEpilogue) {
  const Id product = matmul(g, input({6, 7}), input({7, 5}));
  EXPECT_EQ(checked({relu(g, apply(g, Op::kAdd, product, input({5})))}), 1);
}

TEST_F(Fusion, MatmulOfMatmulIsTwoKernels) {
  const Id first = relu(g, matmul(g, input({6, 7}), input({7, 5})));
  EXPECT_EQ(checked({matmul(g, first, input({5, 4}))}), 2);
}

TEST_F(Fusion, MatrixVectorChainStaysApart) {
  Id x = input({1, 8});
  for (int k = 0; k < 3; k++) x = relu(g, matmul(g, x, input({8, 8})));
  EXPECT_EQ(checked({x}), 3);
}

TEST_F(Fusion, SoftmaxOverTheLastAxisIsOneKernel) {
  EXPECT_EQ(checked({softmax(g, input({6, 7}), 1)}), 1);
  EXPECT_EQ(kernels({softmax(g, input({64, 1000}), 1)}), 1);
}

TEST_F(Fusion, SoftmaxOverTheFirstAxisStagesItsReductions) {
  EXPECT_EQ(checked({softmax(g, input({7, 6}), 0)}), 2);
}

TEST_F(Fusion, SoftmaxOfOneLongRowStagesItsReductions) {
  EXPECT_EQ(kernels({softmax(g, input({1, 1 << 20}), 1)}), 3);
}

TEST_F(Fusion, LayerNormIsOneKernel) {
  EXPECT_EQ(checked({layer_norm(g, input({3, 8}), input({8}), input({8}))}), 1);
  EXPECT_EQ(kernels({layer_norm(g, input({512, 768}), input({768}), input({768}))}), 1);
}

TEST_F(Fusion, AttentionIsThreeKernels) {
  const Id q = input({128, 64}), k = input({128, 64}), v = input({128, 64});
  const Id scores = mul(g, matmul(g, q, permute(g, k, {1, 0})), number(g, 0.125));
  EXPECT_EQ(kernels({matmul(g, softmax(g, scores, 1), v)}), 3);
}

TEST_F(Fusion, BottleneckHasOneKernelPerConvolution) {
  NetworkBuilder net(g);
  Id x = net.parameter({2, 8, 6, 6});
  x = net.bottleneck(x, 2, 1);
  EXPECT_EQ(checked({net.bottleneck(x, 4, 2)}), 7);
}

TEST_F(Fusion, Resnet50HasOneKernelPerLayer) {
  const Id x = NetworkBuilder(g).resnet(64, 224, {3, 4, 6, 3});
  EXPECT_EQ(kernels({x}), 56);  // 53 convolutions, two poolings, one matrix product
}

TEST_F(Fusion, CheapValueIsRecomputedInBothKernels) {
  const Id x = mul(g, input({4, 6}), number(g, 2));
  EXPECT_EQ(checked({reduce_axes(g, Op::kAdd, x, {0}), reduce_axes(g, Op::kAdd, x, {1})}), 2);
}

TEST_F(Fusion, OutputsOfOneComputationShareAKernel) {
  const Id a = matmul(g, input({4, 5}), input({5, 3}));
  const Id b = mul(g, a, number(g, 3));
  EXPECT_EQ(checked({a, b, add(g, b, input({4, 3}))}), 1);
}

TEST_F(Fusion, OutputsThatWaitForAThirdKernelStayApart) {
  const Id a = matmul(g, input({4, 5}), input({5, 3}));
  const Id b = matmul(g, a, input({3, 3}));
  EXPECT_EQ(checked({a, add(g, a, b)}), 2);
}

TEST_F(Fusion, SameValueTwiceIsOneKernel) {
  const Id a = unary(g, Op::kNeg, input({4, 5}));
  EXPECT_EQ(checked({a, a}), 1);
}

TEST_F(Fusion, ViewsConstantsAndBuffersAreCopied) {
  const Id x = input({4, 5});
  EXPECT_EQ(checked({x}), 1);
  EXPECT_EQ(checked({permute(g, x, {1, 0})}), 1);
  EXPECT_EQ(checked({expand(g, reshape(g, number(g, 3), {1, 1}), {4, 5})}), 1);
  EXPECT_EQ(checked({number(g, 3)}), 1);
  EXPECT_EQ(checked({cast(g, iota(g, 7), kFloat32)}), 1);
}

TEST_F(Fusion, EmptyTensorsNeedNoKernel) {
  const Id nothing = shrink(g, input({4, 5}), {0, 0}, {4, 0});
  EXPECT_EQ(checked({nothing}), 0);
  EXPECT_EQ(checked({reduce_axes(g, Op::kAdd, nothing, {1})}), 1);
  EXPECT_EQ(checked({reduce_axes(g, Op::kMax, nothing, {1})}), 1);
  EXPECT_EQ(checked({pad(g, nothing, {0, 1}, {0, 2})}), 1);
}

TEST_F(Fusion, ReshapeOfAResultCostsNothing) {
  const Id product = matmul(g, input({6, 7}), input({7, 4}));
  EXPECT_EQ(checked({reshape(g, product, {3, 8})}), 1);
  EXPECT_EQ(checked({permute(g, reshape(g, product, {3, 2, 4}), {2, 0, 1})}), 1);
}

TEST_F(Fusion, ContiguousGetsABuffer) {
  const Id x = contiguous(g, mul(g, input({4, 5}), number(g, 2)));
  EXPECT_EQ(checked({add(g, permute(g, x, {1, 0}), number(g, 1))}), 2);
  EXPECT_EQ(checked({contiguous(g, input({4, 5}))}), 1);
  EXPECT_EQ(checked({add(g, contiguous(g, input({4, 5})), number(g, 1))}), 1);
}

TEST_F(Fusion, GatherReadsBuffersDirectly) {
  const Id table = input({6, 5});
  const Id rows = expand(g, reshape(g, buffer(g, kInt32, 50, {3}), {3, 1}), {3, 5});
  const Id columns = expand(g, reshape(g, iota(g, 5), {1, 5}), {3, 5});
  EXPECT_EQ(checked({mul(g, gather(g, table, {rows, columns}), number(g, 2))}), 1);
}

TEST_F(Fusion, GatherFromAProductStagesTheProduct) {
  const Id product = matmul(g, input({6, 7}), input({7, 5}));
  const Id rows = expand(g, reshape(g, buffer(g, kInt32, 50, {3}), {3, 1}), {3, 5});
  const Id columns = expand(g, reshape(g, iota(g, 5), {1, 5}), {3, 5});
  EXPECT_EQ(checked({gather(g, product, {rows, columns})}), 2);
}

TEST_F(Fusion, ConcatenationAndPaddingAreMasks) {
  const Id a = input({3, 4}), b = input({2, 4});
  const Id both = add(g, pad(g, a, {0, 0}, {2, 0}), pad(g, b, {3, 0}, {0, 0}));
  EXPECT_EQ(checked({relu(g, both)}), 1);
}

TEST_F(Fusion, RepeatedDoublingStaysBounded) {
  Id x = input({16});
  for (int k = 0; k < 50; k++) {
    const Id rolled = add(g, pad(g, shrink(g, x, {1}, {15}), {0}, {1}),
                          pad(g, shrink(g, x, {0}, {1}), {15}, {0}));
    x = mul(g, add(g, x, rolled), number(g, 0.5));
  }
  const size_t count = checked({x});
  EXPECT_GT(count, 10u);
  EXPECT_LE(count, 50u);
}

TEST_F(Fusion, ExpensiveOperandOfAContractionIsStaged) {
  const Id a = unary(g, Op::kExp2, input({256, 256}));
  EXPECT_EQ(kernels({matmul(g, a, input({256, 256}))}), 2);
  const Id few_rows = unary(g, Op::kExp2, input({256, 256}));
  EXPECT_EQ(kernels({matmul(g, input({4, 256}), few_rows)}), 1);
}

TEST_F(Fusion, CheapOperandOfAContractionIsNot) {
  const Id a = relu(g, cast(g, buffer(g, kFloat16, 50, {256, 256}), kFloat32));
  EXPECT_EQ(kernels({matmul(g, a, input({256, 256}))}), 1);
}

TEST_F(Fusion, TableOfCheapCoordinatesIsNotStored) {
  const Id column = apply(g, Op::kMul, input({1}), cast(g, iota(g, 512), kFloat32));
  const Id image = apply(g, Op::kMul, reshape(g, column, {1, 512, 1}), input({256, 1, 3}));
  EXPECT_EQ(kernels({image}), 1);
}

TEST_F(Fusion, KernelsDoNotGrowWithoutBound) {
  Id x = input({4});
  for (int k = 0; k < 20'000; k++) x = add(g, x, input({4}));
  EXPECT_EQ(kernels({x}), 5);
}

}  // namespace
}  // namespace loom::oracle
