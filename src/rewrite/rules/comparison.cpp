// CMPLT, CMPEQ and CMPNE. What interval analysis decides is a constant; of the rest, constants end
// up alone on one side, as `x < c` or `c < x` (there is no >=: integers below c + 1 are those up to
// c).
//
// The rules on integers hold at any width, because they ask whether sums can wrap; those on linear
// forms are for indices.
#include <algorithm>

#include "rewrite/rules/sum.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::c0;
using pattern::x;
using pattern::y;

Id decide(Match& m) {
  const Interval result = m.graph().bounds(m.root());
  return result.is_point() ? constant(m.graph(), m.dtype(), result.lo) : 0;
}

// Interval analysis gives a sum that may wrap all values of its type, unless it knows the one value
// that comes out.
bool cannot_wrap(const Graph& g, Id id) {
  const DType dtype = g.dtype(id);
  if (dtype.scalar == Scalar::kIndex) return true;
  const Interval bounds = g.bounds(id);
  return !bounds.is_point() && bounds.lo > dtype.min_value() && bounds.hi < dtype.max_value();
}

// int64 arithmetic on two constants whose exact result must be one of their type.
bool difference_fits(const Graph& g, Id a, Id b) {
  const DType dtype = g.dtype(a);
  int64_t result = 0;
  return !__builtin_sub_overflow(int_value(g, a), int_value(g, b), &result) &&
         result >= dtype.min_value() && result <= dtype.max_value();
}
bool product_fits(const Graph& g, Id a, Id b) {
  const DType dtype = g.dtype(a);
  int64_t result = 0;
  return !__builtin_mul_overflow(int_value(g, a), int_value(g, b), &result) &&
         result >= dtype.min_value() && result <= dtype.max_value() - int_value(g, b);
}

bool comes_first(const Graph& g, Id a, Id b) { return comes_before(g, a, b); }

// --- Linear forms against a constant: S < c, and c < S as !(S < c + 1). ---

struct Limit {
  Sum sum;
  int64_t limit = 0;        // S < limit
  bool is_negated = false;  // .. does not hold

  static std::optional<Limit> of(const Graph& g, Id left, Id right) {
    Limit result;
    if (const Id c = pattern::scalar_constant(g, right)) {
      result = {Sum::of(g, left), int_value(g, c), false};
    } else {
      const Id k = pattern::scalar_constant(g, left);
      if (k == 0 || int_value(g, k) == INT64_MAX) return std::nullopt;
      result = {Sum::of(g, right), int_value(g, k) + 1, true};
    }
    if (__builtin_sub_overflow(result.limit, result.sum.constant, &result.limit))
      return std::nullopt;
    result.sum.constant = 0;
    return result;
  }
  Id build(Graph& g, DType dtype) const {
    const Id left = sum.build(g, dtype);
    return is_negated ? binary(g, Op::kCmpLt, constant(g, dtype, limit - 1), left)
                      : binary(g, Op::kCmpLt, left, constant(g, dtype, limit));
  }
};

// d * a + r < c with 0 <= r < d is a < q, where q is c / d rounded up, unless r can be on both
// sides of c % d.
std::optional<Limit> divide_limit(const Graph& g, const Limit& from, int64_t d) {
  Sum rest;
  Limit result{from.sum.split(d, rest), floor_div(from.limit, d), from.is_negated};
  const int64_t left_over = floor_mod(from.limit, d);
  const std::optional<Interval> r = rest.bounds(g);
  if (!r || !r->within(0, d - 1)) return std::nullopt;
  if (left_over == 0 || r->lo >= left_over) return result;
  if (r->hi >= left_over) return std::nullopt;
  result.limit++;
  return result;
}

// The same with the greatest d for which it works.
Id take_factor_out(Match& m) {
  Graph& g = m.graph();
  const std::optional<Limit> limit = Limit::of(g, m[x], m[y]);
  if (!limit) return 0;
  const DType dtype = g.dtype(m[x]).vec(m.dtype().lanes);
  std::optional<Limit> best;
  int64_t best_factor = 1;
  for (const Scaled& t : limit->sum.terms()) {
    if (t.factor <= best_factor) continue;
    if (const auto divided = divide_limit(g, *limit, t.factor)) {
      best = divided;
      best_factor = t.factor;
    }
  }
  return best ? best->build(g, dtype) : 0;
}

// -a - b < c -> -c < a + b: the first factor of a linear form against a constant is positive.
Id turn_sign(Match& m) {
  Graph& g = m.graph();
  const bool is_left = pattern::scalar_constant(g, m[y]) != 0;
  Sum sum = Sum::of(g, is_left ? m[x] : m[y]);
  const Sum limit = Sum::of(g, is_left ? m[y] : m[x]);
  if (limit.size != 0 || sum.size == 0 || sum.term[0].factor >= 0) return 0;
  for (Scaled& t : std::span(sum.term).first(sum.size)) {
    if (__builtin_mul_overflow(t.factor, int64_t{-1}, &t.factor)) return 0;
  }
  int64_t turned = 0;
  if (__builtin_mul_overflow(sum.constant, int64_t{-1}, &sum.constant) ||
      __builtin_mul_overflow(limit.constant, int64_t{-1}, &turned)) {
    return 0;
  }
  const DType dtype = g.dtype(m[x]).vec(m.dtype().lanes);
  const Id turned_limit = constant(g, dtype, turned), turned_sum = sum.build(g, dtype);
  return is_left ? binary(g, Op::kCmpLt, turned_limit, turned_sum)
                 : binary(g, Op::kCmpLt, turned_sum, turned_limit);
}

