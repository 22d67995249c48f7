// The verifier's rules as tables. verify.cpp applies them; verify_linear.cpp checks what is about a
// list as a whole.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "ir/graph.h"
#include "ir/verify.h"

namespace loom {

/// One node under inspection.
struct Inspected {
  const Graph& graph;
  Id id;
  Stage stage;

  const Node& node() const { return graph[id]; }
  std::span<const Id> src() const { return graph.src(id); }
  Id src(size_t k) const { return graph.src(id)[k]; }
  Op src_op(size_t k) const { return graph.op(src(k)); }
  DType src_dtype(size_t k) const { return graph.dtype(src(k)); }
};

struct VerifyRule {
  bool (*applies)(Op op);
  std::string_view text;  // what holds, as the error says it
  bool (*holds)(const Inspected& node);
};

/// May the op occur at the stage?
bool is_allowed(Op op, Stage stage);
/// Rules of all stages, and those of tensors and of kernels.
std::span<const VerifyRule> verify_common_rules();
std::span<const VerifyRule> verify_tensor_rules();
std::span<const VerifyRule> verify_kernel_rules();

/// Throws InternalError for the node.
[[noreturn]] void report(const Inspected& node, std::string_view rule);

/// Checks a LINEAR as a list: definitions before uses, within open loops, every loop and IF closed
/// once and in order.
void verify_linear(const Graph& graph, Id linear);

}  // namespace loom
