#include "base/error.h"
#include "tests/codegen/lowered.h"
#include "tests/codegen/random_kernels.h"

namespace loom::testing {
namespace {

CodegenOptions plain() {
  CodegenOptions options;
  options.optimise = false;
  return options;
}

/// Opts that apply, found by trying.
std::vector<Opt> random_opts(const Graph& g, Id sink, std::mt19937_64& random) {
  std::vector<Opt> opts;
  for (int tries = 0; tries < 12; tries++) {
    constexpr OptOp kOps[] = {OptOp::kUpcast, OptOp::kVector, OptOp::kUnroll, OptOp::kThread,
                              OptOp::kPadTo,  OptOp::kSwap,   OptOp::kPack};
    std::vector<Opt> longer = opts;
    longer.push_back({kOps[random() % std::size(kOps)], static_cast<int>(random() % 6),
                      static_cast<int64_t>(random() % 9)});
    try {
      CodegenOptions options;
      options.opts = longer;
      lower_kernel(g, sink, group_target(), options);
      opts = longer;
    } catch (const UserError&) {
      continue;  // this one does not apply
    }
  }
  return opts;
}

TEST(LowerKernelFuzz, PlainAndOptimisedKernelsComputeWhatTheirFormMeans) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph g;
    const Id sink = RandomKernel(g, seed).sink();
    verify(g, sink, Stage::kKernel);
    expect_right(g, sink, plain());
    expect_right(g, sink);
    expect_right(g, sink, {}, middle_target());
    expect_right(g, sink, {}, generic_x86_64());
    if (HasFailure()) return;
  }
}

TEST(LowerKernelFuzz, AnyOptsKeepTheMeaning) {
  for (uint64_t seed = 1000; seed < 1200; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph g;
    const Id sink = RandomKernel(g, seed).sink();
    std::mt19937_64 random(seed);
    CodegenOptions options;
    options.opts = random_opts(g, sink, random);
    expect_right(g, sink, options, group_target());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace loom::testing
