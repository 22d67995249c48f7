#include "codegen/decompositions/half_rules.h"

#include "base/target.h"
#include "codegen/decompositions/expansions.h"

namespace loom {
namespace {

using pattern::x, pattern::y, pattern::z;

bool is_half(DType dtype) {
  return dtype.scalar == Scalar::kFloat16 || dtype.scalar == Scalar::kBFloat16;
}

bool is_half_value(const Graph& g, Id id) { return is_half(g.dtype(id)); }
bool makes_half(Match& m) { return is_half(m.dtype()); }

bool is_hardware_cast(Match& m, DType half, DType wide) {
  return half == kFloat16 && wide == kFloat32 && m.context<const Target>().has_half_conversions;
}

Id widened(Graph& g, Id half) {
  return is_const(g, half) ? constant(g, kFloat32, float_value(g, half)) : cast(g, half, kFloat32);
}

// The same op on float32, and the result as the half that the rule's root is. A REDUCE keeps its
// accumulator in float32 and rounds once, at the end.
Id in_float32(Match& m) {
  Graph& g = m.graph();
  const Id root = m.root();
  std::vector<Id> src(g.src(root).begin(), g.src(root).end());
  for (Id& id : src) {
    if (is_half_value(g, id)) id = widened(g, id);
  }
  const DType dtype = m.dtype();
  const Id result = g.add(g.op(root), is_half(dtype) ? kFloat32 : dtype, src, g.arg(root));
  return cast(g, result, dtype);
}

// In float32 the product of halves is exact, and so this rounds as a fused operation would.
Id multiply_add(Match& m) {
  const auto wide = [&](auto capture) { return Expr(m.graph(), m[capture]).to(kFloat32); };
  return (wide(x) * wide(y) + wide(z)).to(m.dtype());
}

Id widen(Match& m) {
  const Expr half{m.graph(), m[x]};
  if (m.dtype() != kFloat32) return half.to(kFloat32).to(m.dtype());
  return is_hardware_cast(m, half.dtype(), kFloat32) ? 0 : widen_expansion(half).id;
}

// An integer as a wide float that rounds to `half` as the integer itself does.
Expr wide_float(Expr integer, DType half) {
  // Beyond 2^24, where float32 rounds, every float16 is infinite.
  const bool is_exact = integer.bounds().within(-(1 << 24), 1 << 24);
  if (half == kFloat16 || is_exact) return integer.to(kFloat32);
  const Expr rounded = integer.to(kFloat64);
  if (integer.dtype().bits() < 64) return rounded;
  // Beyond 2^53, where float64 rounds, one bit stands for all below it: it decides ties as they do.
  const Expr is_long = (rounded > 0x1p53) | (rounded < -0x1p53);
  const Expr shortened = where((integer & 0xfff) == 0, integer, (integer & ~0xfff) | 0x800);
  return where(is_long, shortened, integer).to(kFloat64);
}

Id narrow(Match& m) {
  const Expr value{m.graph(), m[x]};
  const DType from = value.dtype(), to = m.dtype();
  if (!from.is_float()) return wide_float(value, to).to(to);
  return is_hardware_cast(m, to, from) ? 0 : narrow_expansion(value, to).id;
}

constexpr OpSet kArithmetic =
    ops_where([](Op op) { return is_alu(op) && op != Op::kWhere && op != Op::kMulAcc; }) |
    only(Op::kReduce);

}  // namespace

const RuleSet& half_rules() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"half types", "16-bit floats are computed with in float32."},
      any_of<kArithmetic>(x, rest) >> call<in_float32>   | when(check<is_half_value>(x)),
      muladd(x, y, z)              >> call<multiply_add> | when(check<is_half_value>(x)),
      cast(x)                      >> call<widen>        | when(check<is_half_value>(x)),
      cast(x)                      >> call<narrow>       | when(test<makes_half>));
  // clang-format on
  return table;
}

}  // namespace loom
