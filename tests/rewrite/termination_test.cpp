// Why rewriting with the symbolic tables ends: a rule makes its node smaller, or is listed here
// with what else it makes smaller. Rules in code are not seen here; the simplifier's fuzzer runs
// them until no rule fires.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

struct Size {
  int operations = 0;
  std::map<std::string_view, int> captures;
};

void measure(const PatternTree& tree, Size& size) {
  switch (tree.kind) {
    case PatternTree::kAny:
    case PatternTree::kRest: size.captures[tree.name]++; return;
    case PatternTree::kConstant:
    case PatternTree::kLiteral:
    case PatternTree::kFold: return;  // a constant is as good as another
    case PatternTree::kApply:
    case PatternTree::kLike: size.operations++; break;
    case PatternTree::kNamed: size.captures[tree.name]++; break;
    default: break;
  }
  for (const PatternTree& source : tree.sources) measure(source, size);
}

// Fewer operations, and no captured node more often than before.
bool makes_smaller(const RuleInfo& rule) {
  const PatternTree replacement = rule.replacement();
  if (replacement.kind == PatternTree::kCode) return true;
  Size before, after;
  measure(rule.pattern(), before);
  measure(replacement, after);
  for (const auto& [name, count] : after.captures) {
    if (count > before.captures[name]) return false;
  }
  return after.operations < before.operations;
}

TEST(Termination, RulesMakeNodesSmallerOrSayWhyNot) {
  const std::set<std::string> expected = {
      // No rule makes the op on the left out of the one on the right.
      "ints(x - y) -> x + y * -1",
      "ints(-x) -> x * -1",
      "ints(x + x) -> x * 2",
      "floats(x * -1) -> -x",
      "FDIV(x, -1) -> -x",
      "FDIV(x, c0) -> x * [RECIP(c0)] if has_exact_reciprocal(c0)",
      "bools(x + y) -> x | y",
      "bools(x * y) -> x & y",
      "bools(x - y) -> x ^ y",
      "bools(MAX(x, y)) -> x | y",
      "bools(x) == y -> ~(x ^ y)",
      "bools(x) != y -> x ^ y",
      "bools(x) < y -> ~x & y",
      "bools(CAST(x)) -> x != 0",
      "WHERE(x, false, true) -> ~x",
      "bools(WHERE(x, true, y)) -> x | y",
      "bools(WHERE(x, y, false)) -> x & y",
      "bools(WHERE(x, false, y)) -> ~x & y",
      "bools(WHERE(x, y, true)) -> ~x | y",
      // Operands come nearer to their order, constants to the outside.
      "n: commutative(c0, x) -> like n(x, c0) if is_not_constant(x)",
      "floats(n: commutative(x, y)) -> like n(y, x) if is_out_of_order(x, y)",
      "n: equality(x, y) -> like n(y, x) if comes_first(y, x), is_not_constant(x), "
      "is_not_constant(y)",
      "ints((x + c0) + y) -> (x + y) + c0 if is_not_constant(y)",
      "ints((x * c0) * y) -> (x * y) * c0 if is_not_constant(y)",
      "ints((x + c0) * c1) -> x * c1 + [c0 * c1]",
      "(x & c0) & y -> (x & y) & c0 if is_not_constant(y)",
      "(x | c0) | y -> (x | y) | c0 if is_not_constant(y)",
      "(x ^ c0) ^ y -> (x ^ y) ^ c0 if is_not_constant(y)",
      "ints(MAX(MAX(x, c0), y)) -> MAX(MAX(x, y), c0) if is_not_constant(y)",
      // Divisors become positive, and divisions come before remainders.
      "indices(x / c0) -> (x * -1) / [-c0] if is_negative(c0)",
      "indices(x % c0) -> ((x * -1) % [-c0]) * -1 if is_negative(c0)",
      "(x % c0) / c1 -> (x / c1) % [c0 / c1] if is_positive(c0), is_positive(c1), is_multiple(c0, "
      "c1)",
      // One WHERE less, for a cheaper operation on bools.
      "WHERE(x, WHERE(y, z, w), w) -> WHERE(x & y, z, w)",
      "WHERE(x, z, WHERE(y, z, w)) -> WHERE(x | y, z, w)",
  };
  std::set<std::string> found;
  for (const RuleSet* table : symbolic_tables()) {
    for (const RuleInfo& rule : table->rules()) {
      if (!makes_smaller(rule)) found.insert(rule.text());
    }
  }
  for (const std::string& rule : found)
    EXPECT_TRUE(expected.contains(rule)) << "does not make its node smaller: " << rule;
  for (const std::string& rule : expected)
    EXPECT_TRUE(found.contains(rule)) << "is no longer such a rule: " << rule;
}

}  // namespace
}  // namespace loom
