// Every rule of every value-preserving table: random nodes that its pattern matches, exactly that
// rule applied, both sides evaluated.
#include <gtest/gtest.h>

#include "base/str.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"
#include "tests/rewrite/pattern_instance.h"
#include "tests/rewrite/rule_check.h"

namespace loom::testing {
namespace {

class RulesFuzz : public ::testing::TestWithParam<const RuleSet*> {};

TEST_P(RulesFuzz, EveryRulePreservesValues) {
  constexpr int kLeast = 20;  // a rule that fires less often has not been tested
  const RuleSet& table = *GetParam();
  for (size_t i = 0; i < table.size(); i++) {
    const RuleVerdict verdict = check_rule(table.only(i), rounds(200), base_seed());
    EXPECT_EQ(verdict.problem, "");
    if (!verdict.problem.empty()) continue;
    EXPECT_GE(verdict.fired, kLeast)
        << table.rules()[i].name() << "  " << table.rules()[i].text() << " fired " << verdict.fired
        << " times in " << verdict.attempts << " attempts";
  }
}

// In the whole table, another rule may always come first: such a rule is of no use.
bool is_reached(size_t wanted, uint64_t seed) {
  const RuleSet& all = symbolic();
  const PatternTree pattern = all.rules()[wanted].pattern();
  for (uint64_t attempt = 0; attempt < 500'000; attempt++) {
    Graph g;
    RandomExpression random(g, seed + attempt);
    const Id raw = PatternInstance(g, random).make(pattern, random.any_dtype());
    if (raw == 0) continue;
    // As the bottom-up driver would meet it: with sources in normal form.
    std::vector<Id> src(g.src(raw).begin(), g.src(raw).end());
    for (Id& source : src) source = simplify(g, source);
    const Node node = g[raw];
    const Id id = g.add(node.op, node.dtype(), src, node.arg);
    Trace trace;
    simplify(g, id);
    const bool is_first = !trace.applications().empty() && trace.applications()[0].before == id;
    if (is_first && trace.applications()[0].rule == &all.rules()[wanted]) return true;
  }
  return false;
}

TEST(RulesFuzz, NoRuleIsHiddenByOthers) {
  size_t first = 0;
  for (const RuleSet* table : symbolic_tables()) {
    for (size_t i = 0; i < table->size(); i++) {
      EXPECT_TRUE(is_reached(first + i, base_seed()))
          << table->rules()[i].name() << "  " << table->rules()[i].text();
    }
    first += table->size();
  }
}

TEST(RulesFuzz, WrongRulesAreFoundAndShrunk) {
  using namespace pattern;
  // clang-format off
  const RuleSet wrong = rules("wrong",
      (x + y)          >> (x | y),
      floats(x + lit<0>) >> x,
      ((x / c0) * c0)  >> x,
      (ints(x + c0) < c1) >> (x < fold(c1 - c0)),
      where(x, y, z)   >> where(x, z, y));
  // clang-format on
  for (size_t i = 0; i < wrong.size(); i++) {
    const std::string problem = check_rule(wrong.only(i), 2000, base_seed()).problem;
    EXPECT_NE(problem, "") << wrong.rules()[i].text();
    EXPECT_LT(std::ranges::count(problem, '\n'), 20) << problem;
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, RulesFuzz, ::testing::ValuesIn(symbolic_tables()),
                         [](const auto& table) {
                           return std::string(table.param->rules()[0].table);
                         });

}  // namespace
}  // namespace loom::testing
