// The tables that know no target: each is one concern, and preserves the value of every node bit
// for bit.
//
// "Wraps" below means that a table holds for integers that wrap around at any width. Index
// arithmetic (dtype index) never overflows, by contract; rules that need that ask for `indices`.
#pragma once
#include <vector>

#include "rewrite/rule_set.h"

namespace loom {

/// Operations on constants are done at once. Transcendentals are left to the device's own
/// expansion.
const RuleSet& constant_folding();
/// x + 0, x * 1, x ^ x and their like, for every dtype where they are exact.
const RuleSet& identities();
/// Sums and products of integers: constants come last, like terms meet, terms have one order.
const RuleSet& algebra();
/// IDIV and MOD: by interval, of sums, of each other, and put back together.
const RuleSet& division();
/// CMPLT, CMPEQ, CMPNE: decided by interval, constants on one side, common factors out.
const RuleSet& comparison();
/// AND, OR, XOR on bools and bits.
const RuleSet& boolean();
/// WHERE and MAX.
const RuleSet& selection();
/// CAST.
const RuleSet& conversion();
/// Operations on broadcasts are done once, on the scalar.
const RuleSet& vectors();
/// A masked INDEX is simplified under the assumption that its gate holds, and the gate by itself.
const RuleSet& validity();

/// All of the above.
const RuleSet& symbolic();
/// The normal form of `root` under `symbolic`. For many roots of one graph, keep a Rewriter.
Id simplify(Graph& graph, Id root);
/// The tables above but `validity`, one by one: the two sides of each of their rules have the same
/// value.
std::vector<const RuleSet*> symbolic_tables();

}  // namespace loom
