// What realizing a graph comes down to: launches of compiled kernels on numbered buffers.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/kernel_cache.h"
#include "schedule/schedule.h"

namespace loom {

/// Buffers are numbered: those of the graph from 0 (by slot), then the temporaries.
struct Plan {
  struct Step {
    std::shared_ptr<const CompiledKernel> kernel;  // null: copy buffers[1] to buffers[0]
    std::vector<uint32_t> buffers;                 // PARAM slot k is the k-th
    std::vector<int64_t> variables;
  };
  struct Temp {
    uint32_t arena = 0;
    int64_t offset = 0, bytes = 0;
  };
  struct Arena {
    Device* device = nullptr;
    int64_t bytes = 0;
  };

  std::vector<Step> steps;
  uint32_t buffer_count = 0;  // without temporaries
  std::vector<Temp> temps;
  std::vector<Arena> arenas;

  /// Memory it holds on to, compiled kernels included.
  int64_t size() const;
};

/// Schedules `sink` (tensor form, buffer slots 0 .. buffer_count - 1) and compiles its kernels.
/// Temporaries that the graph puts on no device go to `home`.
Plan make_plan(Graph& graph, Id sink, uint32_t buffer_count, Device& home, KernelCache& kernels);

/// The memory of one run of a plan.
struct PlanMemory {
  std::vector<std::shared_ptr<Buffer>> buffers;  // of the graph, by slot
  std::vector<std::shared_ptr<Buffer>> arenas;

  void* address(const Plan& plan, uint32_t buffer) const;
  int64_t bytes(const Plan& plan, uint32_t buffer) const;
};

/// Memory for the temporaries beside the graph's own buffers.
PlanMemory allocate(const Plan& plan, std::span<const std::shared_ptr<Buffer>> buffers);
/// Launches every step, in order.
void run(const Plan& plan, const PlanMemory& memory);

}  // namespace loom
