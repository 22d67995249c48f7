// Every rule of every value-preserving table: random nodes that its pattern matches, exactly that
// rule applied, both sides evaluated.
#include <gtest/gtest.h>

#include <iostream>

#include "base/str.h"
#include "ir/text.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"
#include "tests/rewrite/pattern_instance.h"

namespace loom::testing {
namespace {

// One instance of a rule: what is left of it when the rule fires and changes a value.
class RuleCheck {
 public:
  RuleCheck(const RuleSet& rule, uint64_t seed) : rule_(rule), random_(graph_, seed) {}

  enum Result { kDidNotFire, kRight, kWrong };
  /// A wrong result is a test failure.
  Result run() {
    const PatternTree pattern = rule_.rules()[0].pattern();
    const Id before = PatternInstance(graph_, random_).make(pattern, random_.any_dtype());
    if (before == 0 || apply_once(graph_, before, rule_) == 0) return kDidNotFire;
    for (int i = 0; i < 8; i++) assignments_.push_back(random_.random_assignment());
    if (!is_wrong(before)) return kRight;
    report(before);
    return kWrong;
  }

 private:
  bool is_wrong(Id before) {
    const Id after = apply_once(graph_, before, rule_);
    if (after == 0) return false;
    if (graph_.dtype(before) != graph_.dtype(after)) return true;
    for (Assignment& assignment : assignments_) {
      failing_ = &assignment;
      const Lanes expected = evaluate(graph_, before, random_.leaves(), assignment);
      if (!same(graph_.dtype(before), expected,
                evaluate(graph_, after, random_.leaves(), assignment)))
        return true;
    }
    return false;
  }

  void report(Id before) {
    const Id small = shrink(graph_, before, [&](Id id) { return is_wrong(id); });
    is_wrong(small);
    const Id after = apply_once(graph_, small, rule_);
    ADD_FAILURE() << rule_.rules()[0].name() << "  " << rule_.rules()[0].text() << "\nturns\n"
                  << print(graph_, small) << "into\n"
                  << print(graph_, after) << "which differ for "
                  << text(graph_, random_.leaves(), *failing_);
  }

  const RuleSet& rule_;
  Graph graph_;
  RandomExpression random_;
  std::vector<Assignment> assignments_;
  const Assignment* failing_ = nullptr;
};

void check_rule(const RuleSet& rule, uint64_t seed) {
  const int wanted = rounds(200);
  const int most_attempts = wanted * 500;
  int fired = 0, attempts = 0;
  for (; fired < wanted && attempts < most_attempts; attempts++) {
    const RuleCheck::Result result = RuleCheck(rule, seed + static_cast<uint64_t>(attempts)).run();
    if (result == RuleCheck::kRight) fired++;
    if (result == RuleCheck::kWrong) {
      std::cout << "seed " << seed + static_cast<uint64_t>(attempts) << "\n";
      return;
    }
  }
  EXPECT_GE(fired, 20) << rule.rules()[0].name() << "  " << rule.rules()[0].text() << " fired only "
                       << fired << " times in " << attempts << " attempts";
}

class RulesFuzz : public ::testing::TestWithParam<const RuleSet*> {};

TEST_P(RulesFuzz, EveryRulePreservesValues) {
  const RuleSet& table = *GetParam();
  for (size_t i = 0; i < table.size(); i++) check_rule(table.only(i), base_seed());
}

INSTANTIATE_TEST_SUITE_P(Tables, RulesFuzz, ::testing::ValuesIn(symbolic_tables()),
                         [](const auto& table) {
                           return std::string(table.param->rules()[0].table);
                         });

}  // namespace
}  // namespace loom::testing
