// VECTOR ranges become the lanes of vector values.
//
// In:  kernel form whose ranges are LOOP, REDUCE, THREAD and VECTOR, the latter of constant size.
// Out: the same without VECTOR ranges. A value that depends on one has its size as lanes; one that
//      does not stays scalar and is broadcast where a vector needs it. An offset base + stride *
//      lane is taken apart: stride 1 reads and writes contiguous vectors at the scalar offset
//      `base`, stride 0 one element, others gather and scatter. A REDUCE over a VECTOR range
//      reduces whole vectors over its other ranges and then folds the lanes in halves.
//
// Throws UserError when a value depends on two VECTOR ranges.
#pragma once
#include "ir/graph.h"

namespace loom {

Id vectorise(Graph& g, Id sink);

}  // namespace loom
