#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "base/str.h"
#include "tools/rule_book.h"

namespace loom {
namespace {

// With UPDATE_DOCS=1 in the environment the page is written instead.
TEST(RuleBook, PageIsWhatTheTablesSay) {
  const std::string path = str(LOOM_SOURCE_DIR, "/docs/rules.md");
  const std::string expected = tools::rule_book();
  if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(path) << expected;
  const std::vector<uint8_t> bytes = read_file(path, 1 << 22);
  EXPECT_TRUE(std::ranges::equal(bytes, expected))
      << path << " is out of date: UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace loom
