#include "tests/docs/named_blocks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/file.h"
#include "base/str.h"

namespace loom {

std::string with_blocks(const std::string& markdown,
                        const std::map<std::string, std::string>& blocks,
                        std::map<std::string, int>& used) {
  std::istringstream lines(markdown);
  std::string line, result;
  bool is_skipping = false;
  while (std::getline(lines, line)) {
    bool is_fence = line.starts_with("```");
    if (is_fence && is_skipping) is_skipping = false;
    if (!is_skipping) result += line + '\n';
    if (!is_fence) continue;
    size_t space = line.find(' ');
    auto block = blocks.find(space == std::string::npos ? "" : line.substr(space + 1));
    if (block == blocks.end()) continue;
    used[block->first]++;
    result += block->second;
    is_skipping = true;
  }
  return result;
}

void expect_page_shows(const std::string& name, const std::map<std::string, std::string>& blocks) {
  std::string path = str(LOOM_SOURCE_DIR, "/docs/", name);
  std::vector<uint8_t> bytes = read_file(path, 1 << 20);
  std::string page(bytes.begin(), bytes.end());
  std::map<std::string, int> used;
  std::string expected = with_blocks(page, blocks, used);
  for (const auto& [block, text] : blocks)
    EXPECT_EQ(used[block], 1) << name << " shows no block " << block;
  if (std::getenv("UPDATE_DOCS") != nullptr) {
    write_file(path, std::vector<uint8_t>(expected.begin(), expected.end()));
  } else {
    EXPECT_EQ(page, expected) << name << " is out of date";
  }
}

}  // namespace loom
