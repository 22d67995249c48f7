#include "rewrite/pattern_tree.h"

#include <array>

#include "base/str.h"

namespace loom {
namespace {

struct Infix {
  Op op;
  const char* symbol;
  int rank;  // operands of lower or equal rank get parentheses
};
constexpr std::array<Infix, 11> kInfix = {{{Op::kMul, "*", 2},
                                           {Op::kIDiv, "/", 2},
                                           {Op::kMod, "%", 2},
                                           {Op::kAdd, "+", 1},
                                           {Op::kSub, "-", 1},
                                           {Op::kAnd, "&", 0},
                                           {Op::kOr, "|", 0},
                                           {Op::kXor, "^", 0},
                                           {Op::kCmpLt, "<", 0},
                                           {Op::kCmpNe, "!=", 0},
                                           {Op::kCmpEq, "==", 0}}};
constexpr int kHighestRank = 3;

struct Set {
  OpSet ops;
  const char* name;
};
constexpr std::array<Set, 11> kSets = {{{kAnyOp, "any"},
                                        {kUnaryOps, "unary"},
                                        {kBinaryOps, "binary"},
                                        {kComparisonOps, "comparison"},
                                        {kEqualityOps, "equality"},
                                        {kCommutativeOps, "commutative"},
                                        {kAluOps, "alu"},
                                        {kElementwiseOps, "elementwise"},
                                        {kLanewiseOps, "lanewise"},
                                        {kFoldableOps, "foldable"},
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

const Infix* infix_of(const PatternTree& tree) {
  if (tree.kind != PatternTree::kApply || tree.sources.size() != 2) return nullptr;
  for (const Infix& infix : kInfix) {
    if (tree.ops == only(infix.op)) return &infix;
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

// The text of an operand of something of this rank.
std::string operand(const PatternTree& tree, int rank = kHighestRank) {
  const Infix* infix = is_not(tree) ? nullptr : infix_of(tree);
  return infix && infix->rank <= rank ? "(" + text(tree) + ")" : text(tree);
}

std::string apply_text(const PatternTree& tree) {
  if (is_not(tree)) return "~" + operand(tree.sources[0]);
  if (tree.ops == only(Op::kNeg)) return "-" + operand(tree.sources[0]);
  if (const Infix* infix = infix_of(tree)) {
    return str(operand(tree.sources[0], infix->rank), " ", infix->symbol, " ",
               operand(tree.sources[1], infix->rank));
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
