// Kernels with several outputs: a kernel that reads another one's result exactly where that one
// computes it, in the same loops, joins it. The value is then used from a register, and when nobody
// else reads its buffer it is not even stored.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// Kernels that joined another one are left without outputs.
void merge_outputs(Graph& g, const std::vector<Facts>& facts, Fusion& fusion);

}  // namespace loom
