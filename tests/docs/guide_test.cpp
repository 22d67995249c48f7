// The guide shows programs that compile, and what they really print.
#include <gtest/gtest.h>

#include <sstream>

#include "base/file.h"
#include "base/str.h"
#include "tests/docs/guide_snippets.h"
#include "tests/docs/named_blocks.h"

namespace loom {
namespace {

// The lines between "// [name]" and "// [end]", without their indentation.
std::map<std::string, std::string> marked_parts(const std::string& source) {
  std::istringstream lines(source);
  std::map<std::string, std::string> parts;
  std::string line, name;
  while (std::getline(lines, line)) {
    const size_t mark = line.find("// [");
    if (mark == 2) {
      name = line.substr(6, line.size() - 7);
    } else if (!name.empty() && name != "end") {
      parts[name] += (line.size() > 2 ? line.substr(2) : line) + "\n";
    }
  }
  return parts;
}

TEST(Guide, ShowsProgramsThatRunAndTheirOutput) {
  const std::vector<uint8_t> bytes =
      read_file(str(LOOM_SOURCE_DIR, "/tests/docs/guide_snippets.cpp"), 1 << 20);
  std::map<std::string, std::string> blocks = marked_parts({bytes.begin(), bytes.end()});
  for (const auto& [name, run] : guide_snippets()) {
    std::ostringstream out;
    run(out);
    blocks["out-" + name] = out.str();
  }
  expect_page_shows("guide.md", blocks);
}

}  // namespace
}  // namespace loom
