// Panels: values of a kernel that are staged in LOCAL memory, and the two opts that make them. Each
// REDUCE of the kernel has ranges of its own (separate_reduces.h), so that a panel's can be
// renamed.
#pragma once
#include "ir/graph.h"

namespace loom {

/// PACK: stages what the kernel reads of parameter `param` in its reductions and not along the loop
/// `range`. A register tile reads, at each step of its reduction, a few vectors that lie far apart
/// in memory: each is in a cache line and often a page of its own, and the lines of a column
/// compete for the same few places of a cache. The panel holds what all steps read, one after the
/// other. It is filled once and read for every turn of `range`. Returns the sink as it is when
/// there is nothing to stage: no such read, or one of unknown size.
Id pack(Graph& g, Id sink, Id range, int64_t param);

/// GROUP: the work-items along `item`, a reduced range, each reduce their own part of what the
/// kernel reduces along it. They leave that in a panel, whose entries are reduced in turn.
Id group(Graph& g, Id sink, Id item);

}  // namespace loom
