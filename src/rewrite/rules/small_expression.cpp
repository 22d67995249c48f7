#include "rewrite/rules/small_expression.h"

#include <algorithm>

namespace loom {

std::optional<SmallExpression> SmallExpression::of(const Graph& g, Id root) {
  SmallExpression result;
  std::vector<Id>& found = result.nodes_;
  std::vector<Id> stack = {root};
  while (!stack.empty()) {
    const Id id = stack.back();
    stack.pop_back();
    const auto place = std::ranges::lower_bound(found, id);
    if (place != found.end() && *place == id) continue;
    if (found.size() == kMostNodes) return std::nullopt;
    found.insert(place, id);
    for (Id source : g.src(id)) stack.push_back(source);
  }
  return result;
}

bool SmallExpression::contains(Id id) const { return std::ranges::binary_search(nodes_, id); }

Id SmallExpression::substitute(Graph& g, Id from, Id to) const {
  std::vector<Id> copies(nodes_.size());
  const auto copy_of = [&](Id id) {
    return copies[std::ranges::lower_bound(nodes_, id) - nodes_.begin()];
  };
  std::vector<Id> src;
  for (size_t i = 0; i < nodes_.size(); i++) {
    const Id id = nodes_[i];
    src.clear();
    for (Id source : g.src(id)) src.push_back(copy_of(source));
    const Node node = g[id];
    copies[i] = id == from ? to : g.add(node.op, node.dtype(), src, node.arg);
  }
  return copies.back();
}

}  // namespace loom
