// Chooses the opts of a kernel from the target's numbers.
//
// In:  kernel form after `simplify_ranges`.
// Out: the kernel with the opts applied, and their list. Everything is decided by a small cost
//      model of one core: what a load costs depends on how its address moves along the vector axis,
//      and a register tile shares loads between the elements it computes.
#pragma once
#include <vector>

#include "base/target.h"
#include "codegen/opt.h"
#include "ir/graph.h"

namespace loom {

struct OptimisedKernel {
  Id sink = 0;
  std::vector<Opt> opts;
};

OptimisedKernel optimise(Graph& g, Id sink, const Target& target);

}  // namespace loom
