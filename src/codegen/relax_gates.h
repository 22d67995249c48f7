// Gates that nobody needs are taken off.
//
// In:  kernel form.
// Out: kernel form that computes the same. A gate's condition is dropped when the value that is
//      read matters only where the condition holds, because a WHERE chooses it there or a gated
//      STORE writes it there, and the address is in bounds without it.
#pragma once
#include "ir/graph.h"

namespace loom {

Id relax_gates(Graph& g, Id sink);

}  // namespace loom
