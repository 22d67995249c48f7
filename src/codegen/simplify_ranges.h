// The loops of a kernel become as few and as plain as its index arithmetic allows.
//
// In:  kernel form.
// Out: kernel form that computes the same. Ranges of size 1 are gone; a range of which only r / c
//      and r % c are used is two ranges; adjacent ranges that are always used as r0 * size + r1 are
//      one. No index expression has more divisions than before.
#pragma once
#include "base/target.h"
#include "ir/graph.h"

namespace loom {

/// The kernel without ranges of size 1.
Id drop_single_ranges(Graph& g, Id sink);

Id simplify_ranges(Graph& g, Id sink, const Target& target);

}  // namespace loom
