// Expressions that read like algebra: a node with operators. `(x * x + 1.0).max(y)` builds the nodes
// MUL, ADD and MAX, folds nothing, and a number takes the dtype of the expression beside it.
#pragma once
#include <concepts>
#include <type_traits>

#include "ir/build.h"

namespace loom {

template <class T>
concept Number = std::is_arithmetic_v<T>;

struct Expr {
  Graph* graph = nullptr;
  Id id = 0;

  Expr(Graph& g, Id node) : graph(&g), id(node) {}
  operator Id() const { return id; }  // NOLINT(google-explicit-constructor): stands for its node

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
  Expr apply(Op op, Number auto y) const { return apply(op, number(y)); }
  Expr max(auto y) const { return apply(Op::kMax, y); }
  Expr trunc() const { return apply(Op::kTrunc); }

  Expr operator-() const { return apply(Op::kNeg); }
  /// NOT of a bool, the complement of an integer.
  Expr operator~() const { return apply(Op::kXor, dtype().is_bool() ? 1 : -1); }
};

// Every operator takes two expressions, or an expression and a number on either side.
template <class T>
concept Operand = Number<T> || std::same_as<T, Expr>;

template <Operand X, Operand Y>
  requires(std::same_as<X, Expr> || std::same_as<Y, Expr>)
Expr combine(Op op, X x, Y y) {
  if constexpr (std::same_as<X, Expr>) {
    return x.apply(op, y);
  } else {
    return y.number(x).apply(op, y);
  }
}

template <Operand X, Operand Y>
concept OneExpr = std::same_as<X, Expr> || std::same_as<Y, Expr>;

template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator+(X x, Y y) { return combine(Op::kAdd, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator-(X x, Y y) { return combine(Op::kSub, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator*(X x, Y y) { return combine(Op::kMul, x, y); }
/// FDIV of floats, IDIV of integers.
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator/(X x, Y y) {
  DType dtype;
  if constexpr (std::same_as<X, Expr>) dtype = x.dtype(); else dtype = y.dtype();
  return combine(dtype.is_float() ? Op::kFDiv : Op::kIDiv, x, y);
}
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator%(X x, Y y) { return combine(Op::kMod, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator&(X x, Y y) { return combine(Op::kAnd, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator|(X x, Y y) { return combine(Op::kOr, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator^(X x, Y y) { return combine(Op::kXor, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator<<(X x, Y y) { return combine(Op::kShl, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator>>(X x, Y y) { return combine(Op::kShr, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator<(X x, Y y) { return combine(Op::kCmpLt, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator>(X x, Y y) { return y < x; }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator==(X x, Y y) { return combine(Op::kCmpEq, x, y); }
template <Operand X, Operand Y> requires OneExpr<X, Y>
Expr operator!=(X x, Y y) { return combine(Op::kCmpNe, x, y); }
