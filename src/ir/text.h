// Graphs as text, one node per line, sources before their users:
//
//     %1 = CONST index {8}
//     %2 = RANGE index %1 {0 REDUCE}      # a comment
//     %3 = CAST float32 %2
//     -> %2 %3
//
// A line is `%number = OP dtype sources... {argument}`; the dtype `void` may be left out. Floats
// are printed in the shortest form that reads back as the same number, also `nan`, `inf`, `-inf`
// and `-0.0`. The last node is the root, unless a line `->` names the roots. docs/ir.md describes
// the arguments.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace loom {

/// Everything below the roots, numbered from 1 in topological order.
std::string print(const Graph& graph, std::span<const Id> roots);
inline std::string print(const Graph& graph, Id root) { return print(graph, std::span(&root, 1)); }

/// The line of one node, with ids of the graph as numbers: for messages about it.
std::string print_node(const Graph& graph, Id id);

struct ParsedGraph {
  Graph graph;
  std::vector<Id> roots;
};

/// What a text may ask for at most.
struct ParseLimits {
  size_t bytes = size_t{64} << 20;
  size_t nodes = 1'000'000;
};

/// Inverse of `print`. Throws UserError with the line's number, what was expected and what is
/// there. Safe on untrusted text; whether the graph makes sense is for `verify` to say.
ParsedGraph parse(std::string_view text, const ParseLimits& limits = {});

}  // namespace loom
