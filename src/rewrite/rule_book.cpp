#include "rewrite/rule_book.h"

#include <algorithm>

#include "base/str.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

constexpr const char* kIntroduction =
    R"(# Rules

Generated from the tables by `rules_markdown()` (src/rewrite/rule_book.h); a test keeps this page true. A rule is
`pattern -> replacement if guards`, and the first one that matches a node wins.

- `x y z w n` are any nodes, `c0 c1 c2` constants; the same name twice is the same node. `n: p` names what matches `p`.
- Operands of commutative ops match in both orders. `/` is IDIV, `%` MOD, `~x` is `x ^ true`. `ADD|MUL(x, y)` is any of the ops.
- `ints(..)`, `floats(..)`, `bools(..)`, `indices(..)` match nodes of such a dtype.
- `[..]` is folded to a constant. A name in the place of a replacement or a guard is a function beside the table.
)";

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - text.size(), ' ');
}

std::string section(const RuleSet& table) {
  std::vector<std::string> patterns, replacements;
  size_t pattern_width = 0, replacement_width = 0;
  for (const RuleInfo& rule : table.rules()) {
    patterns.push_back(text(rule.pattern()));
    replacements.push_back(text(rule.replacement()));
    pattern_width = std::max(pattern_width, patterns.back().size());
    replacement_width = std::max(replacement_width, replacements.back().size());
  }
  const RuleInfo& first = table.rules()[0];
  std::string result = str("\n## ", first.table, "\n\n", first.about,
                           first.about.empty() ? "" : " ", "(`", first.file(), "`)\n\n```text\n");
  for (size_t i = 0; i < table.size(); i++) {
    const std::string guard = table.rules()[i].guard_text();
    result += str(i < 10 ? " " : "", i, "  ", padded(patterns[i], pattern_width), "  ->  ");
    result += guard.empty() ? replacements[i]
                            : str(padded(replacements[i], replacement_width), "  if ", guard);
    result += '\n';
  }
  return result + "```\n";
}

}  // namespace

std::string rules_markdown(std::span<const RuleSet* const> tables) {
  std::string result = kIntroduction;
  for (const RuleSet* table : tables) result += section(*table);
  return result;
}

std::string rules_markdown() {
  std::vector<const RuleSet*> tables = symbolic_tables();
  tables.push_back(&validity());
  return rules_markdown(tables);
}

}  // namespace loom
