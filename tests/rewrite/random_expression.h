// Random expressions for fuzzers, and their values.
#pragma once
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ir/evaluate.h"
#include "ir/graph.h"

namespace loom::testing {

using Lanes = std::vector<Value>;
/// A value for each leaf (VARIABLE or RANGE) of a graph, by its place in
/// `RandomExpression::leaves`.
using Assignment = std::vector<Lanes>;

class RandomExpression {
 public:
  /// kIndices: no leaf is anything but an index of a small interval.
  enum Dtypes { kAll, kIndices };
  RandomExpression(Graph& graph, uint64_t seed, Dtypes dtypes = kAll)
      : g_(graph), random_(seed), dtypes_(dtypes) {}

  /// Any expression of this dtype, up to `depth` operations deep.
  Id make(DType dtype, int depth);
  /// A constant: small numbers, powers of two, the ends of the type.
  Id constant(DType dtype);
  /// A variable of a small or large interval; or one that was made before.
  Id leaf(DType dtype);
  DType any_dtype();

  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  bool one_in(size_t n) { return below(n) == 0; }
  int64_t between(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random_);
  }

  const std::vector<Id>& leaves() const { return leaves_; }
  Assignment random_assignment();
  /// Sizes of the leaves' intervals, all ints: for going through all assignments.
  Assignment first_assignment() const;
  bool next_assignment(Assignment& assignment) const;

 private:
  Id integer(DType dtype, int depth);
  Id floating(DType dtype, int depth);
  Id boolean(DType dtype, int depth);
  Id linear(DType dtype, int depth);
  Value random_value(Id leaf);

  Graph& g_;
  std::mt19937_64 random_;
  Dtypes dtypes_;
  std::vector<Id> leaves_;
};

/// The value of `root`, one for each lane.
Lanes evaluate(const Graph& g, Id root, const std::vector<Id>& leaves,
               const Assignment& assignment);
/// Equal bits; all NaNs are equal.
bool same(DType dtype, const Lanes& a, const Lanes& b);
/// The assignment as "n1 = 3".
std::string text(const Graph& g, const std::vector<Id>& leaves, const Assignment& assignment);

/// Makes `root` smaller while `fails` holds: nodes become one of their sources, a constant, or
/// nothing new.
Id shrink(Graph& g, Id root, const std::function<bool(Id)>& fails);

/// Number of rounds, times what LOOM_FUZZ_ROUNDS in the environment says (1 if it says nothing).
int rounds(int count);
/// The seed that LOOM_FUZZ_SEED in the environment names, or a fixed one.
uint64_t base_seed();

}  // namespace loom::testing
