// Text tests: a graph goes in, the text that a pass makes of it is compared with what the file
// expects.
//
//     # pass: simplify
//     # A remark: what the case shows.
//     %1 = CONST index {3}
//     ...
//     ---
//     the expected text
//
// One file per case in tests/text/*.ir; issue-NNN.ir for a regression. UPDATE_TEXT_TESTS=1 writes
// what the passes give today into the files, for a look at the diff.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "ir/text.h"

namespace loom {

struct TextCase {
  std::string pass;
  std::string input;     // with its remarks, up to the line "---"
  std::string expected;  // without empty lines and remarks
};

/// Throws UserError for a file that is no text test.
TextCase read_text_case(std::string_view file);

/// Lines without remarks (from '#' at their beginning), trailing spaces and empty lines.
std::string significant_lines(std::string_view text);

using TextPass = std::function<std::string(ParsedGraph&)>;

/// All passes by name. A room adds its own in a file here, before main:
///     const TextPassEntry kFuse("fuse", [](ParsedGraph& parsed) { ... return print(...); });
std::map<std::string, TextPass>& text_passes();

struct TextPassEntry {
  TextPassEntry(std::string name, TextPass pass);
};

}  // namespace loom
