#include "rewrite/pattern_tree.h"

#include <array>

#include "base/str.h"

namespace loom {
namespace {

struct Infix {
  Op op;
  const char* symbol;
};
constexpr std::array<Infix, 11> kInfix = {{{Op::kAdd, "+"},
                                           {Op::kSub, "-"},
                                           {Op::kMul, "*"},
                                           {Op::kIDiv, "/"},
                                           {Op::kMod, "%"},
                                           {Op::kAnd, "&"},
                                           {Op::kOr, "|"},
                                           {Op::kXor, "^"},
                                           {Op::kCmpLt, "<"},
                                           {Op::kCmpNe, "!="},
                                           {Op::kCmpEq, "=="}}};

struct Set {
  OpSet ops;
  const char* name;
};
constexpr std::array<Set, 7> kSets = {{{kAnyOp, "any"},
                                       {kUnaryOps, "unary"},
                                       {kBinaryOps, "binary"},
                                       {kComparisonOps, "comparison"},
                                       {kAluOps, "alu"},
                                       {kElementwiseOps, "elementwise"},
                                       {kViewOps, "view"}}};

std::string set_name(OpSet ops) {
  for (const Set& set : kSets) {
    if (set.ops == ops) return set.name;
  }
  std::string result;
  for (int i = 1; i < kOpCount; i++) {
    const Op op = static_cast<Op>(i);
    if (ops.has(op)) result += str(result.empty() ? "" : "|", name(op));
  }
  return result;
}

const char* infix_symbol(const PatternTree& tree) {
  if (tree.kind != PatternTree::kApply || tree.sources.size() != 2) return nullptr;
  for (const Infix& infix : kInfix) {
    if (tree.ops == only(infix.op)) return infix.symbol;
  }
  return nullptr;
}

bool is_not(const PatternTree& tree) {
  return tree.kind == PatternTree::kApply && tree.ops == only(Op::kXor) &&
         tree.sources[1].name == "true";
}

std::string list(const std::vector<PatternTree>& sources) {
  std::string result;
  for (const PatternTree& source : sources) result += str(result.empty() ? "" : ", ", text(source));
  return "(" + result + ")";
}

std::string operand(const PatternTree& tree) {
  return infix_symbol(tree) && !is_not(tree) ? "(" + text(tree) + ")" : text(tree);
}

std::string apply_text(const PatternTree& tree) {
  if (is_not(tree)) return "~" + operand(tree.sources[0]);
  if (tree.ops == only(Op::kNeg)) return "-" + operand(tree.sources[0]);
  if (const char* symbol = infix_symbol(tree)) {
    return str(operand(tree.sources[0]), " ", symbol, " ", operand(tree.sources[1]));
  }
  return set_name(tree.ops) + list(tree.sources);
}

}  // namespace

std::string text(const PatternTree& tree) {
  switch (tree.kind) {
    case PatternTree::kAny:
    case PatternTree::kConstant: return std::string(tree.name);
    case PatternTree::kLiteral: return tree.name.empty() ? str(tree.value) : std::string(tree.name);
    case PatternTree::kRest: return str(tree.name, "...");
    case PatternTree::kApply: return apply_text(tree);
    case PatternTree::kNamed: return str(tree.name, ": ", operand(tree.sources[0]));
    case PatternTree::kTyped: return str(tree.name, "(", text(tree.sources[0]), ")");
    case PatternTree::kFold: return str("[", text(tree.sources[0]), "]");
    case PatternTree::kLike: return str("like ", tree.name, list(tree.sources));
    case PatternTree::kCode: {
      if (tree.name.empty()) return "(code)";
      return tree.sources.empty() ? std::string(tree.name)
                                  : std::string(tree.name) + list(tree.sources);
    }
  }
  return {};
}

}  // namespace loom
