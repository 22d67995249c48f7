// Where intermediates live: one arena per device, shared by lifetime.
#pragma once
#include "schedule/schedule.h"

namespace loom {

/// When an intermediate is needed: from the kernel at position `first` to the one at `last`.
struct Lifetime {
  int64_t slot = 0;
  Id device = 0;
  int64_t bytes = 0;
  size_t first = 0, last = 0;
};

struct MemoryPlan {
  std::vector<TempBuffer> temps;  // in the order of the lifetimes
  int64_t arena_bytes = 0;        // of the largest arena
};

/// Offsets are multiples of 64. Takes the smallest gap that fits, else grows the arena.
MemoryPlan plan_memory(std::span<const Lifetime> lifetimes);

}  // namespace loom
