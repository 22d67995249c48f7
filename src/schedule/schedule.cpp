#include "schedule/schedule.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "ir/build.h"
#include "ir/verify.h"
#include "schedule/canonical.h"
#include "schedule/emit.h"
#include "schedule/hazards.h"
#include "schedule/kernel_rules.h"
#include "schedule/memory_plan.h"
#include "schedule/merge_loops.h"
#include "schedule/merge_outputs.h"
#include "schedule/order.h"
#include "schedule/values.h"

namespace loom {
namespace {

/// COPY between devices: flat, from one buffer to another.
Id copy_call(Graph& g, const Kernel& kernel, const std::vector<Facts>& facts) {
  const Id from =
      g.op(kernel.copy_from) == Op::kAfter ? facts[kernel.copy_from].memory : kernel.copy_from;
  const Id copy = g.add(Op::kCopy, g.dtype(from), {from, kernel.device});
  return g.add(Op::kCall, kVoid, {copy, kernel.outputs.front().buffer, from});
}

Id kernel_call(Graph& g, EmittedKernel&& kernel) {
  kernel.sink = rewrite(kernel.graph, kernel.sink, kernel_simplifications());
  const Id merged = merge_loops(kernel.graph, kernel.sink);
  if (merged != kernel.sink) kernel.sink = rewrite(kernel.graph, merged, kernel_simplifications());
  canonicalise(kernel);
  verify_pass(kernel.graph, kernel.sink, Stage::kKernel, "schedule");
  std::vector<Id> src{g.add(Op::kKernel, kVoid, {import(g, kernel.graph, kernel.sink)})};
  src.insert(src.end(), kernel.buffers.begin(), kernel.buffers.end());
  for (const Binding& binding : kernel.bindings) src.push_back(binding.bind);
  return g.add(Op::kCall, kVoid, src);
}

/// From first to last use in the order of the calls.
std::vector<Lifetime> lifetimes_of_temps(const Graph& g, std::span<const Id> calls) {
  std::vector<Lifetime> lifetimes;
  std::unordered_map<Id, size_t> number;
  for (size_t time = 0; time < calls.size(); time++) {
    for (const Id buffer : g.src(calls[time]).subspan(1)) {
      if (g.op(buffer) != Op::kBuffer || g.arg(buffer) < kTempSlot) continue;
      const auto [entry, is_new] = number.try_emplace(buffer, lifetimes.size());
      if (is_new) {
        const Id device = g.src(buffer).size() > 1 ? g.src(buffer, 1) : 0;
        const int64_t bytes = g.bounds(g.src(buffer, 0)).hi * g.dtype(buffer).bytes();
        lifetimes.push_back({g.arg(buffer), device, bytes, time, time});
      }
      lifetimes[entry->second].last = time;
    }
  }
  return lifetimes;
}

}  // namespace

Schedule schedule(Graph& g, Id sink) {
  require(g.op(sink) == Op::kSink, "schedule: wants a SINK, got ", name(g.op(sink)));
  verify_pass(g, sink, Stage::kTensor, "schedule's input");
  std::vector<Facts> facts = survey(g, sink);
  Indexer indexer(g);
  Fusion fusion = fuse(g, sink, facts, indexer);
  merge_outputs(g, facts, fusion);
  separate_overlapping_stores(g, facts, indexer, fusion);
  const std::vector<uint32_t> order = order_kernels(g, fusion);
  const std::vector<Id> values = build_values(g, facts, indexer, fusion);

  Emitter emitter(g, facts, fusion, values);
  std::vector<Id> calls;
  for (const uint32_t k : order) {
    const Kernel& kernel = fusion.kernels[k];
    calls.push_back(kernel.copy_from ? copy_call(g, kernel, facts)
                                     : kernel_call(g, emitter.emit(kernel)));
  }
  MemoryPlan plan = plan_memory(lifetimes_of_temps(g, calls));
  const Id linear = g.add(Op::kLinear, kVoid, calls);
  verify_pass(g, linear, Stage::kRange, "schedule");
  return {linear, std::move(plan.temps), plan.arena_bytes};
}

}  // namespace loom
