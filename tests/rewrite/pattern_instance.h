// Random nodes that a pattern matches, made from its tree.
#pragma once
#include <array>
#include <optional>

#include "rewrite/pattern_tree.h"
#include "tests/rewrite/random_expression.h"

namespace loom::testing {

class PatternInstance {
 public:
  PatternInstance(Graph& graph, RandomExpression& random) : g_(graph), random_(random) {}

  /// A node of this dtype built like the pattern, or 0 when this attempt led nowhere: a capture met
  /// twice with two dtypes, say.
  Id make(const PatternTree& tree, DType dtype);

 private:
  Id bind(int slot, DType dtype, const auto& make_node);
  Id apply(const PatternTree& tree, DType dtype);
  Id literal(const PatternTree& tree, DType dtype);
  std::optional<DType> operand_dtype(Op op, size_t source, DType dtype);

  Graph& g_;
  RandomExpression& random_;
  std::array<Id, 16> bound_{};
  DType operand_;  // of the node that is being built
};

}  // namespace loom::testing
