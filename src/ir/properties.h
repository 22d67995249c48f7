// Derived properties of the nodes of a graph, each in a dense array that grows in id order when
// somebody asks. Graph's accessors (graph.h) are the way in.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/graph.h"
#include "ir/pool.h"

namespace loom {

/// Shapes. Every dimension of every shape is a node that exists: PAD and REDUCE, the only ops whose
/// dimensions need not be among the nodes already, get them when they are added (`add_dimensions`).
/// So asking for a shape adds nothing, and a graph that nobody adds to never changes.
class Shapes {
 public:
  /// Makes the dimensions of a PAD or REDUCE that is about to be added.
  void add_dimensions(Graph& graph, Op op, std::span<const Id> src, int64_t arg);
  std::span<const Id> of(const Graph& graph, Id id);
  size_t bytes() const { return pool_.bytes() + handles_.capacity() * sizeof(uint32_t); }

 private:
  using Handle = uint32_t;
  // These give kBroken where the shapes of the sources do not fit together, and say why in
  // `problem` when it is there.
  Handle compute(const Graph& graph, Id id, const char** problem);
  Handle common_shape(std::span<const Id> src, const char** problem);
  Handle tuple_element(const Graph& graph, Id id, const char** problem);
  Handle rule_shape(const Graph& graph, Id id, const char** problem);
  Handle handle_of(const Graph& graph, Id id);
  [[noreturn]] void throw_problem(const Graph& graph, Id id);

  static constexpr Handle kBroken = UINT32_MAX;
  Pool<Id> pool_;
  LargeVector<Handle> handles_;  // per id
};

/// Intervals of integer values.
class Bounds {
 public:
  Interval of(const Graph& graph, Id id);
  size_t bytes() const { return intervals_.capacity() * sizeof(Interval); }

 private:
  LargeVector<Interval> intervals_;
};

/// Sets of live ranges, interned, so that most nodes only point to the set of one of their sources.
class LiveRanges {
 public:
  std::span<const Id> of(const Graph& graph, Id id);
  size_t bytes() const;

 private:
  using Set = uint32_t;
  Set compute(const Graph& graph, Id id);
  Set union_of(std::span<const Id> ids);
  Set unite(Set a, Set b);
  Set subtract(Set a, Set b);

  Pool<Id> pool_;
  LargeVector<Set> sets_;                          // per id
  std::unordered_map<uint64_t, Set> unions_;       // (a, b) -> a united with b
  std::unordered_map<uint64_t, Set> differences_;  // (a, b) -> a without b
};

struct Graph::Properties {
  Shapes shapes;
  Bounds bounds;
  LiveRanges ranges;
};

}  // namespace loom
