#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "tests/text/text_case.h"

namespace loom {
namespace {

std::vector<std::filesystem::path> case_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(LOOM_SOURCE_DIR "/tests/text")) {
    if (entry.path().extension() == ".ir") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string run(const TextCase& text_case) {
  const auto pass = text_passes().find(text_case.pass);
  if (pass == text_passes().end()) {
    std::vector<std::string> names;
    for (const auto& [name, function] : text_passes()) names.push_back(name);
    fail<UserError>("unknown pass \"", text_case.pass, '"', did_you_mean(text_case.pass, names));
  }
  ParsedGraph parsed = parse(text_case.input);
  return significant_lines(pass->second(parsed));
}

class TextTest : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(TextTest, GivesTheExpectedText) {
  const TextCase text_case = read_text_case(contents(GetParam()));
  const std::string actual = run(text_case);
  if (std::getenv("UPDATE_TEXT_TESTS") != nullptr && actual != text_case.expected) {
    std::ofstream(GetParam(), std::ios::binary) << text_case.input << "---\n" << actual;
    return;
  }
  EXPECT_EQ(actual, text_case.expected);
}

INSTANTIATE_TEST_SUITE_P(Files, TextTest, testing::ValuesIn(case_files()), [](const auto& file) {
  std::string name = file.param.stem().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(ReadTextCase, TakesTheFileApart) {
  const TextCase text_case =
      read_text_case("# pass: print\n%1 = SINK\n---\n# a remark\n\n%1 = SINK  \n");
  EXPECT_EQ(text_case.pass, "print");
  EXPECT_EQ(text_case.input, "# pass: print\n%1 = SINK\n");
  EXPECT_EQ(text_case.expected, "%1 = SINK\n");
  EXPECT_THROW(read_text_case("%1 = SINK\n---\n"), UserError);
  EXPECT_THROW(read_text_case("# pass: print\n%1 = SINK\n"), UserError);
  EXPECT_THROW(run({"prinf", "%1 = SINK\n", ""}), UserError);
}

}  // namespace
}  // namespace loom
