// The rule book: all rules of some sets as a page to read, docs/rules.md.
#pragma once
#include <span>
#include <string>

#include "rewrite/rule_set.h"

namespace loom {

/// A section for each table that the sets are made of, in Markdown.
std::string rules_markdown(std::span<const RuleSet* const> sets);

}  // namespace loom
