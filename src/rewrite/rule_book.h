// The rule book: all rules of some tables as a page to read.
#pragma once
#include <span>
#include <string>

#include "rewrite/rule_set.h"

namespace loom {

/// A section for each table, in Markdown.
std::string rules_markdown(std::span<const RuleSet* const> tables);

/// docs/rules.md: the tables of this room.
std::string rules_markdown();

}  // namespace loom
