// Time to compile the forward graph of ResNet-50, batch 64, up to linear programs. Nothing is
// executed, and one thread does it all.
#include <algorithm>
#include <unordered_set>

#include "base/timing.h"
#include "bench/bench.h"
#include "bench/resnet50.h"
#include "codegen/codegen.h"
#include "engine/engine.h"
#include "runtime/device.h"
#include "schedule/schedule.h"
#include "tensor/data.h"

namespace loom::bench {

namespace {

constexpr int64_t kBatch = 64;
constexpr int kSamples = 9;

struct StageTimes {
  std::vector<double> schedule, lower, linearise, total;  // ns, one of each per sample
};

/// Lowers each distinct kernel of the schedule once, as the kernel cache does; adds up the passes.
void lower_all(const Graph& graph, Id linear, const Target& target, double& lower_ns,
               double& linearise_ns) {
  std::unordered_set<uint64_t> seen;
  for (Id call : graph.src(linear)) {
    if (graph.op(graph.src(call, 0)) != Op::kKernel) continue;
    const Id sink = graph.src(graph.src(call, 0), 0);
    if (!seen.insert(structural_hash(graph, sink).lo).second) continue;
    CodegenOptions options;
    int64_t last = now_ns();
    options.on_pass = [&](std::string_view pass, const Graph&, Id) {
      const int64_t now = now_ns();
      (pass == "linearise" ? linearise_ns : lower_ns) += static_cast<double>(now - last);
      last = now;
    };
    lower_kernel(graph, sink, target, options);
  }
}

void sample(const Tensor& logits, StageTimes& times) {
  auto [graph, sink, buffers, existing] =
      engine().export_program(std::vector<RealizeTarget>{{logits.data()->root.place(), nullptr}});
  const int64_t start = now_ns();
  const Schedule scheduled = schedule(graph, sink);
  const int64_t middle = now_ns();
  double lower = 0, linearise = 0;
  lower_all(graph, scheduled.linear, device("CPU").target(), lower, linearise);
  times.total.push_back(static_cast<double>(now_ns() - start));
  times.schedule.push_back(static_cast<double>(middle - start));
  times.lower.push_back(lower);
  times.linearise.push_back(linearise);
}

}  // namespace

std::vector<Result> compile_bench() {
  const Tensor logits = resnet50(kBatch);
  StageTimes times;
  for (int i = 0; i < kSamples; i++) sample(logits, times);
  auto seconds = [](double ns) { return ns / 1e9; };
  return {result_from("compile.total_s", "s", times.total, seconds),
          result_from("compile.schedule_s", "s", times.schedule, seconds),
          result_from("compile.lower_s", "s", times.lower, seconds),
          result_from("compile.linearize_s", "s", times.linearise, seconds)};
}

}  // namespace loom::bench
