// One kernel body becomes a linear program: the room's only entry point besides the renderers.
//
// In:  SINK in kernel form (docs/architecture.md), any graph.
// Out: LINEAR in a graph of its own.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "codegen/opt.h"
#include "ir/graph.h"

namespace loom {

struct CodegenOptions {
  bool optimise = true;                  // false: no opts at all, the plain loops of the kernel
  std::optional<std::vector<Opt>> opts;  // instead of the heuristic's choice
  /// Sees the kernel after each pass, for those who show or time them.
  std::function<void(std::string_view pass, const Graph& graph, Id root)> on_pass;
};

/// A kernel ready to be rendered or interpreted.
struct LoweredKernel {
  Graph graph;
  Id linear = 0;
  std::string name;          // valid C identifier that tells the loop structure: "r_64_32_4"
  std::string painted_name;  // the same with colours, for a terminal
  std::vector<Opt> opts;     // what was applied
  int64_t threads = 1;       // size of the THREAD axis: chunks that may run at once
  int64_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};  // launch dimensions of GPU-like targets
  int param_count = 0;                 // buffers it takes: slots 0 .. param_count - 1
  std::vector<std::string> variables;  // VARIABLE names in argument order
  int64_t flops = 0;                   // ALU operations on floats (MULACC counts two), upper bound
  int64_t bytes = 0;                   // sum of the sizes of the buffers it touches
};

/// Throws UserError for an opt that does not apply, InternalError for a malformed kernel.
LoweredKernel lower_kernel(const Graph& graph, Id sink, const Target& target,
                           const CodegenOptions& options = {});

}  // namespace loom
