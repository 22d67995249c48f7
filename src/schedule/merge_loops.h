// Neighbouring loops that only ever act as one: where i and j occur nowhere but as c * (i * n + j),
// n being the size of j, a single loop over their product takes their place. An element-wise kernel
// over contiguous buffers of any rank ends up with one loop.
#pragma once
#include "ir/graph.h"

namespace loom {

/// Merges LOOP axes, and REDUCE axes of the same reduction. Wants and leaves kernel form, with
/// index arithmetic to be simplified again if anything changed.
Id merge_loops(Graph& g, Id sink);

}  // namespace loom
