// Where somebody looks into a tensor: one index expression per axis, and the condition (bool) under
// which the answer matters. Outside the condition an index may be anything, because whoever reads
// memory reads it under the gate. Pushing a place through a view turns the view into arithmetic.
#pragma once
#include <vector>

#include "ir/graph.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"

namespace loom {

struct Place {
  std::vector<Id> index{};
  Id gate = 0;  // 0: always
};

/// The node that stands for `place`: equal places, equal ids. Its `ranges` are all the loops that
/// the indices and the gate depend on.
Id intern(Graph& g, const Place& place);
/// Inverse of `intern`.
Place place_of(const Graph& g, Id interned);

/// Product of the dimensions.
Id element_count(Graph& g, std::span<const Id> shape);

/// An element of a view, seen from its source.
struct SourcePlace {
  Place place{};
  Id valid = 0;  // PAD: the element is 0 where this is false; 0: always valid
};

/// Index arithmetic in normal form. One indexer serves a whole graph, so that nothing is simplified
/// twice.
class Indexer {
 public:
  explicit Indexer(Graph& graph) : g(graph), simplify(graph, symbolic()) {}

  /// Both conditions; 0 stands for "always".
  Id both(Id a, Id b);
  /// `index` lies in [0, size): the conditions that bounds cannot prove, 0 when there are none.
  Id in_bounds(Id index, Id size);
  /// Position in row-major memory of the element at `index`; `shape` holds dimension nodes.
  Id flatten(std::span<const Id> index, std::span<const Id> shape);
  /// Which element of its source a view shows at `place`. The gate of a PAD's source includes
  /// `valid`.
  SourcePlace through_view(Id view, const Place& place);

 private:
  void through_reshape(Id view, Place& place);
  void through_permute(Id view, Place& place) const;
  void through_expand(Id view, Place& place);
  void through_shrink(Id view, Place& place);
  void through_flip(Id view, Place& place);
  Id through_pad(Id view, Place& place);
  void split(Id flat, std::span<const Id> shape, std::span<Id> index);
  Id plus(Id a, Id b);
  Id minus(Id a, Id b);

  Graph& g;
  Rewriter simplify;
};

}  // namespace loom
