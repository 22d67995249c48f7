// In-place stores whose value reads the same memory at other positions (x[1:] = x[:-1], a flip, a
// transpose, x - mean(x)): a loop that stores while it reads would see its own results.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// Gives the value of every such store a temporary; a second kernel copies it to where it belongs.
void separate_overlapping_stores(Graph& g, const std::vector<Facts>& facts, Indexer& indexer,
                                 Fusion& fusion);

}  // namespace loom
