// Graphs as pictures.
#pragma once
#include <span>
#include <string>

#include "ir/graph.h"

namespace loom {

/// Graphviz text of everything below the roots: a box per node with its op, dtype and argument,
/// coloured by the kind of op, and arrows from sources to users. For `dot -Tsvg`.
std::string dot(const Graph& graph, std::span<const Id> roots);

}  // namespace loom
