// Operators, comparisons, selection and conversions: one node for each element by itself.
#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

Tensor apply(std::string_view name, Op op, const Tensor& x) {
  return make_tensor(name, x.dtype(), x.shape(), {x},
                     [&](Graph& g, std::span<const Id> src) { return unary(g, op, src[0]); });
}

Tensor apply(std::string_view name, Op op, const Pair& pair) {
  const DType dtype = is_comparison(op) ? kBool : pair.a.dtype();
  return make_tensor(
      name, dtype, pair.shape, {pair.a, pair.b},
      [&](Graph& g, std::span<const Id> src) { return binary(g, op, src[0], src[1]); });
}

[[noreturn]] void fail_dtypes(std::string_view name, const Operand& a, const Operand& b,
                              std::string_view expected) {
  const auto text = [](const Operand& x) {
    return x.tensor() ? describe(*x.tensor()) : loom::name(x.number()->dtype());
  };
  fail<UserError>(name, ": not defined for ", text(a), " and ", text(b), ", expected ", expected);
}

// An operation of integers, and of bool where `takes_bool`.
Tensor integer_op(std::string_view name, Op op, const Operand& a, const Operand& b,
                  bool takes_bool) {
  const DType dtype = common_dtype(a, b);
  if (dtype.is_float() || (dtype.is_bool() && !takes_bool)) {
    fail_dtypes(name, a, b, takes_bool ? "integers or bool" : "integers");
  }
  return apply(name, op, meet(name, a, b, dtype));
}

Tensor truth(const Tensor& x) { return x.cast(kBool); }
Tensor truth(std::string_view name, const Operand& x) {
  return x.tensor() ? truth(*x.tensor()) : truth(as_tensor(name, x, x.number()->dtype()));
}

// x with its order reversed: larger becomes smaller, and nothing is lost.
Tensor reversed(const Tensor& x) { return x.dtype().is_float() ? -x : ~x; }

}  // namespace

// --- Operators. ---

Tensor operator+(const Operand& a, const Operand& b) {
  return apply("+", Op::kAdd, meet("+", a, b));
}
Tensor operator*(const Operand& a, const Operand& b) {
  return apply("*", Op::kMul, meet("*", a, b));
}

Tensor operator-(const Operand& a, const Operand& b) {
  if (common_dtype(a, b).is_bool()) fail_dtypes("-", a, b, "numbers (^ tells where bools differ)");
  return apply("-", Op::kSub, meet("-", a, b));
}

Tensor operator/(const Operand& a, const Operand& b) {
  return apply("/", Op::kFDiv, meet("/", a, b, real_dtype(common_dtype(a, b))));
}

Tensor operator%(const Operand& a, const Operand& b) {
  const Pair pair = meet("%", a, b);
  if (pair.a.dtype().is_bool()) fail_dtypes("%", a, b, "numbers");
  if (!pair.a.dtype().is_float()) return apply("%", Op::kMod, pair);
  return pair.a - pair.a.floor_div(pair.b) * pair.b;
}

Tensor operator&(const Operand& a, const Operand& b) {
  return integer_op("&", Op::kAnd, a, b, true);
}
Tensor operator|(const Operand& a, const Operand& b) {
  return integer_op("|", Op::kOr, a, b, true);
}
Tensor operator^(const Operand& a, const Operand& b) {
  return integer_op("^", Op::kXor, a, b, true);
}
Tensor operator<<(const Operand& a, const Operand& b) {
  return integer_op("<<", Op::kShl, a, b, false);
}
Tensor operator>>(const Operand& a, const Operand& b) {
  return integer_op(">>", Op::kShr, a, b, false);
}

Tensor operator==(const Operand& a, const Operand& b) {
  return apply("==", Op::kCmpEq, meet("==", a, b));
}
Tensor operator!=(const Operand& a, const Operand& b) {
  return apply("!=", Op::kCmpNe, meet("!=", a, b));
}
Tensor operator<(const Operand& a, const Operand& b) {
  return apply("<", Op::kCmpLt, meet("<", a, b));
}
Tensor operator>(const Operand& a, const Operand& b) { return b < a; }
Tensor operator>=(const Operand& a, const Operand& b) { return b <= a; }
Tensor operator<=(const Operand& a, const Operand& b) {
  const Pair pair = meet("<=", a, b);
  if (!pair.a.dtype().is_float())
    return apply("<=", Op::kCmpLt, {pair.b, pair.a, pair.shape}).logical_not();
  // NaN is neither less nor equal.
  return apply("<=", Op::kCmpLt, pair) | apply("<=", Op::kCmpEq, pair);
}

Tensor Tensor::operator-() const {
  if (dtype().is_bool())
    fail<UserError>("-: not defined for ", describe(*this), ", expected numbers");
  return apply("-", Op::kNeg, *this);
}

Tensor Tensor::operator~() const {
  if (dtype().is_float()) {
    fail<UserError>("~: not defined for ", describe(*this), ", expected integers or bool");
  }
  return make_tensor("~", dtype(), shape(), {*this}, [&](Graph& g, std::span<const Id> src) {
    return binary(g, Op::kXor, src[0], constant(g, dtype(), -1));
  });
}

Tensor Tensor::logical_not() const { return truth(*this) ^ true; }

Tensor logical_and(const Operand& a, const Operand& b) {
  return truth("logical_and", a) & truth("logical_and", b);
}
Tensor logical_or(const Operand& a, const Operand& b) {
  return truth("logical_or", a) | truth("logical_or", b);
}
Tensor logical_xor(const Operand& a, const Operand& b) {
  return truth("logical_xor", a) ^ truth("logical_xor", b);
}

// --- Selection. ---

Tensor maximum(const Operand& a, const Operand& b) {
  return apply("maximum", Op::kMax, meet("maximum", a, b));
}

Tensor minimum(const Operand& a, const Operand& b) {
  const Pair pair = meet("minimum", a, b);
  return reversed(maximum(reversed(pair.a), reversed(pair.b)));
}

Tensor where(const Tensor& condition, const Operand& a, const Operand& b) {
  const Pair values = meet("where", a, b);
  Shape shape = values.shape;
  if (!broadcast_into(shape, condition.shape())) {
    fail<UserError>("where: condition ", describe(condition), " and values ", describe(values.a),
                    ", ", describe(values.b), " do not broadcast");
  }
  return make_tensor(
      "where", values.a.dtype(), shape,
      {spread(truth(condition), shape), spread(values.a, shape), spread(values.b, shape)},
      [](Graph& g, std::span<const Id> src) { return loom::where(g, src[0], src[1], src[2]); });
}

// --- Conversions. ---

Tensor Tensor::cast(DType to) const {
  if (to == dtype()) return same_value(*this);
  return make_tensor("cast", to, shape(), {*this},
                     [&](Graph& g, std::span<const Id> src) { return loom::cast(g, src[0], to); });
}

Tensor Tensor::bitcast(DType to) const {
  if (to.bits() != dtype().bits() || to.is_bool() != dtype().is_bool()) {
    fail<UserError>("bitcast: ", describe(*this), " as ", loom::name(to),
                    ", expected a type of the same width");
  }
  return make_tensor("bitcast", to, shape(), {*this}, [&](Graph& g, std::span<const Id> src) {
    return loom::bitcast(g, src[0], to);
  });
}

}  // namespace loom
