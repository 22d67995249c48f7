// A pattern as data: for printing, for the fuzzer that makes instances of it, and for overlap
// checks.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/op_set.h"

namespace loom {

struct PatternTree {
  enum Kind : uint8_t {
    kAny,       // a capture of any node
    kConstant,  // a capture of a constant
    kLiteral,   // the constant `value`; named "true" or "false" for a bool
    kRest,      // a capture of the remaining sources
    kApply,     // a node of one of `ops` over the sources
    kNamed,     // a capture of a node that matches sources[0]
    kTyped,     // sources[0] with a dtype of the kind `name`
    kFold,      // the constant that sources[0] comes to
    kLike,      // a node like the capture `name`
    kCode,      // a function; `name` if it has one
  };
  Kind kind = kAny;
  OpSet ops = {};
  std::string_view name = {};
  int slot = 0;
  double value = 0;
  std::vector<PatternTree> sources = {};
};

/// "(x + c0) * 2".
std::string text(const PatternTree& tree);

}  // namespace loom
