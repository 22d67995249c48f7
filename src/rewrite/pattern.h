// The pattern language: what rules are written in (rule.h, rule_set.h).
//
//   x, y, z, w             any node; the same capture twice asks for the same node
//   c0, c1, c2, c3         an integer, bool or float constant (or a broadcast of one)
//   lit<3>, lit<-0.0>      a constant of this value; yes, no: a bool constant
//   x + y, x < y, ~x, ...  an ALU node; operands of commutative ops match in both orders
//   max(x, y), where(..)   ALU nodes without an operator; `/` is IDIV, `~x` is x XOR true
//   op<Op::kStage>(x, r)   any op, sources in this order; `rests` r, r1 take what is left of them
//   any_of<kUnaryOps>(x)   any op of a set
//   n.as(x + y)            a node captured together with its sub-pattern
//   ints(p), floats(p), bools(p), indices(p)      p, if its dtype is of that kind
//   exactly(x + y)         no other order of operands
//
// Patterns are also replacements: captures stand for what they matched, literals take the dtype
// that their place asks for, `fold(c0 + c1)` is the constant that this comes to, `like(n, x, y)`
// has the op of the captured n. A pass's own captures: inline constexpr Any<8, "buffer"> buffer;
// (slots 8 .. 15 are free for that)
#pragma once
#include "rewrite/pattern_types.h"

namespace loom::pattern {

inline constexpr Any<0, "x"> x;
inline constexpr Any<1, "y"> y;
inline constexpr Any<2, "z"> z;
inline constexpr Any<3, "w"> w;
inline constexpr Any<7, "n"> n;
inline constexpr Constant<4, "c0"> c0;
inline constexpr Constant<5, "c1"> c1;
inline constexpr Constant<6, "c2"> c2;
inline constexpr Rest<0, "rest"> rest;
inline constexpr Rest<1, "rest1"> rest1;

template <auto V>
inline constexpr Literal<V> lit;
inline constexpr Literal<true> yes;
inline constexpr Literal<false> no;

// clang-format off
template <Op O, class... P> constexpr Apply<O, P...> op(P...) { return {}; }
template <OpSet Set, class... P> constexpr Group<Set, P...> any_of(P...) { return {}; }
template <Pattern P> constexpr Exactly<P> exactly(P) { return {}; }
template <Pattern P> constexpr Typed<Kind::kInts, P> ints(P) { return {}; }
template <Pattern P> constexpr Typed<Kind::kFloats, P> floats(P) { return {}; }
template <Pattern P> constexpr Typed<Kind::kBools, P> bools(P) { return {}; }
template <Pattern P> constexpr Typed<Kind::kIndices, P> indices(P) { return {}; }

// Replacements only.
template <Pattern E> constexpr Fold<E> fold(E) { return {}; }
template <class Model, class... P> constexpr Like<Model, P...> like(Model, P...) { return {}; }


template <Pattern A, Pattern B> constexpr Apply<Op::kAdd, A, B> operator+(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kSub, A, B> operator-(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kMul, A, B> operator*(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kIDiv, A, B> operator/(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kMod, A, B> operator%(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kAnd, A, B> operator&(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kOr, A, B> operator|(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kXor, A, B> operator^(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kCmpLt, A, B> operator<(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kCmpLt, B, A> operator>(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kCmpNe, A, B> operator!=(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kCmpEq, A, B> operator==(A, B) { return {}; }
template <Pattern A> constexpr Apply<Op::kNeg, A> operator-(A) { return {}; }
template <Pattern A> constexpr Apply<Op::kXor, A, Literal<true>> operator~(A) { return {}; }

template <Pattern A, Pattern B> constexpr Apply<Op::kMax, A, B> max(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kFDiv, A, B> fdiv(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kShl, A, B> shl(A, B) { return {}; }
template <Pattern A, Pattern B> constexpr Apply<Op::kShr, A, B> shr(A, B) { return {}; }
template <Pattern C, Pattern A, Pattern B>
constexpr Apply<Op::kWhere, C, A, B> where(C, A, B) { return {}; }
template <Pattern A, Pattern B, Pattern C>
constexpr Apply<Op::kMulAcc, A, B, C> muladd(A, B, C) { return {}; }
/// As a replacement: to the dtype that its place asks for.
template <Pattern A> constexpr Apply<Op::kCast, A> cast(A) { return {}; }
template <Pattern A> constexpr Apply<Op::kBitcast, A> bitcast(A) { return {}; }
/// One scalar in all lanes.
template <Pattern A> constexpr Apply<Op::kVectorize, A> vectorize(A) { return {}; }
// clang-format on

}  // namespace loom::pattern
