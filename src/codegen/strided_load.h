// Vectors of elements that lie a few steps apart in memory.
#pragma once
#include "ir/graph.h"

namespace loom {

/// Beyond this distance a gather touches less memory.
inline constexpr int64_t kMaxLoadedStride = 4;

/// Can `load_strided` do it? 0 and 1 need nothing like it.
constexpr bool is_small_stride(int64_t stride) {
  return stride != 0 && stride != 1 && -kMaxLoadedStride <= stride && stride <= kMaxLoadedStride;
}

/// Elements base + stride * lane of `buffer` where `gate` (a bool, or one for each lane; 0: always)
/// holds, else `alternative`: contiguous LOADs of all that lies between, and the lanes picked from
/// them. No element is read outside of those between the first and the last lane's, nor one that is
/// not wanted where there is a gate.
Id load_strided(Graph& g, Id buffer, Id base, int64_t stride, int lanes, Id gate, Id alternative);

}  // namespace loom
