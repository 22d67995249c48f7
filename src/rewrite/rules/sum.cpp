#include "rewrite/rules/sum.h"

#include <numeric>

#include "rewrite/pattern_build.h"

namespace loom {

using pattern::scalar_constant;

Sum Sum::of(const Graph& g, Id id) {
  Sum sum;
  if (const Id constant = scalar_constant(g, id)) {
    sum.constant = int_value(g, constant);
    return sum;
  }
  if (g.op(id) == Op::kAdd) {
    if (const Id constant = scalar_constant(g, g.src(id, 1))) {
      sum.constant = int_value(g, constant);
      id = g.src(id, 0);
    }
  }
  const Chain chain = Chain::of(g, Op::kAdd, id);
  if (!chain.is_whole()) sum.add({chain.rest, 1});
  for (size_t i = chain.size; i-- > 0;) sum.add(Scaled::of(g, chain.operands[i]));
  return sum;
}

bool Hull::add(Interval base, int64_t factor) {
  constexpr Int128 kLimit = INT64_MAX;
  const Int128 a = Int128{base.lo} * factor, b = Int128{base.hi} * factor;
  lo_ += a < b ? a : b;
  hi_ += a < b ? b : a;
  return lo_ > -kLimit && hi_ < kLimit;
}

Id Sum::build(Graph& g, DType dtype) const {
  Id result = 0;
  for (const Scaled& t : terms()) {
    const Id scaled =
        t.factor == 1 ? t.base : binary(g, Op::kMul, t.base, loom::constant(g, dtype, t.factor));
    result = result == 0 ? scaled : binary(g, Op::kAdd, result, scaled);
  }
  if (result == 0) return loom::constant(g, dtype, constant);
  return constant == 0 ? result : binary(g, Op::kAdd, result, loom::constant(g, dtype, constant));
}

Sum Sum::split(int64_t divisor, Sum& rest) const {
  Sum quotient;
  for (const Scaled& t : terms()) {
    if (t.factor % divisor == 0)
      quotient.add({t.base, t.factor / divisor});
    else
      rest.add(t);
  }
  quotient.constant = floor_div(constant, divisor);
  rest.constant = floor_mod(constant, divisor);
  return quotient;
}

int64_t Sum::common_factor() const {
  int64_t result = 0;
  for (const Scaled& t : terms()) result = std::gcd(result, t.factor);
  return result;
}

}  // namespace loom
