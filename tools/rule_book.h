// docs/rules.md, which `loom rules` prints.
#pragma once
#include <string>

namespace loom::tools {

/// Every rule of the tables that rewrite values, room by room, in Markdown.
std::string rule_book();

}  // namespace loom::tools
