// From tensors to kernels, second sweep: what every instance is, as an expression over the loops of
// its kernel. Memory is read as LOAD(INDEX(version, offset[, gate])), with the BUFFER or AFTER
// itself where a kernel has a PARAM; the indices of gathers are still placeholders
// (Fusion::gathered).
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// The value of each instance, by its number.
std::vector<Id> build_values(Graph& g, const std::vector<Facts>& facts, Indexer& indexer,
                             const Fusion& fusion);

}  // namespace loom
