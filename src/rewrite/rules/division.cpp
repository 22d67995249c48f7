// IDIV and MOD of integers. IDIV floors, and the result of MOD has the sign of the divisor.
//
// The rules on sums need numbers that don't overflow, and so ask for indices; the others hold at
// any width. With c > 0, all of them follow from floor((c * a + r) / c) = a + floor(r / c), for any
// integer r.
#include <numeric>

#include "rewrite/rules/sum.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::c0;
using pattern::x;

bool is_multiple(const Graph& g, Id id, Id of) { return int_value(g, id) % int_value(g, of) == 0; }
bool is_product_small(const Graph& g, Id a, Id b) {
  int64_t product = 0;
  return !__builtin_mul_overflow(int_value(g, a), int_value(g, b), &product) &&
         product <= g.dtype(a).max_value();
}
// 0 <= id < limit, for a positive limit.
bool is_rest(const Graph& g, Id id, Id limit) {
  return g.bounds(id).within(0, int_value(g, limit) - 1);
}

Id sum_plus(Match& m, const Sum& a, Id b) {
  Graph& g = m.graph();
  if (a.size == 0 && a.constant == 0) return b;
  return binary(g, Op::kAdd, a.build(g, m.dtype()), b);
}

Id by_constant(Match& m, Op op, const Sum& sum, int64_t divisor) {
  Graph& g = m.graph();
  return binary(g, op, sum.build(g, m.dtype()), constant(g, m.dtype(), divisor));
}

// (c * a + r) / c -> a + r / c, and the constant of r gets into [0, c).
Id divide_multiples(Match& m) {
  const int64_t c = m.value(c0);
  Sum rest;
  const Sum quotient = Sum::of(m.graph(), m[x]).split(c, rest);
  if (quotient.size == 0 && quotient.constant == 0) return 0;
  return sum_plus(m, quotient, by_constant(m, Op::kIDiv, rest, c));
}

// The greatest d > 1 that divides the divisor and all factors of the sum but those of a part r with
// 0 <= r < d: the sum is d * a + r. Candidates are the common divisors of the divisor with one
// factor.
struct Factored {
  int64_t divisor = 1;
  Sum multiple;  // a
  Sum rest;      // r

  static Factored of(const Graph& g, const Sum& sum, int64_t by) {
    Factored best;
    for (const Scaled& t : sum.terms()) {
      const int64_t candidate = std::gcd(t.factor, by);
      if (candidate <= best.divisor) continue;
      Factored next{.divisor = candidate, .multiple = {}, .rest = {}};
      next.multiple = sum.split(candidate, next.rest);
      const std::optional<Interval> bounds = next.rest.bounds(g);
      if (bounds && bounds->within(0, candidate - 1)) best = next;
    }
    return best;
  }
};

// (d * a + r) / (d * c) -> a / c where 0 <= r < d.
Id divide_by_common_factor(Match& m) {
  const Factored sum = Factored::of(m.graph(), Sum::of(m.graph(), m[x]), m.value(c0));
  if (sum.divisor == 1) return 0;
  return by_constant(m, Op::kIDiv, sum.multiple, m.value(c0) / sum.divisor);
}

// (d * a + r) % (d * c) -> (a % c) * d + r where 0 <= r < d.
Id take_common_factor_out(Match& m) {
  const Factored sum = Factored::of(m.graph(), Sum::of(m.graph(), m[x]), m.value(c0));
  if (sum.divisor == 1) return 0;
  Graph& g = m.graph();
  const Id modulo = by_constant(m, Op::kMod, sum.multiple, m.value(c0) / sum.divisor);
  return sum_plus(m, sum.rest, binary(g, Op::kMul, modulo, constant(g, m.dtype(), sum.divisor)));
}

// The factor of a term may change by multiples of c, and so may u % m inside, when c divides factor
// * m.
Scaled reduce_term(const Graph& g, Scaled t, int64_t c) {
  int64_t product = 0;
  if (g.op(t.base) == Op::kMod) {
    const Id inner = pattern::scalar_constant(g, g.src(t.base, 1));
    const bool is_period = inner != 0 &&
                           !__builtin_mul_overflow(int_value(g, inner), t.factor, &product) &&
                           product != 0 && product % c == 0;
    if (is_period) t.base = g.src(t.base, 0);
  }
  if (t.factor >= c || t.factor <= -c) t.factor = floor_mod(t.factor, c);
  return t;
}

