// Sums and products of integers. Everything here is true of numbers that wrap around at any width.
//
// The normal form of a sum is ((a * 2 + b) + c * 5) + 7: differences and negations are products
// with -1, the constant comes last, like terms have met, and terms have one order (chain.h).
#include "rewrite/rules/chain.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using pattern::scalar_constant;

int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

Id scale(Graph& g, Id id, int64_t factor) {
  return factor == 1 ? id : binary(g, Op::kMul, id, constant(g, g.dtype(id), factor));
}

// The two sources of an `op` with a positive constant on its right; no node for others.
struct ByConstant {
  Id node = 0;
  int64_t constant = 0;
  static ByConstant of(const Graph& g, Op op, Id id) {
    if (g.op(id) != op) return {};
    const Id right = scalar_constant(g, g.src(id, 1));
    if (right == 0 || int_value(g, right) <= 0) return {};
    return {g.src(id, 0), int_value(g, right)};
  }
};

bool product_fits(DType dtype, int64_t a, int64_t b, int64_t* product) {
  return !__builtin_mul_overflow(a, b, product) && *product <= dtype.max_value();
}

// Is `q` the normal form of v / d? (u / e) / d is u / (e * d).
bool is_quotient(const Graph& g, Id q, Id v, int64_t d) {
  const ByConstant outer = ByConstant::of(g, Op::kIDiv, q);
  if (outer.node == v && outer.constant == d) return true;
  const ByConstant inner = ByConstant::of(g, Op::kIDiv, v);
  int64_t product = 0;
  return inner.node != 0 && outer.node == inner.node &&
         product_fits(g.dtype(v), inner.constant, d, &product) && outer.constant == product;
}

// q * (d * k) + (v % d) * k: v * k when q is v / d, and (v % (d * e)) * k when q is (v / d) % e.
Id recombine(Graph& g, Scaled quotient, Scaled rest) {
  const ByConstant modulo = ByConstant::of(g, Op::kMod, rest.base);
  if (modulo.node == 0) return 0;
  const DType dtype = g.dtype(rest.base);
  const Id v = modulo.node;
  if (quotient.factor != wrap_to(dtype, wrapping_mul(modulo.constant, rest.factor))) return 0;
  if (is_quotient(g, quotient.base, v, modulo.constant)) return scale(g, v, rest.factor);
  const ByConstant digit = ByConstant::of(g, Op::kMod, quotient.base);
  int64_t product = 0;
  if (digit.node == 0 || !is_quotient(g, digit.node, v, modulo.constant) ||
      !product_fits(dtype, modulo.constant, digit.constant, &product)) {
    return 0;
  }
  return scale(g, binary(g, Op::kMod, v, constant(g, dtype, product)), rest.factor);
}

Id merge_terms(Graph& g, Id a, Id b) {
  const Scaled x = Scaled::of(g, a), y = Scaled::of(g, b);
  if (x.base == y.base) {
    return binary(g, Op::kMul, x.base,
                  constant(g, g.dtype(x.base), wrapping_add(x.factor, y.factor)));
  }
  if (const Id merged = recombine(g, x, y)) return merged;
  return recombine(g, y, x);
}

Id merge_factors(Graph&, Id, Id) { return 0; }

Id sort_sum(Match& m) { return place_operand(m, merge_terms); }
Id sort_product(Match& m) { return place_operand(m, merge_factors); }

// (a + b + ..) * c. For indices only: elsewhere it would make several multiplications of one.
Id distribute(Match& m) {
  Graph& g = m.graph();
  Chain chain = Chain::of(g, Op::kAdd, g.src(m.root(), 0));
  if (!chain.is_whole()) return 0;
  for (size_t i = 0; i < chain.size; i++)
    chain.operands[i] = binary(g, Op::kMul, chain.operands[i], m[pattern::c0]);
  return chain.build(g, Op::kAdd);
}

}  // namespace

const RuleSet& algebra() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"algebra",
          "Sums and products of integers that may wrap around: constants last, like terms "
          "together, one order."},
      // Differences and negations are sums and products.
      ints(x - y)                    >> (x + y * lit<-1>),
      ints(-x)                       >> x * lit<-1>,
      // Constants go to the outside.
      ints((x + c0) + c1)            >> (x + fold(c0 + c1)),
      ints((x + c0) + y)             >> ((x + y) + c0) | when(not_constant(y)),
      ints((x * c0) * c1)            >> x * fold(c0 * c1),
      ints((x * c0) * y)             >> (x * y) * c0 | when(not_constant(y)),
      ints((x + c0) * c1)            >> (x * c1 + fold(c0 * c1)),
      indices(exactly((x + y) * c0)) >> call<distribute>,
      // Terms and factors have an order; like terms become one.
      ints(x + x)                    >> x * lit<2>,
      ints(exactly(x + y))           >> call<sort_sum> | when(not_constant(y)),
      ints(exactly(x * y))           >> call<sort_product> | when(not_constant(y)));
  // clang-format on
  return table;
}

}  // namespace loom
