// One rule against the evaluator.
#pragma once
#include <string>

#include "rewrite/rule_set.h"

namespace loom::testing {

struct RuleVerdict {
  int fired = 0;        // instances on which the rule fired and kept the value
  int attempts = 0;     // random nodes built like its pattern
  std::string problem;  // a small node that the rule changes the value of, if there is one
};

/// Applies a table of one rule to random instances of its pattern, until it has fired `wanted`
/// times.
RuleVerdict check_rule(const RuleSet& rule, int wanted, uint64_t seed);

}  // namespace loom::testing
