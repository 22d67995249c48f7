#include "ir/dot.h"

#include "base/error.h"
#include "ir/text.h"

namespace loom {
namespace {

std::string_view color(Op op) {
  const uint16_t flags = info(op).flags;
  if (op == Op::kRange || op == Op::kReduce || op == Op::kEnd) return "#ffd166";
  if (op == Op::kIndex || op == Op::kLoad || op == Op::kStore || op == Op::kStage) return "#f4978e";
  if (flags & kFlagLeaf) return "#d8e2dc";
  if (flags & kFlagView) return "#bde0fe";
  if (flags & (kFlagEffect | kFlagProgram)) return "#cdb4db";
  return "#ffffff";
}

// The node's line without sources, which the arrows show: "3: ADD float32", and its argument below.
std::string label(const Graph& graph, Id id) {
  std::string text = str(id, ": ", name(graph.op(id)), ' ', name(graph.dtype(id)));
  const std::string line = print_node(graph, id);
  const size_t argument = line.find('{');
  if (argument != std::string::npos) text += '\n' + line.substr(argument);
  return text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

std::string dot(const Graph& graph, std::span<const Id> roots) {
  std::string text =
      "digraph {\n  node [shape=box, style=\"filled,rounded\", fontname=monospace];\n";
  for (Id id : reachable(graph, roots)) {
    text += str("  n", id, " [label=", quoted(label(graph, id)), ", fillcolor=\"",
                color(graph.op(id)), "\"];\n");
    for (size_t k = 0; k < graph.src(id).size(); k++) {
      text += str("  n", graph.src(id, k), " -> n", id, " [taillabel=", k, "];\n");
    }
  }
  return text + "}\n";
}

}  // namespace loom
