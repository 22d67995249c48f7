// Operations that a target does not have become operations that it has, the same on every device.
//
// In:  kernel form (docs/architecture.md), any value ops of the IR; before ranges become lanes.
// Out: kernel form with these ops only, which hardware does as ir/evaluate.h says:
//   floats    arithmetic in float32 and float64, without EXP2, LOG2, SIN and POW, and with MULACC
//             where the target fuses it. 16-bit floats are only loaded, stored, chosen by WHERE,
//             bit cast, and cast to and from float32 where the target can.
//   integers  IDIV and MOD (they floor) by what isn't zero and without overflow, SHL and SHR by
//   less
//             than the width; no POW and no THREEFRY.
// What interval analysis proves safe is left as it is.
#pragma once
#include "base/target.h"
#include "ir/graph.h"
#include "rewrite/rule_set.h"

namespace loom {

Id decompose(Graph& g, Id root, const Target& target);

/// The tables that `decompose` is made of, all in one. Their context is a `const Target`.
const RuleSet& decompositions();

}  // namespace loom
