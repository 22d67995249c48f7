// Every loop gets ranges of its own.
//
// In:  kernel form, where several REDUCEs may run over the same ranges.
// Out: the same, where REDUCEs share ranges only when one loop can compute them all: they close the
//      same ranges, inside the same outer ranges, and none needs the result of another. The others
//      get fresh ranges, and copies of what depends on them.
#pragma once
#include "ir/graph.h"

namespace loom {

/// For each node up to `root`: how many REDUCEs one after the other its value takes, itself
/// included.
std::vector<int> reduce_levels(const Graph& g, Id root);

Id separate_reduces(Graph& g, Id sink);

}  // namespace loom
