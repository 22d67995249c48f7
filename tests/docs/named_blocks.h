// Code blocks of the book that have a name: ```text schedule. Tests compare them with what the
// program says.
#pragma once
#include <map>
#include <string>

namespace loom {

/// Replaces the content of the code blocks of `markdown` whose name is a key of `blocks`; `used`
/// counts them.
std::string with_blocks(const std::string& markdown,
                        const std::map<std::string, std::string>& blocks,
                        std::map<std::string, int>& used);

/// Expects that the page docs/NAME shows exactly `blocks`, each once. With UPDATE_DOCS=1 in
/// the environment the page is rewritten instead, for an author who has looked at the difference.
void expect_page_shows(const std::string& name, const std::map<std::string, std::string>& blocks);

}  // namespace loom
