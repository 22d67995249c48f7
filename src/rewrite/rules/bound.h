// What a comparison with a constant says about an integer.
#pragma once
#include <vector>

#include "ir/graph.h"

namespace loom {

/// `node < limit`, or `limit < node` as a lower one.
struct Bound {
  Id node = 0;  // 0: the comparison is none with a constant
  int64_t limit = 0;
  bool is_upper = false;

  static Bound of(const Graph& g, Id comparison);
  Interval interval() const;
};

/// The interval that the conditions give each node that they bound.
struct Assumptions {
  struct Item {
    Id node;
    Interval interval;
  };
  std::vector<Item> items;
  bool is_contradiction = false;  // no value satisfies them

  void assume(const Graph& g, Id condition);
  /// What is known of the node with them.
  Interval bounds(const Graph& g, Id node) const;
};

/// The operands of a conjunction; nothing for one that is too long to be worth the work.
std::vector<Id> conjuncts_of(const Graph& g, Id condition);

}  // namespace loom
