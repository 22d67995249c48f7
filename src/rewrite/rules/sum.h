// An index expression as a linear form: factor * base + .. + constant. Index arithmetic never overflows, so
// this is algebra of whole numbers; a step that would leave int64 gives up instead.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rewrite/rules/chain.h"

namespace loom {

struct Sum {
  // One more than a chain shows: what is before the chain is a term too.
  std::array<Scaled, kLongestChain + 1> term;
  size_t size = 0;
  int64_t constant = 0;

  static Sum of(const Graph& g, Id id);
  std::span<const Scaled> terms() const { return {term.data(), size}; }
  void add(Scaled t) { term[size++] = t; }

  /// Smallest and largest value; nothing when that is not known to fit.
  std::optional<Interval> bounds(const Graph& g) const;
  /// The nodes for it, in the order of the terms.
  Id build(Graph& g, DType dtype) const;

  /// The terms that `divisor` divides, divided by it; `rest` gets the other ones. The constant is split with
  /// the rest of the division in [0, divisor).
  Sum split(int64_t divisor, Sum& rest) const;
  /// The greatest common divisor of all factors, without the constant.
  int64_t common_factor() const;
};

constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
constexpr int64_t floor_mod(int64_t a, int64_t b) { return a - floor_div(a, b) * b; }

}  // namespace loom
