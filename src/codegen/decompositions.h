// Operations that a target does not have become operations that it has, the same on every device.
//
// In:  kernel form (docs/architecture.md), any value ops of the IR; scalar, before ranges become
// lanes. Out: kernel form with these ops only, whose meaning on hardware is that of ir/evaluate.h:
//      - floats: arithmetic in float32 and float64; 16-bit floats are only loaded, stored, chosen,
//      and
//        cast to and from float32 where the target can. No EXP2, LOG2, SIN, POW; MULACC where the
//        target fuses it.
//      - integers: IDIV and MOD (still flooring) whose divisor is not zero and whose quotient does
//      not overflow;
//        SHL and SHR by less than the width; no POW, no THREEFRY.
//      Values of dtype index are left alone but for shifts and for divisors that may be zero.
#pragma once
#include "base/target.h"
#include "ir/graph.h"
#include "rewrite/rule_set.h"

namespace loom {

Id decompose(Graph& g, Id root, const Target& target);

/// The tables that `decompose` is made of, all in one. Their context is a `const Target`.
const RuleSet& decompositions();

}  // namespace loom
