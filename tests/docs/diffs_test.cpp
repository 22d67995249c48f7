// The small diffs that the book shows still fit the sources.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "base/str.h"

namespace loom {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::vector<uint8_t> bytes = read_file(path.string(), 1 << 22);
  return {bytes.begin(), bytes.end()};
}

/// Lines of a diff that must stand in the file that `--- a/FILE` named last.
void expect_diff_fits(std::istream& lines, const std::string& page) {
  std::string file, source;
  for (std::string line; std::getline(lines, line) && line != "```";) {
    if (line.starts_with("--- a/")) {
      file = line.substr(6);
      source = text_of(std::filesystem::path(LOOM_SOURCE_DIR) / file);
    } else if (!file.empty() && !line.empty() && line[0] != '+') {
      EXPECT_NE(source.find(line.substr(1) + '\n'), std::string::npos)
          << page << ": " << file << " has no line" << line;
    }
  }
}

TEST(Diffs, FitTheSources) {
  for (const auto& page : std::filesystem::directory_iterator(str(LOOM_SOURCE_DIR, "/docs"))) {
    if (page.path().extension() != ".md") continue;
    std::istringstream lines(text_of(page.path()));
    for (std::string line; std::getline(lines, line);) {
      if (line == "```diff") expect_diff_fits(lines, page.path().filename());
    }
  }
}

}  // namespace
}  // namespace loom
