// An index expression as a linear form: factor * base + .. + constant. Index arithmetic never
// overflows, so this is algebra of whole numbers; a step that would leave int64 gives up instead.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rewrite/rules/chain.h"

namespace loom {

/// The interval of a sum, while it fits in int64.
class Hull {
 public:
  explicit Hull(int64_t constant) : lo_(constant), hi_(constant) {}
  bool add(Interval base, int64_t factor);
  Interval interval() const { return {static_cast<int64_t>(lo_), static_cast<int64_t>(hi_)}; }

 private:
  __extension__ using Int128 = __int128;
  Int128 lo_, hi_;
};

struct Sum {
  // One more than a chain shows: what is before the chain is a term too.
  std::array<Scaled, kLongestChain + 1> term;
  size_t size = 0;
  int64_t constant = 0;

  static Sum of(const Graph& g, Id id);
  std::span<const Scaled> terms() const { return {term.data(), size}; }
  void add(Scaled t) { term[size++] = t; }

  /// Smallest and largest value; nothing when that is not known to fit.
  std::optional<Interval> bounds(const Graph& g) const {
    return bounds([&](Id base) { return g.bounds(base); });
  }
  /// The same with `bounds_of` saying the bounds of the bases.
  template <class F>
  std::optional<Interval> bounds(const F& bounds_of) const {
    Hull hull(constant);
    for (const Scaled& t : terms()) {
      if (!hull.add(bounds_of(t.base), t.factor)) return std::nullopt;
    }
    return hull.interval();
  }
  /// The nodes for it, in the order of the terms.
  Id build(Graph& g, DType dtype) const;

  /// The terms that `divisor` divides, divided by it; `rest` gets the other ones. The constant is
  /// split with the rest of the division in [0, divisor).
  Sum split(int64_t divisor, Sum& rest) const;
  /// The greatest common divisor of all factors, without the constant.
  int64_t common_factor() const;
};

constexpr int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
constexpr int64_t floor_mod(int64_t a, int64_t b) { return a - floor_div(a, b) * b; }

}  // namespace loom
