// Expressions that read like algebra: a node with operators. `(x * x + 1.0).max(y)` builds the
// nodes MUL, ADD and MAX, folds nothing, and a number takes the dtype of the expression beside it.
#pragma once
#include <concepts>
#include <type_traits>

#include "ir/build.h"

namespace loom {

template <class T>
concept Numeral = std::is_arithmetic_v<T>;

struct Expr {
  Graph* graph;
  Id id;

  Expr(Graph& g, Id node) : graph(&g), id(node) {}
  operator Id() const { return id; }  // NOLINT(google-explicit-constructor): it stands for its node

  DType dtype() const { return graph->dtype(id); }
  Interval bounds() const { return graph->bounds(id); }
  /// The number `value` in this expression's dtype.
  Expr number(std::integral auto value) const {
    return {*graph, constant(*graph, dtype(), static_cast<int64_t>(value))};
  }
  Expr number(std::floating_point auto value) const {
    return {*graph, constant(*graph, dtype(), static_cast<double>(value))};
  }

  Expr to(DType type) const { return {*graph, cast(*graph, id, type)}; }
  /// The same bits as another type.
  Expr as(DType type) const { return {*graph, bitcast(*graph, id, type)}; }
  Expr apply(Op op) const { return {*graph, unary(*graph, op, id)}; }
  Expr apply(Op op, Expr y) const { return {*graph, binary(*graph, op, id, y.id)}; }
  Expr apply(Op op, Numeral auto y) const { return apply(op, number(y)); }
  Expr max(auto y) const { return apply(Op::kMax, y); }
  Expr trunc() const { return apply(Op::kTrunc); }

  Expr operator-() const { return apply(Op::kNeg); }
  /// NOT of a bool, the complement of an integer.
  Expr operator~() const { return apply(Op::kXor, dtype().is_bool() ? 1 : -1); }
};

/// The condition's choice; a number takes the dtype of the expression beside it.
inline Expr where(Expr condition, Expr x, Expr y) {
  return {*x.graph, where(*x.graph, condition.id, x.id, y.id)};
}
inline Expr where(Expr condition, Numeral auto x, Expr y) {
  return where(condition, y.number(x), y);
}
inline Expr where(Expr condition, Expr x, Numeral auto y) {
  return where(condition, x, x.number(y));
}

/// Y is what an operator takes beside X: two expressions, or one with a number on either side.
template <class Y, class X>
concept Beside = (std::same_as<X, Expr> && (Numeral<Y> || std::same_as<Y, Expr>)) ||
                 (Numeral<X> && std::same_as<Y, Expr>);

template <class X, Beside<X> Y>
Expr combine(Op op, X x, Y y) {
  if constexpr (Numeral<X>) {
    return y.number(x).apply(op, y);
  } else {
    return x.apply(op, y);
  }
}

// clang-format off
template <class X, Beside<X> Y> Expr operator+(X x, Y y) { return combine(Op::kAdd, x, y); }
template <class X, Beside<X> Y> Expr operator-(X x, Y y) { return combine(Op::kSub, x, y); }
template <class X, Beside<X> Y> Expr operator*(X x, Y y) { return combine(Op::kMul, x, y); }
template <class X, Beside<X> Y> Expr operator%(X x, Y y) { return combine(Op::kMod, x, y); }
template <class X, Beside<X> Y> Expr operator&(X x, Y y) { return combine(Op::kAnd, x, y); }
template <class X, Beside<X> Y> Expr operator|(X x, Y y) { return combine(Op::kOr, x, y); }
template <class X, Beside<X> Y> Expr operator^(X x, Y y) { return combine(Op::kXor, x, y); }
template <class X, Beside<X> Y> Expr operator<<(X x, Y y) { return combine(Op::kShl, x, y); }
template <class X, Beside<X> Y> Expr operator>>(X x, Y y) { return combine(Op::kShr, x, y); }
template <class X, Beside<X> Y> Expr operator<(X x, Y y) { return combine(Op::kCmpLt, x, y); }
template <class X, Beside<X> Y> Expr operator>(X x, Y y) { return combine(Op::kCmpLt, y, x); }
template <class X, Beside<X> Y> Expr operator==(X x, Y y) { return combine(Op::kCmpEq, x, y); }
template <class X, Beside<X> Y> Expr operator!=(X x, Y y) { return combine(Op::kCmpNe, x, y); }
// clang-format on

/// FDIV of floats, IDIV of integers.
template <class X, Beside<X> Y>
Expr operator/(X x, Y y) {
  const auto divide = [&](DType dtype) { return dtype.is_float() ? Op::kFDiv : Op::kIDiv; };
  if constexpr (Numeral<X>) {
    return combine(divide(y.dtype()), x, y);
  } else {
    return combine(divide(x.dtype()), x, y);
  }
}

}  // namespace loom
