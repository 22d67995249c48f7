#include "codegen/codegen.h"

#include <algorithm>

#include "codegen/decompositions.h"
#include "codegen/describe.h"
#include "codegen/expand.h"
#include "codegen/heuristic.h"
#include "codegen/kernel.h"
#include "codegen/linearise.h"
#include "codegen/lower_reduces.h"
#include "codegen/narrow_index.h"
#include "codegen/opts.h"
#include "codegen/relax_gates.h"
#include "codegen/separate_reduces.h"
#include "codegen/simplify_ranges.h"
#include "codegen/vectorise.h"
#include "ir/build.h"
#include "ir/verify.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

/// Applies the opts that the caller or the heuristic wants.
Id optimised(Graph& g, Id sink, const Target& target, const CodegenOptions& options,
             std::vector<Opt>& opts) {
  if (!options.optimise) return sink;
  sink = simplify_ranges(g, relax_gates(g, sink), target);
  if (!options.opts) {
    OptimisedKernel chosen = optimise(g, sink, target);
    opts = std::move(chosen.opts);
    return chosen.sink;
  }
  opts = *options.opts;
  for (const Opt& opt : opts) sink = apply_opt(g, sink, opt, target);
  return sink;
}

/// THREAD ranges become the launch index that tells which chunk to compute.
Id launch_threads(Graph& g, Id sink, LoweredKernel& kernel) {
  std::vector<RangeChange> changes;
  for (Id range : kernel_ranges(g, sink, AxisType::kThread)) {
    kernel.threads = range_size(g, range);
    const Id special =
        g.add(Op::kSpecial, kIndex, {g.src(range, 0)}, special_arg(SpecialKind::kThreadId, 0));
    changes.push_back({range, special, {}});
  }
  return change_ranges(g, sink, changes);
}

void describe_arguments(const Graph& graph, Id sink, LoweredKernel& kernel) {
  for (Id id : reachable(graph, sink)) {
    if (graph.op(id) == Op::kParam)
      kernel.param_count = std::max(kernel.param_count, static_cast<int>(graph.arg(id)) + 1);
    if (graph.op(id) == Op::kVariable) kernel.variables.emplace_back(graph.text_of(graph.arg(id)));
  }
  std::ranges::sort(kernel.variables);
}

}  // namespace

LoweredKernel lower_kernel(const Graph& graph, Id sink, const Target& target,
                           const CodegenOptions& options) {
  LoweredKernel kernel;
  Graph g;
  const auto checked = [&](Id body, std::string_view pass) {
    verify_pass(g, body, Stage::kKernel, pass);
    if (options.on_pass) options.on_pass(pass, g, body);
    return body;
  };
  Id body = import(g, graph, sink);
  describe_arguments(g, body, kernel);
  body = checked(optimised(g, body, target, options, kernel.opts), "opts");
  kernel.name = kernel_name(g, body);
  kernel.painted_name = painted_kernel_name(g, body);
  body = launch_threads(g, drop_single_ranges(g, body), kernel);
  body = checked(simplify(g, decompose(g, body, target)), "decompose");
  body = checked(simplify(g, expand(g, separate_reduces(g, body))), "expand");
  body = checked(vectorise(g, body), "vectorise");
  body = checked(lower_reduces(g, body, target), "lower_reduces");
  body = checked(narrow_index(g, body), "narrow_index");
  kernel.linear = linearise(kernel.graph, g, body);
  verify_pass(kernel.graph, kernel.linear, Stage::kLinear, "linearise");
  if (options.on_pass) options.on_pass("linearise", kernel.graph, kernel.linear);
  kernel.flops = count_flops(kernel.graph, kernel.linear);
  kernel.bytes = count_bytes(kernel.graph, kernel.linear);
  return kernel;
}

}  // namespace loom
