#include "ir/verify.h"

#include <vector>

#include "base/error.h"
#include "ir/text.h"
#include "ir/verify_rules.h"
#include "loom/settings.h"

namespace loom {
namespace {

bool is_kernel_stage(Stage stage) { return stage == Stage::kKernel || stage == Stage::kLinear; }

void check(const Inspected& node, std::span<const VerifyRule> rules) {
  for (const VerifyRule& rule : rules) {
    if (rule.applies(node.node().op) && !rule.holds(node)) report(node, rule.text);
  }
}

void check_source_count(const Inspected& node) {
  const OpInfo& rule = info(node.node().op);
  const size_t count = node.src().size();
  if (count < static_cast<size_t>(rule.min_src)) report(node, "it has too few sources");
  const bool is_limited = rule.max_src >= 0;
  if (is_limited && count > static_cast<size_t>(rule.max_src))
    report(node, "it has too many sources");
}

void check_dtype(const Inspected& node) {
  const DType dtype = node.node().dtype();
  switch (info(node.node().op).dtype) {
    case DTypeRule::kVoid:
      if (dtype != kVoid) report(node, "its dtype is void");
      return;
    case DTypeRule::kSame:
      if (dtype != node.src_dtype(node.node().op == Op::kWhere ? 1 : 0)) {
        report(node, "its dtype is that of its source");
      }
      return;
    case DTypeRule::kBool:
      if (dtype.scalar != Scalar::kBool) report(node, "its dtype is bool");
      return;
    case DTypeRule::kIndex:
      if (dtype.scalar != Scalar::kIndex) report(node, "its dtype is index");
      return;
    case DTypeRule::kGiven: return;
  }
}

// Shapes check themselves; we only say at which node.
void check_shape(const Inspected& node) {
  try {
    node.graph.shape(node.id);
  } catch (const InternalError& problem) {
    report(node, problem.what());
  }
}

void check_node(const Inspected& node) {
  if (!is_allowed(node.node().op, node.stage)) report(node, "the op does not occur at this stage");
  check_source_count(node);
  check_dtype(node);
  check(node, verify_common_rules());
  if (node.stage == Stage::kTensor) {
    check_shape(node);
    check(node, verify_tensor_rules());
  }
  if (is_kernel_stage(node.stage)) check(node, verify_kernel_rules());
}

// Every loop of a kernel's body ends somewhere.
void check_closed(const Graph& graph, Id root) {
  if (graph.op(root) != Op::kSink) return;
  for (Id effect : graph.src(root)) {
    if (!graph.ranges(effect).empty())
      report({graph, effect, Stage::kKernel}, "END closes all its loops");
  }
}

}  // namespace

std::string_view name(Stage stage) {
  constexpr std::string_view kNames[] = {"tensor", "range", "kernel", "linear"};
  return kNames[static_cast<size_t>(stage)];
}

void report(const Inspected& node, std::string_view rule) {
  std::string text = str(print_node(node.graph, node.id), "\n  breaks the rule of the ",
                         name(node.stage), " form: ", rule);
  for (Id source : node.src()) text += "\n  source " + print_node(node.graph, source);
  throw InternalError(text);
}

void verify(const Graph& graph, std::span<const Id> roots, Stage stage) {
  for (Id id : reachable(graph, roots)) check_node({graph, id, stage});
  for (Id root : roots) {
    if (stage == Stage::kKernel) check_closed(graph, root);
    if (stage == Stage::kLinear && graph.op(root) == Op::kLinear) verify_linear(graph, root);
  }
}

void verify_pass(const Graph& graph, std::span<const Id> roots, Stage stage,
                 std::string_view pass) {
  if (!settings()->verify) return;
  try {
    verify(graph, roots, stage);
  } catch (const InternalError& problem) {
    fail<InternalError>("after ", pass, ": ", problem.what());
  }
}

}  // namespace loom
