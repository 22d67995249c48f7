// The rules that a graph keeps between passes: which ops, sources, dtypes and shapes it may have.
// docs/architecture.md describes the forms; the table in verify.cpp is their exact definition.
#pragma once
#include <span>
#include <string_view>

#include "ir/graph.h"

namespace loom {

enum class Stage : uint8_t {
  kTensor,  // what Tensor builds: every node has a shape
  kRange,   // while ranges are pushed through views, and the schedule that comes out
  kKernel,  // one kernel's body, before and after opts: loops are RANGEs, closed by END and REDUCE
  kLinear,  // a kernel as a LINEAR list in execution order
};
std::string_view name(Stage stage);

/// Throws InternalError naming the first node that breaks a rule (its printed line and its
/// sources') and the rule. Checks everything below the roots. In kernels, every INDEX must be
/// proven to lie in its buffer by the bounds of its offset, or have a gate.
void verify(const Graph& graph, std::span<const Id> roots, Stage stage);
inline void verify(const Graph& graph, Id root, Stage stage) {
  verify(graph, std::span(&root, 1), stage);
}

/// What a pass calls on its result: `verify`, when the settings ask for it (LOOM_VERIFY; on in
/// debug builds), with the pass's name in the error.
void verify_pass(const Graph& graph, std::span<const Id> roots, Stage stage, std::string_view pass);
inline void verify_pass(const Graph& graph, Id root, Stage stage, std::string_view pass) {
  verify_pass(graph, std::span(&root, 1), stage, pass);
}

}  // namespace loom