// (c * a + r) % c -> r % c.
Id drop_multiples(Match& m) {
  const int64_t c = m.value(c0);
  const Sum sum = Sum::of(m.graph(), m[x]);
  Sum rest;
  rest.constant = floor_mod(sum.constant, c);
  bool is_changed = rest.constant != sum.constant;
  for (const Scaled& t : sum.terms()) {
    const Scaled reduced = reduce_term(m.graph(), t, c);
    is_changed |= reduced.base != t.base || reduced.factor != t.factor;
    if (reduced.factor != 0) rest.add(reduced);
  }
  return is_changed ? by_constant(m, Op::kMod, rest, c) : 0;
}

// x % c -> x + k * c, with the factors of x as near to zero as they can be modulo c, where all its
// values then lie in one period: (x * 5) % 6 -> x * -1 + 6 for 1 <= x <= 6.
Id shift_into_period(Match& m) {
  const int64_t c = m.value(c0);
  Sum sum = Sum::of(m.graph(), m[x]);
  for (Scaled& t : std::span(sum.term).first(sum.size)) {
    const int64_t reduced = floor_mod(t.factor, c);
    t.factor = reduced > c / 2 ? reduced - c : reduced;
  }
  const std::optional<Interval> bounds = sum.bounds(m.graph());
  if (!bounds || floor_div(bounds->lo, c) != floor_div(bounds->hi, c)) return 0;
  if (__builtin_sub_overflow(sum.constant, floor_div(bounds->lo, c) * c, &sum.constant)) return 0;
  return sum.build(m.graph(), m.dtype());
}

// x / -c -> (-x) / c; the rules above want positive divisors.
bool is_negative(const Graph& g, Id id) {
  return int_value(g, id) < 0 && int_value(g, id) > -INT64_MAX;
}

// (u / d + k) / c -> (u + k * d) / (c * d).
Id divide_once(Match& m) {
  Graph& g = m.graph();
  Sum sum = Sum::of(g, m[x]);
  if (sum.size != 1 || sum.term[0].factor != 1 || g.op(sum.term[0].base) != Op::kIDiv) return 0;
  const Id quotient = sum.term[0].base;
  const Id inner = pattern::scalar_constant(g, g.src(quotient, 1));
  if (inner == 0 || int_value(g, inner) <= 0) return 0;
  int64_t divisor = 0, constant = 0;
  if (__builtin_mul_overflow(m.value(c0), int_value(g, inner), &divisor) ||
      __builtin_mul_overflow(sum.constant, int_value(g, inner), &constant)) {
    return 0;
  }
  Sum inside = Sum::of(g, g.src(quotient, 0));
  if (__builtin_add_overflow(inside.constant, constant, &inside.constant)) return 0;
  return by_constant(m, Op::kIDiv, inside, divisor);
}

// Names for guards.
constexpr auto multiple(auto a, auto of) { return pattern::check<is_multiple>(a, of); }
constexpr auto small_product(auto a, auto b) { return pattern::check<is_product_small>(a, b); }
constexpr auto rest_of(auto a, auto limit) { return pattern::check<is_rest>(a, limit); }
constexpr auto negative(auto c) { return pattern::check<is_negative>(c); }

}  // namespace

const RuleSet& division() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"division",
          "IDIV and MOD of integers: by interval, of sums, of each other. Rules on sums are "
          "for indices, which never overflow."},
      // By interval.
      (x / c0) >> lit<0> | when(positive(c0), rest_of(x, c0)),
      (x % c0) >> x | when(positive(c0), rest_of(x, c0)),
      // Of each other, at any width.
      ((x % c0) % c1) >> x % c1 | when(positive(c0), positive(c1), multiple(c0, c1)),
      ((x % y) % y) >> x % y,
      ((x / c0) / c1) >> x / fold(c0 * c1)
          | when(positive(c0), positive(c1), small_product(c0, c1)),
      ((x % c0) / c1) >> (x / c1) % fold(c0 / c1)
          | when(positive(c0), positive(c1), multiple(c0, c1)),
      // Of sums: indices.
      indices(x / c0) >> (x * lit<-1>) / fold(-c0) | when(negative(c0)),
      indices(x % c0) >> ((x * lit<-1>) % fold(-c0)) * lit<-1> | when(negative(c0)),
      indices(x / c0) >> call<divide_multiples> | when(positive(c0)),
      indices(x / c0) >> call<divide_by_common_factor> | when(positive(c0)),
      indices(x / c0) >> call<divide_once> | when(positive(c0)),
      indices(x % c0) >> call<drop_multiples> | when(positive(c0)),
      indices(x % c0) >> call<shift_into_period> | when(positive(c0)),
      indices(x % c0) >> call<take_common_factor_out> | when(positive(c0)));
  // clang-format on
  return table;
}

}  // namespace loom
