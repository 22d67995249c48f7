// In which order kernels run: after what they read has been written, before what they read is
// written over, and otherwise so that intermediates die young.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// Kernels in execution order. Where a kernel reads a buffer's old content but can only run after
/// the new content has been stored, a kernel that saves the old content is added.
std::vector<uint32_t> order_kernels(Graph& g, Fusion& fusion);

}  // namespace loom
