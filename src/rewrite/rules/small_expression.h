// The nodes of one expression, as long as it is small: work on it must not cost more in a large
// graph.
#pragma once
#include <optional>
#include <vector>

#include "ir/graph.h"

namespace loom {

class SmallExpression {
 public:
  static constexpr size_t kMostNodes = 256;

  /// Nothing for an expression of more nodes.
  static std::optional<SmallExpression> of(const Graph& g, Id root);

  /// Ascending ids, so sources before their users.
  const std::vector<Id>& nodes() const { return nodes_; }
  bool contains(Id id) const;
  /// The expression with one of its nodes replaced.
  Id substitute(Graph& g, Id from, Id to) const;

 private:
  std::vector<Id> nodes_;
};

}  // namespace loom
