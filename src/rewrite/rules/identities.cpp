// Constant folding, and identities of one or two operands. Floats: only what IEEE 754 makes exact,
// so x + 0 stays (it turns -0 into 0) and x * 0 stays (NaN, infinity, -0).
#include <cmath>

#include "rewrite/rules/chain.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

Id fold_node(Match& m) {
  Graph& g = m.graph();
  const std::span<const Id> src = g.src(m.root());
  std::array<Value, 3> values;
  for (size_t i = 0; i < src.size(); i++) values[i] = {g.arg(pattern::scalar_constant(g, src[i]))};
  const DType operand = g.dtype(src[0]).element();
  const Value value =
      evaluate(g.op(m.root()), m.dtype().element(), operand, std::span(values).first(src.size()));
  return pattern::constant_of(g, m.dtype(), value);
}

Id fold_bitcast(Match& m) {
  const Id source = m[pattern::c0];
  const DType from = m.graph().dtype(source), to = m.dtype();
  if (to.bits() != from.bits()) return 0;
  const Value value = from_memory_bits(to.element(), memory_bits(from, {m.value(pattern::c0)}));
  if (to.is_float() && std::isnan(value.as_float())) return 0;  // CONST has only one NaN
  return pattern::constant_of(m.graph(), to, value);
}

bool is_all_ones(const Graph& g, Id id) { return int_value(g, id) == wrap_to(g.dtype(id), -1); }

bool is_out_of_order(const Graph& g, Id a, Id b) {
  return pattern::is_not_constant(g, b) && comes_before(g, b, a);
}

// Multiplying by 1 / c then rounds exactly as dividing by c does.
bool has_exact_reciprocal(const Graph& g, Id id) {
  int exponent = 0;
  const double value = float_value(g, id);
  if (std::abs(std::frexp(value, &exponent)) != 0.5) return false;
  const double reciprocal = 1 / value;
  return round_to(g.dtype(id), reciprocal) == reciprocal;
}

// Names for guards.
constexpr auto all_ones(auto c) { return pattern::check<is_all_ones>(c); }

}  // namespace

const RuleSet& constant_folding() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"constant_folding",
          "Operations on constants are done at once. EXP2, LOG2, SIN and POW are left to the "
          "device."},
      any_of<kFoldableOps>(c0)          >> call<fold_node>,
      any_of<kFoldableOps>(c0, c1)      >> call<fold_node>,
      any_of<kFoldableOps>(c0, c1, c2)  >> call<fold_node>,
      bitcast(c0)                    >> call<fold_bitcast>);
  // clang-format on
  return table;
}

const RuleSet& identities() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"identities",
          "Identities of one or two operands, where they are exact for every value of the dtype."},
      // Operands of commutative ops have an order, constants last.
      n.as(any_of<kCommutativeOps>(c0, x)) >> like(n, x, c0) | when(not_constant(x)),
      floats(n.as(any_of<kCommutativeOps>(x, y))) >> like(n, y, x)
          | when(check<is_out_of_order>(x, y)),
      // Sums and products.
      ints(x + lit<0>)        >> x,
      (x + lit<-0.0>)         >> x,
      (x - lit<0>)            >> x,
      (x * lit<1>)            >> x,
      ints(x * lit<0>)        >> lit<0>,
      ints(x - x)             >> lit<0>,
      floats(x * lit<-1>)     >> -x,
      floats(x + -y)          >> (x - y),
      floats(x - -y)          >> (x + y),
      -(-x)                   >> x,
      // Quotients. x / 0 = x % 0 = 0.
      (x / lit<1>)            >> x,
      (x / lit<0>)            >> lit<0>,
      (lit<0> / x)            >> lit<0>,
      (x / x)                 >> lit<1> | when(nonzero(x)),
      (x % lit<1>)            >> lit<0>,
      (x % lit<0>)            >> lit<0>,
      (lit<0> % x)            >> lit<0>,
      (x % x)                 >> lit<0>,
      fdiv(x, lit<1>)         >> x,
      fdiv(x, lit<-1>)        >> -x,
      fdiv(x, c0) >> x * fold(op<Op::kRecip>(c0)) | when(check<has_exact_reciprocal>(c0)),
      // Bits.
      (x & lit<0>)            >> lit<0>,
      (x & c0)                >> x | when(all_ones(c0)),
      (x & x)                 >> x,
      (x | lit<0>)            >> x,
      (x | c0)                >> c0 | when(all_ones(c0)),
      (x | x)                 >> x,
      (x ^ lit<0>)            >> x,
      (x ^ x)                 >> lit<0>,
      shl(x, lit<0>)          >> x,
      shl(lit<0>, x)          >> lit<0>,
      shr(x, lit<0>)          >> x,
      shr(lit<0>, x)          >> lit<0>,
      // Comparisons of a node with itself; a float may be NaN, which differs from itself.
      (x < x)                 >> no,
      (ints(x) == x)          >> yes,
      (bools(x) == x)         >> yes,
      (ints(x) != x)          >> no,
      (bools(x) != x)         >> no,
      // The rest.
      max(x, x)               >> x,
      op<Op::kTrunc>(ints(x)) >> x,
      op<Op::kTrunc>(n.as(op<Op::kTrunc>(x))) >> n);
  // clang-format on
  return table;
}

}  // namespace loom
