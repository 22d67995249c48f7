// A graph of effects becomes a list in execution order.
//
// In:  SINK(effects...) after `lower_reduces` and `narrow_index`.
// Out: LINEAR(nodes...): RANGE opens a loop and END closes it. Every node stands in the body of its
//      innermost live range, so what a loop does not change is computed before it; within a body
//      each effect is preceded by just what it needs, in the order in which it needs it. AFTER and
//      GROUP are not in the list.
#pragma once
#include "ir/graph.h"

namespace loom {

/// Makes the LINEAR and all it needs in `to`, where ids ascend in execution order.
Id linearise(Graph& to, const Graph& from, Id sink);

}  // namespace loom