// --- Linear forms on both sides. ---

// Takes from both sides what they share, and the left one's constant; false when there is nothing
// to take.
bool cancel(Sum& left, Sum& right) {
  bool is_changed =
      left.constant != 0 && !__builtin_sub_overflow(right.constant, left.constant, &right.constant);
  if (is_changed) left.constant = 0;
  for (Scaled& a : std::span(left.term).first(left.size)) {
    for (Scaled& b : std::span(right.term).first(right.size)) {
      if (a.base != b.base || a.factor == 0 || b.factor == 0) continue;
      int64_t difference = 0;
      if (__builtin_sub_overflow(a.factor, b.factor, &difference) || difference == INT64_MIN)
        continue;
      a.factor = std::max<int64_t>(difference, 0);
      b.factor = std::max<int64_t>(-difference, 0);
      is_changed = true;
    }
  }
  return is_changed;
}

Id cancel_common_terms(Match& m) {
  Graph& g = m.graph();
  Sum left = Sum::of(g, m[x]), right = Sum::of(g, m[y]);
  if (!cancel(left, right)) return 0;
  const DType dtype = g.dtype(m[x]);
  return binary(g, g.op(m.root()), left.build(g, dtype), right.build(g, dtype));
}

// d * a == c: false when d does not divide c, else a == c / d. Also of CMPNE.
Id divide_equation(Match& m) {
  Graph& g = m.graph();
  const Sum sum = Sum::of(g, m[x]);
  const int64_t d = sum.common_factor();
  if (d <= 1 || sum.constant != 0) return 0;
  const int64_t c = m.value(c0);
  if (c % d != 0) return constant(g, m.dtype(), g.op(m.root()) == Op::kCmpNe);
  Sum rest;
  const DType dtype = g.dtype(m[x]);
  return binary(g, g.op(m.root()), sum.split(d, rest).build(g, dtype), constant(g, dtype, c / d));
}

// Names for guards.
constexpr auto exact(auto p) { return pattern::check<cannot_wrap>(p); }
constexpr auto fits_minus(auto a, auto b) { return pattern::check<difference_fits>(a, b); }
constexpr auto fits_times(auto a, auto b) { return pattern::check<product_fits>(a, b); }

}  // namespace

const RuleSet& comparison() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"comparison",
          "Comparisons of integers: decided by interval, constants alone on one side, common "
          "factors out."},
      any_of<kComparisonOps>(x, y) >> call<decide>,
      n.as(any_of<kEqualityOps>(x, y)) >> like(n, y, x)
          | when(check<comes_first>(y, x), not_constant(x), not_constant(y)),
      // The opposite of a comparison is one; of floats only where NaN gives the same.
      ~(x == y) >> (x != y),
      ~(x != y) >> (x == y),
      ~(ints(x) < c0) >> (fold(c0 - lit<1>) < x) | when(c0 - lit<1> < c0),
      ~(c0 < ints(x)) >> (x < fold(c0 + lit<1>)) | when(c0 < c0 + lit<1>),
      // Comparisons of bools are logic.
      (bools(x) == y) >> ~(x ^ y),
      (bools(x) != y) >> (x ^ y),
      (bools(x) < y) >> (~x & y),
      // Constants go to one side.
      n.as(any_of<kEqualityOps>(ints(x + c0), c1)) >> like(n, x, fold(c1 - c0)),
      (ints(n.as(x + c0)) < c1) >> (x < fold(c1 - c0)) | when(exact(n), fits_minus(c1, c0)),
      (c1 < ints(n.as(x + c0))) >> (fold(c1 - c0) < x) | when(exact(n), fits_minus(c1, c0)),
      (ints(x / c0) < c1) >> (x < fold(c1 * c0)) | when(positive(c0), fits_times(c1, c0)),
      (c1 < ints(x / c0)) >> (fold(c1 * c0 + c0 - lit<1>) < x)
          | when(positive(c0), fits_times(c1, c0)),
      // Linear forms.
      n.as(any_of<kEqualityOps>(indices(x), c0)) >> call<divide_equation>,
      (indices(x) < y) >> call<turn_sign>,
      (indices(x) < y) >> call<take_factor_out>,
      any_of<kComparisonOps>(indices(x), y) >> call<cancel_common_terms>
          | when(not_constant(x), not_constant(y)));
  // clang-format on
  return table;
}

}  // namespace loom
