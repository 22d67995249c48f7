// 16-bit floats are a format for memory: arithmetic on them is arithmetic in float32 whose result
// is rounded once.
#pragma once
#include "rewrite/rule_set.h"

namespace loom {

/// Leaves loads, stores, choices and bit casts of halves, and the casts between float16 and float32
/// where the target (the context, a `const Target`) has them.
const RuleSet& half_rules();

}  // namespace loom
