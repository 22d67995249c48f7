#include "rewrite/rule_book.h"

#include <algorithm>

#include "base/str.h"

namespace loom {
namespace {

constexpr const char* kIntroduction =
    R"(# Rules

Generated from the tables by `loom rules`; a test keeps this page true. A rule is
`pattern -> replacement if guards`, and the first one that matches a node wins.

- `x y z w n` are any nodes, `c0 c1 c2` constants; the same name twice is the same node. `n: p` names what matches `p`.
- Operands of commutative ops match in both orders. `/` is IDIV, `%` MOD, `~x` is `x ^ true`. `ADD|MUL(x, y)` is any of the ops.
- `ints(..)`, `floats(..)`, `bools(..)`, `indices(..)` match nodes of such a dtype.
- `[..]` is folded to a constant. A name in the place of a replacement or a guard is a function beside the table.
)";

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - text.size(), ' ');
}

/// The rules of one table.
std::string section(std::span<const RuleInfo> rules) {
  std::vector<std::string> patterns, replacements;
  size_t pattern_width = 0, replacement_width = 0;
  for (const RuleInfo& rule : rules) {
    patterns.push_back(text(rule.pattern()));
    replacements.push_back(text(rule.replacement()));
    pattern_width = std::max(pattern_width, patterns.back().size());
    replacement_width = std::max(replacement_width, replacements.back().size());
  }
  const RuleInfo& first = rules[0];
  std::string result = str("\n## ", first.table, "\n\n", first.about,
                           first.about.empty() ? "" : " ", "(`", first.file(), "`)\n\n```text\n");
  for (size_t i = 0; i < rules.size(); i++) {
    const std::string guard = rules[i].guard_text();
    result += str(i < 10 ? " " : "", i, "  ", padded(patterns[i], pattern_width), "  ->  ");
    result += guard.empty() ? replacements[i]
                            : str(padded(replacements[i], replacement_width), "  if ", guard);
    result += '\n';
  }
  return result + "```\n";
}

}  // namespace

std::string rules_markdown(std::span<const RuleSet* const> sets) {
  std::string result = kIntroduction;
  for (const RuleSet* set : sets) {
    for (auto rest = set->rules(); !rest.empty();) {
      const auto end = std::ranges::find_if(
          rest, [&](const RuleInfo& rule) { return rule.table != rest[0].table; });
      const auto size = static_cast<size_t>(end - rest.begin());
      result += section(rest.first(size));
      rest = rest.subspan(size);
    }
  }
  return result;
}

}  // namespace loom
