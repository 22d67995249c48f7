// Chains of an associative and commutative op: ((a + b) + c) + d.
//
// A chain is kept sorted, so that equal expressions meet, by putting one operand at a time into its
// place. Only the kLongestChain last operands are looked at: a longer chain keeps the order in
// which it was built, and every node costs a bounded amount of work however long its chain is.
#pragma once
#include <array>
#include <span>

#include "rewrite/match.h"

namespace loom {

inline constexpr size_t kLongestChain = 8;

/// The operands of a chain, last one first, as far as they fit; then `rest` is what is before them.
struct Chain {
  std::array<Id, kLongestChain> operands;
  size_t size = 0;
  Id rest = 0;

  /// A node of another op is a chain of one.
  static Chain of(const Graph& g, Op op, Id id);
  bool is_whole() const { return rest == 0; }
  Id build(Graph& g, Op op) const;
};

/// What two operands of a chain come to together, or 0.
using Merge = Id (*)(Graph& g, Id a, Id b);

/// A rule for a chain whose last operand is not a constant: merges it with another operand, or
/// moves it to its place, or makes a chain of the two chains; 0 when it is where it belongs.
Id place_operand(Match& m, Merge merge);

/// `id` without a constant factor, and the factor (1 when there is none).
struct Scaled {
  Id base;
  int64_t factor;
  static Scaled of(const Graph& g, Id id);
};

/// The strict order of operands: ranges by axis, then everything else by id; multiples of a node
/// beside it.
bool comes_before(const Graph& g, Id a, Id b);

}  // namespace loom
