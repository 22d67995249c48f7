// The arena that every program lives in: immutable, hash-consed nodes with 32-bit ids.
//
// Invariants: a node's sources have smaller ids than the node, so ascending ids are a topological
// order and a bottom-up pass is one loop without recursion. Equal (op, dtype, sources, arg) means
// equal id. Id 0 is "none". A Graph is used by one thread at a time; it is cheap to make and drop.
#pragma once
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ir/dtype.h"
#include "ir/large_pages.h"
#include "ir/node_table.h"
#include "ir/op.h"

namespace loom {

using Id = uint32_t;

struct Node {
  static constexpr uint32_t kInline = 4;

  Op op = Op::kNone;
  Scalar scalar = Scalar::kVoid;
  uint16_t lanes = 1;
  uint32_t src_count = 0;
  Id src[kInline] = {};  // more sources than that: src[0] is their place in the graph's side pool
  int64_t arg = 0;

  DType dtype() const { return {scalar, lanes}; }
};
static_assert(sizeof(Node) == 32);

/// Closed interval of the values of an integer, bool or index node; `lo > hi` never occurs.
struct Interval {
  int64_t lo = INT64_MIN, hi = INT64_MAX;
  constexpr bool operator==(const Interval&) const = default;
  constexpr bool is_point() const { return lo == hi; }
  constexpr bool within(int64_t a, int64_t b) const { return a <= lo && hi <= b; }
};

struct GraphStats {
  uint64_t lookups = 0;
  uint64_t probes = 0;  // cache lines of the table looked at; 1 to 2 for each lookup
};

class Graph {
 public:
  explicit Graph(size_t expected_nodes = 256);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  /// The node with these parts, made when there is none yet. Sources must be ids of this graph.
  Id add(Op op, DType dtype, std::span<const Id> src, int64_t arg = 0);
  Id add(Op op, DType dtype, std::initializer_list<Id> src = {}, int64_t arg = 0) {
    return add(op, dtype, std::span<const Id>(src.begin(), src.size()), arg);
  }
  /// The node with these parts, or 0 when there is none.
  Id find(Op op, DType dtype, std::span<const Id> src, int64_t arg = 0) const;
  /// Interned argument payloads: equal content gives an equal handle.
  int64_t ints(std::span<const int64_t> values);
  int64_t ints(std::initializer_list<int64_t> values) {
    return ints(std::span<const int64_t>(values.begin(), values.size()));
  }
  int64_t text(std::string_view value);
  std::span<const int64_t> ints_of(int64_t handle) const;
  std::string_view text_of(int64_t handle) const;

  const Node& operator[](Id id) const { return nodes_[id]; }
  Op op(Id id) const { return nodes_[id].op; }
  DType dtype(Id id) const { return nodes_[id].dtype(); }
  int64_t arg(Id id) const { return nodes_[id].arg; }
  /// Valid until the next `add`: copy the ids when you add nodes while walking them.
  std::span<const Id> src(Id id) const {
    const Node& n = nodes_[id];
    return n.src_count <= Node::kInline
               ? std::span<const Id>(n.src, n.src_count)
               : std::span<const Id>(extra_).subspan(n.src[0], n.src_count);
  }
  Id src(Id id, size_t k) const { return src(id)[k]; }
  /// One more than the largest id.
  size_t size() const { return nodes_.size(); }
  size_t bytes() const;
  GraphStats stats() const { return stats_; }

  // --- Derived properties: computed once per node, in id order, into dense arrays. ---

  /// Dimensions of a tensor-level node, as index-typed ids. Void nodes and kernel-level nodes have
  /// none. Throws InternalError for shapes that do not fit together (the verifier says where).
  std::span<const Id> shape(Id id) const;
  /// Values that an integer, bool or index node can take. Others: the whole int64 range.
  Interval bounds(Id id) const;
  /// RANGE nodes that the node depends on and that no END or REDUCE below has closed, ascending
  /// ids.
  std::span<const Id> ranges(Id id) const;
  /// Is `range` among `ranges(id)`?
  bool depends_on(Id id, Id range) const;

 private:
  struct Payloads;
  struct Properties;
  struct Parts;
  NodeTable::Place lookup(const Parts& parts) const;
  void grow();

  LargeVector<Node> nodes_;
  std::vector<Id> extra_;  // source lists longer than Node::kInline
  NodeTable table_;
  mutable GraphStats stats_;
  std::unique_ptr<Payloads> payloads_;
  std::unique_ptr<Properties> properties_;
};

/// Node `id` of `from` over sources of `to`, its payload included.
Id copy_node(Graph& to, const Graph& from, Id id, std::span<const Id> src);
/// The part of `from` below `root`, copied into `to`; returns the root's id there.
Id import(Graph& to, const Graph& from, Id root);
/// The same for several roots, sharing what they share.
std::vector<Id> import(Graph& to, const Graph& from, std::span<const Id> roots);
/// Ids reachable from the roots (themselves included), ascending: a topological order.
std::vector<Id> reachable(const Graph& graph, std::span<const Id> roots);
inline std::vector<Id> reachable(const Graph& graph, Id root) {
  return reachable(graph, std::span<const Id>(&root, 1));
}
/// A copy of `root` with the nodes `from[i]` replaced by `to[i]` (memoised, one linear sweep).
Id substitute(Graph& graph, Id root, std::span<const Id> from, std::span<const Id> to);
/// The same for several roots, sharing what they share.
std::vector<Id> substitute(Graph& graph, std::span<const Id> roots, std::span<const Id> from,
                           std::span<const Id> to);
/// 128-bit hash of the structure below `root`, independent of ids and of the graph it lives in.
struct StructuralHash {
  uint64_t lo = 0, hi = 0;
  bool operator==(const StructuralHash&) const = default;
};
StructuralHash structural_hash(const Graph& graph, Id root);
std::vector<StructuralHash> structural_hash(const Graph& graph, std::span<const Id> roots);

}  // namespace loom
