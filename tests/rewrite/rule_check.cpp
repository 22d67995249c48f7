#include "tests/rewrite/rule_check.h"

#include "base/str.h"
#include "ir/text.h"
#include "rewrite/rewrite.h"
#include "tests/rewrite/pattern_instance.h"

namespace loom::testing {
namespace {

constexpr int kAssignments = 8;

// One random node built like the pattern, and what the rule makes of it.
class Instance {
 public:
  Instance(const RuleSet& rule, uint64_t seed) : rule_(rule), random_(graph_, seed) {
    const PatternTree pattern = rule_.rules()[0].pattern();
    node_ = PatternInstance(graph_, random_).make(pattern, random_.any_dtype());
  }

  bool fires() { return node_ != 0 && apply_once(graph_, node_, rule_) != 0; }

  /// What is wrong with the result, shrunk; nothing when all is well.
  std::string problem() {
    for (int i = 0; i < kAssignments; i++) assignments_.push_back(random_.random_assignment());
    if (find_difference(node_) == nullptr) return "";
    const Id small = shrink(graph_, node_, [&](Id id) { return find_difference(id) != nullptr; });
    const Assignment& assignment = *find_difference(small);
    return str(rule_.rules()[0].name(), "  ", rule_.rules()[0].text(), "\nturns\n",
               print(graph_, small), "into\n", print(graph_, apply_once(graph_, small, rule_)),
               "which differ for ", text(graph_, random_.leaves(), assignment));
  }

 private:
  const Assignment* find_difference(Id before) {
    const Id after = apply_once(graph_, before, rule_);
    if (after == 0) return nullptr;
    const DType dtype = graph_.dtype(before);
    for (const Assignment& assignment : assignments_) {
      const Lanes expected = evaluate(graph_, before, random_.leaves(), assignment);
      const Lanes result = evaluate(graph_, after, random_.leaves(), assignment);
      if (graph_.dtype(after) != dtype || !same(dtype, expected, result)) return &assignment;
    }
    return nullptr;
  }

  const RuleSet& rule_;
  Graph graph_;
  RandomExpression random_;
  Id node_ = 0;
  std::vector<Assignment> assignments_;
};

}  // namespace

RuleVerdict check_rule(const RuleSet& rule, int wanted, uint64_t seed) {
  RuleVerdict verdict;
  while (verdict.fired < wanted && verdict.attempts < wanted * 500) {
    const uint64_t own_seed = seed + static_cast<uint64_t>(verdict.attempts++);
    Instance instance(rule, own_seed);
    if (!instance.fires()) continue;
    if (const std::string problem = instance.problem(); !problem.empty()) {
      verdict.problem = str("seed ", own_seed, "\n", problem);
      return verdict;
    }
    verdict.fired++;
  }
  return verdict;
}

}  // namespace loom::testing
