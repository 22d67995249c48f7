// PACK: a panel of an input, staged into LOCAL memory.
//
// A register tile reads, at each step of its reduction, a few vectors that lie far apart in memory:
// each is in a cache line and often a page of its own, and the lines of a column compete for the
// same few places of a cache. The panel holds what all steps read, one after the other. It is
// filled once and read for every turn of the loop that the reads do not depend on.
#pragma once
#include "ir/graph.h"

namespace loom {

/// Stages what the kernel reads of parameter `param` in its reductions and not along the loop
/// `range`. The panel is filled as far out as the loops that it depends on allow. Returns the sink
/// as it is when there is nothing to stage: no such read, or one of unknown size.
Id pack(Graph& g, Id sink, Id range, int64_t param);

}  // namespace loom
