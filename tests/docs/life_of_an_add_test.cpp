// docs/life-of-an-add.md shows the real text of one expression in every room.
#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "codegen/render/render.h"
#include "engine/engine.h"
#include "ir/text.h"
#include "schedule/schedule.h"
#include "tensor/data.h"
#include "tests/docs/named_blocks.h"

namespace loom {
namespace {

/// The page is about a machine with 512-bit vectors, whatever machine the test runs on.
Target page_target() {
  Target target = generic_x86_64();
  target.cpu = "x86-64-v4";
  target.vector_bits = 512;
  target.vector_registers = 32;
  target.has_fma = true;
  return target;
}

TEST(LifeOfAnAdd, PageShowsTheRealText) {
  Tensor a = Tensor::empty({16, 32}, kFloat32, "CPU"), b = Tensor::empty({32}, kFloat32, "CPU");
  Tensor c = a + b;
  auto [graph, sink, buffers, existing] =
      engine().export_program(std::vector<RealizeTarget>{{c.data()->root.place(), nullptr}});
  std::map<std::string, std::string> blocks;
  blocks["tensor"] = print(graph, sink);
  Schedule scheduled = schedule(graph, sink);
  blocks["schedule"] = print(graph, scheduled.linear);
  Id kernel = graph.src(graph.src(scheduled.linear, 0), 0);
  CodegenOptions options;
  options.on_pass = [&](std::string_view pass, const Graph& g, Id root) {
    if (pass == "opts" || pass == "expand" || pass == "vectorise" || pass == "linearise") {
      blocks[std::string(pass)] = print(g, root);
    }
  };
  LoweredKernel lowered = lower_kernel(graph, graph.src(kernel, 0), page_target(), options);
  blocks["llvm"] = render_llvm(lowered, page_target());
  expect_page_shows("life-of-an-add.md", blocks);
}

}  // namespace
}  // namespace loom
