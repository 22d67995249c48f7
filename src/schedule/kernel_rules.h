// Rules for kernel form: reductions that need no loop or fewer, and masks that a gated load has
// already.
//
// Sums of floats that are all the same become a product: one rounding instead of many.
#pragma once
#include "rewrite/rule_set.h"

namespace loom {

const RuleSet& reductions();
const RuleSet& masked_loads();
/// These and the symbolic rules.
const RuleSet& kernel_simplifications();

}  // namespace loom
