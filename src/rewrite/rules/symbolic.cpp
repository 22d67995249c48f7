#include "rewrite/rules/symbolic.h"

#include "rewrite/rewrite.h"

namespace loom {

std::vector<const RuleSet*> symbolic_tables() {
  return {&constant_folding(), &identities(), &algebra(),    &division(), &comparison(),
          &boolean(),          &selection(),  &conversion(), &vectors()};
}

const RuleSet& symbolic() {
  static const RuleSet table = [] {
    RuleSet sum;
    for (const RuleSet* part : symbolic_tables()) sum = sum + *part;
    return sum + validity();
  }();
  return table;
}

Id simplify(Graph& graph, Id root) { return rewrite(graph, root, symbolic()); }

}  // namespace loom
