// UPCAST and UNROLL ranges vanish.
//
// In:  optimised kernel form; the sizes of UPCAST and UNROLL ranges are constants.
// Out: the same without them: every node that depends on such ranges is copied once for each
//      combination of their numbers (the last axis fastest), END takes the GROUP of its effect's
//      copies, and REDUCE combines the copies of its value. Copies that become equal are one node.
//
// A REDUCE over an UNROLL range combines the copies before they enter its accumulator when the
// kernel has many accumulators, and keeps an accumulator for each copy, combined after the loop,
// when it has few: then the additions of one iteration do not wait for each other. Both add the
// copies in ascending order. A REDUCE whose loops are all unrolled stays one, over no ranges: an
// accumulator that is updated once.
#pragma once
#include "ir/graph.h"

namespace loom {

Id expand(Graph& g, Id sink);

}  // namespace loom
