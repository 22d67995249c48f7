// The tensor graph becomes kernels: the room's only entry point.
//
// In:  SINK(STORE(target, value)...) in tensor form (docs/architecture.md).
// Out: LINEAR(CALL(KERNEL(sink), BUFFER..., BIND...)...) in the same graph, plus a memory plan.
#pragma once
#include <span>
#include <vector>

#include "ir/graph.h"

namespace loom {

/// Intermediate buffers made by the scheduler have slots from here up.
inline constexpr int64_t kTempSlot = int64_t{1} << 40;

/// Where an intermediate lives: byte range of its device's arena. Ranges of buffers whose lifetimes
/// overlap are disjoint.
struct TempBuffer {
  int64_t slot = 0;
  Id device = 0;
  int64_t bytes = 0;
  int64_t offset = 0;
};

struct Schedule {
  Id linear = 0;
  std::vector<TempBuffer> temps;
  int64_t arena_bytes = 0;
};

/// Throws InternalError when `sink` is not in tensor form.
Schedule schedule(Graph& graph, Id sink);

}  // namespace loom
