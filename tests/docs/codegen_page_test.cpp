// docs/codegen.md follows a small matrix product through the passes.
#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "codegen/opts.h"
#include "ir/text.h"
#include "tests/codegen/kernels.h"
#include "tests/docs/named_blocks.h"

namespace loom {
namespace {

TEST(CodegenPage, ShowsTheRealText) {
  Target target = generic_x86_64();
  target.has_fma = true;
  Graph graph;
  const Id sink = testing::product(graph, kFloat32, 4, 8, 16);
  const LoweredKernel lowered = lower_kernel(graph, sink, target);
  std::string opts;
  for (const Opt& opt : lowered.opts) opts += name(opt) + "\n";
  expect_page_shows("codegen.md", {{"kernel", print(graph, sink)},
                                   {"opts", opts},
                                   {"linear", print(lowered.graph, lowered.linear)}});
}

}  // namespace
}  // namespace loom
