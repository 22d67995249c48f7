#include "tests/text/text_case.h"

#include <algorithm>

#include "base/error.h"

namespace loom {
namespace {

constexpr std::string_view kPass = "# pass: ";
constexpr std::string_view kSeparator = "\n---\n";

}  // namespace

TextCase read_text_case(std::string_view file) {
  if (!file.starts_with(kPass)) fail<UserError>("the first line is not \"", kPass, "NAME\"");
  const size_t separator = file.find(kSeparator);
  if (separator == std::string_view::npos)
    fail<UserError>("no line \"---\" before the expected text");
  TextCase result;
  result.pass = file.substr(kPass.size(), file.find('\n') - kPass.size());
  result.input = file.substr(0, separator + 1);
  result.expected = significant_lines(file.substr(separator + kSeparator.size()));
  return result;
}

std::string significant_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line[0] != '#') result += std::string(line) + '\n';
  }
  return result;
}

std::map<std::string, TextPass>& text_passes() {
  static std::map<std::string, TextPass> passes;
  return passes;
}

TextPassEntry::TextPassEntry(std::string name, TextPass pass) {
  text_passes().emplace(std::move(name), std::move(pass));
}

}  // namespace loom
