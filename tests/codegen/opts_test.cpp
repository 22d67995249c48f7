#include "codegen/opts.h"

#include "base/error.h"
#include "codegen/kernel.h"
#include "tests/codegen/kernels.h"
#include "tests/codegen/lowered.h"

namespace loom::testing {
namespace {

struct OptCase {
  const char* name;
  Id (*kernel)(Graph& g);
  std::vector<Opt> opts;
};

Id small_product(Graph& g) { return product(g, kInt32, 12, 20, 10); }
Id odd_product(Graph& g) { return product(g, kInt32, 7, 13, 5); }
Id small_image(Graph& g) { return convolution(g, kInt32, {2, 2, 2, 16, 3, 1, 1}); }
Id row_sums(Graph& g) { return sums(g, kInt32, 6, 30, true); }
Id rows(Graph& g) { return centred_rows(g, kInt32, 6, 20); }

class Opts : public ::testing::TestWithParam<OptCase> {};

TEST_P(Opts, KeepTheMeaning) {
  Graph g;
  CodegenOptions options;
  options.opts = GetParam().opts;
  expect_right(g, GetParam().kernel(g), options, group_target());
}

INSTANTIATE_TEST_SUITE_P(
    All, Opts,
    ::testing::Values(
        OptCase{"None", small_product, {}},  //
        OptCase{"Upcast", small_product, {{OptOp::kUpcast, 0, 4}}},
        OptCase{"UpcastBoth", small_product, {{OptOp::kUpcast, 0, 3}, {OptOp::kUpcast, 1, 4}}},
        OptCase{"UpcastWholeAxis", small_product, {{OptOp::kUpcast, 0, 0}}},
        OptCase{"VectorOfOutputs", small_product, {{OptOp::kVector, 1, 4}}},
        OptCase{"VectorOfRows", small_product, {{OptOp::kVector, 0, 4}}},
        OptCase{"VectorOfTheReducedAxis", small_product, {{OptOp::kVector, 2, 5}}},
        OptCase{"WholeReductionInLanes", small_product, {{OptOp::kVector, 2, 10}}},
        OptCase{"Unroll", small_product, {{OptOp::kUnroll, 2, 5}}},
        OptCase{"UnrollWithManyAccumulators",
                small_product,
                {{OptOp::kUpcast, 0, 12}, {OptOp::kUnroll, 2, 2}}},
        OptCase{"UnrollAll", small_product, {{OptOp::kUnroll, 2, 0}}},
        OptCase{"Thread", small_product, {{OptOp::kThread, 0, 3}}},
        OptCase{"Tile",
                small_product,
                {{OptOp::kVector, 1, 4},
                 {OptOp::kUpcast, 1, 5},
                 {OptOp::kUpcast, 0, 2},
                 {OptOp::kThread, 0, 2},
                 {OptOp::kSwap, 0, 1},
                 {OptOp::kUnroll, 2, 2}}},
        OptCase{"Pack", small_product, {{OptOp::kPack, 0, 2}}},
        OptCase{"PackBoth", small_product, {{OptOp::kPack, 1, 1}, {OptOp::kPack, 0, 2}}},
        OptCase{"PackATile",
                odd_product,
                {{OptOp::kPadTo, 1, 8},
                 {OptOp::kVector, 1, 4},
                 {OptOp::kUpcast, 1, 2},
                 {OptOp::kThread, 0, 7},
                 {OptOp::kSwap, 0, 1},
                 {OptOp::kPack, 1, 2}}},
        OptCase{"PackUnrolled", small_product, {{OptOp::kUnroll, 2, 5}, {OptOp::kPack, 0, 2}}},
        OptCase{"PackReducedLanes", small_product, {{OptOp::kVector, 2, 5}, {OptOp::kPack, 0, 2}}},
        OptCase{"PackWhatIsGated", small_image, {{OptOp::kSwap, 1, 3}, {OptOp::kPack, 3, 1}}},
        OptCase{"PackSeveralReducedAxes", small_image, {{OptOp::kPack, 3, 2}}},
        OptCase{"PackForTwoReductions", rows, {{OptOp::kVector, 1, 4}, {OptOp::kPack, 1, 1}}},
        OptCase{"Local", small_product, {{OptOp::kLocal, 0, 4}, {OptOp::kLocal, 1, 5}}},
        OptCase{"Group", small_product, {{OptOp::kGroup, 2, 5}}},
        OptCase{"GroupTop", small_product, {{OptOp::kGroupTop, 2, 5}}},
        OptCase{"GroupAll", small_product, {{OptOp::kGroup, 2, 0}}},
        OptCase{"GroupOfATile",
                small_product,
                {{OptOp::kVector, 1, 4}, {OptOp::kUpcast, 0, 3}, {OptOp::kGroupTop, 2, 2}}},
        OptCase{"GroupTwice", row_sums, {{OptOp::kGroup, 1, 5}, {OptOp::kGroup, 1, 3}}},
        OptCase{"GroupOneOfSeveralAxes", small_image, {{OptOp::kGroup, 5, 3}}},
        OptCase{"GroupDependentReductions", rows, {{OptOp::kGroup, 2, 4}}},
        OptCase{"GroupWhatIsPacked",
                small_product,
                {{OptOp::kLocal, 0, 3}, {OptOp::kPack, 0, 2}, {OptOp::kGroup, 2, 5}}},
        OptCase{"PadRows", odd_product, {{OptOp::kPadTo, 0, 4}, {OptOp::kUpcast, 0, 4}}},
        OptCase{"PadColumns", odd_product, {{OptOp::kPadTo, 1, 8}, {OptOp::kVector, 1, 8}}},
        OptCase{"PadTheReducedAxis", odd_product, {{OptOp::kPadTo, 2, 4}, {OptOp::kVector, 2, 4}}},
        OptCase{"PadEverything",
                odd_product,
                {{OptOp::kPadTo, 0, 2},
                 {OptOp::kPadTo, 1, 16},
                 {OptOp::kPadTo, 2, 2},
                 {OptOp::kVector, 1, 16},
                 {OptOp::kUpcast, 0, 2},
                 {OptOp::kUnroll, 2, 2}}},
        OptCase{"PadTwice", odd_product, {{OptOp::kPadTo, 1, 8}, {OptOp::kPadTo, 1, 5}}},
        OptCase{"PadGatedLoads", small_image, {{OptOp::kPadTo, 3, 5}, {OptOp::kVector, 3, 5}}},
        OptCase{"UnrollWindow", small_image, {{OptOp::kUnroll, 5, 3}, {OptOp::kUnroll, 6, 3}}},
        OptCase{"SwapReducedAxes", small_image, {{OptOp::kSwap, 4, 6}}},
        OptCase{"SwapOutputs", small_image, {{OptOp::kSwap, 0, 3}, {OptOp::kSwap, 1, 2}}},
        OptCase{"LanesOfARow", row_sums, {{OptOp::kVector, 1, 10}, {OptOp::kUnroll, 1, 3}}},
        OptCase{"OddLanes", row_sums, {{OptOp::kVector, 1, 15}}},
        OptCase{"DependentReductions", rows, {{OptOp::kVector, 1, 4}, {OptOp::kUpcast, 0, 2}}},
        OptCase{
            "DependentReductionsInLanes", rows, {{OptOp::kVector, 2, 4}, {OptOp::kUnroll, 2, 5}}}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

/// What `apply_opt` says about an opt on a product of 12 x 10 and 10 x 20.
std::string refusal(const Opt& opt) {
  Graph g;
  try {
    apply_opt(g, small_product(g), opt, wide_target());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(OptsThatDoNotApply, NameAxisSizeAndAmount) {
  EXPECT_EQ(refusal({OptOp::kUpcast, 0, 5}),
            "UPCAST(0, 5) cannot split axis 0 of size 12 into parts of 5");
  EXPECT_EQ(refusal({OptOp::kUpcast, 3, 2}), "UPCAST(3, 2) names axis 3 of a kernel with 3 axes");
  EXPECT_EQ(refusal({OptOp::kUpcast, 2, 2}),
            "UPCAST(2, 2) does not apply to axis 2 of type REDUCE");
  EXPECT_EQ(refusal({OptOp::kUnroll, 1, 2}), "UNROLL(1, 2) does not apply to axis 1 of type LOOP");
  EXPECT_EQ(refusal({OptOp::kThread, 2, 2}),
            "THREAD(2, 2) does not apply to axis 2 of type REDUCE");
  EXPECT_EQ(refusal({OptOp::kSwap, 0, 2}),
            "SWAP(0, 2) cannot exchange axes of types LOOP and REDUCE");
  EXPECT_EQ(refusal({OptOp::kLocal, 0, 2}), "LOCAL(0, 2) needs a target with local memory");
  EXPECT_EQ(refusal({OptOp::kPadTo, 0, 0}),
            "PADTO(0, 0) cannot round axis 0 of size 12 up to a multiple of 0");
  EXPECT_EQ(refusal({OptOp::kPack, 0, 1}),
            "PACK(0, 1) finds nothing to stage that axis 0 reads again");
}

TEST(OptsThatDoNotApply, CopiesThatWouldShareAPanel) {
  Graph g;
  const Id sink = apply_opt(g, small_product(g), {OptOp::kPack, 0, 2}, wide_target());
  EXPECT_THROW(apply_opt(g, sink, {OptOp::kUpcast, 1, 2}, wide_target()), UserError);
  EXPECT_THROW(apply_opt(g, sink, {OptOp::kVector, 1, 4}, wide_target()), UserError);
  EXPECT_NE(apply_opt(g, sink, {OptOp::kUpcast, 0, 2}, wide_target()), 0U);
}

TEST(OptsThatDoNotApply, ASecondThreadAxis) {
  Graph g;
  const Id sink = apply_opt(g, small_product(g), {OptOp::kThread, 0, 2}, wide_target());
  EXPECT_THROW(apply_opt(g, sink, {OptOp::kThread, 1, 2}, wide_target()), UserError);
}

TEST(OptsThatDoNotApply, VectorsAlongTwoAxesOfOneValue) {
  Graph g;
  CodegenOptions options;
  options.opts = {{OptOp::kVector, 0, 4}, {OptOp::kVector, 1, 4}};
  EXPECT_THROW(lower_kernel(g, small_product(g), wide_target(), options), UserError);
}

/// The loops around the STOREs into LOCAL memory, outermost first, by the sizes of their ranges.
std::vector<int64_t> loops_around_filling(const LoweredKernel& kernel) {
  const Graph& g = kernel.graph;
  std::vector<int64_t> open;
  for (Id id : g.src(kernel.linear)) {
    if (g.op(id) == Op::kRange) open.push_back(range_size(g, id));
    if (g.op(id) == Op::kEnd) open.pop_back();
    if (g.op(id) == Op::kStore && g.op(g.src(g.src(id, 0), 0)) == Op::kDefineLocal) return open;
  }
  return {};
}

TEST(Packs, FillAPanelOnceForAllTurnsOfTheLoopThatReadsIt) {
  Graph g;
  CodegenOptions options;
  options.opts = {{OptOp::kVector, 1, 4}, {OptOp::kSwap, 0, 1}, {OptOp::kPack, 1, 2}};
  const LoweredKernel k = lower_kernel(g, small_product(g), wide_target(), options);
  EXPECT_EQ(loops_around_filling(k), (std::vector<int64_t>{5, 10}));  // columns, steps; no rows
}

TEST(Splits, KeepThePositionsOfOtherAxes) {
  Graph g;
  const Id before = small_product(g),
           after = apply_opt(g, before, {OptOp::kUpcast, 0, 4}, wide_target());
  const std::vector<Id> old = kernel_ranges(g, before), now = kernel_ranges(g, after);
  ASSERT_EQ(now.size(), 4u);
  EXPECT_EQ(range_size(g, now[0]), 3);
  EXPECT_EQ(now[1], old[1]);
  EXPECT_EQ(now[2], old[2]);
  EXPECT_EQ(axis_type(g, now[3]), AxisType::kUpcast);
}

}  // namespace
}  // namespace loom::testing
