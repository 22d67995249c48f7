#include "codegen/decompositions.h"

#include <cmath>
#include <numbers>

#include "codegen/decompositions/expansions.h"
#include "codegen/decompositions/half_rules.h"
#include "rewrite/rewrite.h"

namespace loom {
namespace {

using pattern::x, pattern::y, pattern::c0;

// Replacement by an expansion of what x, or x and y, stand for. An expansion without a value means
// that the node needs none.
Id id_of(const std::optional<Expr>& expr) { return expr ? expr->id : 0; }

template <auto F>
Id expand_unary(Match& m) {
  return id_of(F({m.graph(), m[x]}));
}
template <auto F>
Id expand_binary(Match& m) {
  return id_of(F({m.graph(), m[x]}, {m.graph(), m[y]}));
}

// Only floats are fused: integers gain nothing from it.
bool lacks_fma(Match& m) { return !m.dtype().is_float() || !m.context<const Target>().has_fma; }

// Is the captured constant, in its dtype, `number`?
bool is_number(Match& m, double number) {
  return float_value(m.graph(), m[c0]) == round_to(m.dtype().element(), number);
}

Id natural_exp(Match& m) {
  if (is_number(m, std::numbers::log2e)) return expand_unary<exp_expansion>(m);
  return is_number(m, -std::numbers::log2e) ? exp_expansion(-Expr(m.graph(), m[x])).id : 0;
}

Id natural_log(Match& m) {
  return is_number(m, std::numbers::ln2) ? expand_unary<log_expansion>(m) : 0;
}

Id cosine(Match& m) {
  return is_number(m, std::numbers::pi / 2) ? expand_unary<cos_expansion>(m) : 0;
}

// exp, log and cos have no ops of their own. They are spelt with the constant that takes them to
// EXP2, LOG2 and SIN, and computed without the error that rounding that product or sum would make.
const RuleSet& spelt_functions() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"spelt functions", "exp, log and cos without the error of rounding on the way to EXP2, LOG2 and SIN."},
      op<Op::kExp2>(x * c0)   >> call<natural_exp>,
      (op<Op::kLog2>(x) * c0) >> call<natural_log>,
      op<Op::kSin>(x + c0)    >> call<cosine>);
  // clang-format on
  return table;
}

const RuleSet& float_expansions() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"float expansions", "Transcendentals in plain arithmetic, the same on every device."},
      op<Op::kExp2>(x)           >> call<expand_unary<exp2_expansion>>,
      op<Op::kLog2>(x)           >> call<expand_unary<log2_expansion>>,
      op<Op::kSin>(x)            >> call<expand_unary<sin_expansion>>,
      op<Op::kPow>(floats(x), y) >> call<expand_binary<pow_expansion>>,
      muladd(x, y, z)            >> (x * y + z) | when(test<lacks_fma>));
  // clang-format on
  return table;
}

const RuleSet& integer_expansions() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"integer expansions", "Integer operations that hardware leaves undefined or lacks."},
      x / y                    >> call<expand_binary<idiv_expansion>>,
      x % y                    >> call<expand_binary<mod_expansion>>,
      shl(x, y)                >> call<expand_binary<shl_expansion>>,
      shr(x, y)                >> call<expand_binary<shr_expansion>>,
      op<Op::kPow>(x, y)       >> call<expand_binary<integer_pow_expansion>>,
      op<Op::kThreefry>(x, y)  >> call<expand_binary<threefry_expansion>>);
  // clang-format on
  return table;
}

}  // namespace

const RuleSet& decompositions() {
  // Halves first: their arithmetic becomes that of float32, which the other tables then see.
  static const RuleSet table =
      half_rules() + spelt_functions() + float_expansions() + integer_expansions();
  return table;
}

// Top-down, because LOG2 of a spelt log must not be expanded before the product is seen.
Id decompose(Graph& g, Id root, const Target& target) {
  return rewrite(g, root, decompositions(), Strategy::kTopDown, target);
}

}  // namespace loom
