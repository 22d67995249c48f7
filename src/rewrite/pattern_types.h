// The types of the pattern language: each matches a node, and builds one. None has any state, so
// that a rule is a type and matching it is straight-line code. pattern.h has the words that rules
// are written in.
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include "rewrite/match.h"
#include "rewrite/op_set.h"
#include "rewrite/pattern_build.h"
#include "rewrite/pattern_tree.h"

namespace loom::pattern {

/// Text as a template argument.
template <size_t N>
struct Name {
  char text[N];
  consteval Name(const char (&t)[N]) { std::copy_n(t, N, text); }
};

struct Base {};
/// Every pattern type P has
///   P::binds                          bits of the captures that it binds
///   P::ops                            the ops that a node must have to match
///   P::match<bound>(m, id)            does the node match, given the captures bound so far?
///   P::build(m, dtype)                the node, where a value of `dtype` is wanted
///   P::kTyping, P::dtype(m)           whether it knows its own dtype, and that
///   P::eval(m, dtype)                 (constants only) its value
///   P::tree()                         itself as data, for printing, fuzzing and overlap checks
template <class P>
concept Pattern = std::is_base_of_v<Base, P>;

/// How well a pattern knows its dtype before it is built: not, up to the lane count, exactly.
enum class Typing : uint8_t { kNone, kElement, kExact };

template <int Slot, Name N>
struct As;

/// Captures any node.
template <int Slot, Name N>
struct Any : Base {
  static_assert(Slot < Match::kSlots);
  static constexpr int capture_slot = Slot;
  static constexpr uint32_t binds = 1u << Slot;
  static constexpr OpSet ops = kAnyOp;
  static constexpr Typing kTyping = Typing::kExact;

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    if constexpr ((Bound & binds) != 0) return m.slot(Slot) == id;
    m.slot(Slot) = id;
    return true;
  }
  static Id build(Match& m, DType) { return m.slot(Slot); }
  static DType dtype(Match& m) { return m.graph().dtype(m.slot(Slot)); }
  static PatternTree tree() { return {.kind = PatternTree::kAny, .name = N.text, .slot = Slot}; }

  template <Pattern P>
  constexpr auto as(P) const;
};

/// Captures a constant.
template <int Slot, Name N>
struct Constant : Base {
  static_assert(Slot < Match::kSlots);
  static constexpr int capture_slot = Slot;
  static constexpr uint32_t binds = 1u << Slot;
  static constexpr OpSet ops = kConstantOps;
  static constexpr Typing kTyping = Typing::kElement;

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    id = scalar_constant(m.graph(), id);
    if constexpr ((Bound & binds) != 0) return m.slot(Slot) == id;
    m.slot(Slot) = id;
    return id != 0;
  }
  static Id build(Match& m, DType dtype) { return broadcast(m.graph(), m.slot(Slot), dtype.lanes); }
  static DType dtype(Match& m) { return m.graph().dtype(m.slot(Slot)); }
  static Value eval(Match& m, DType) { return {m.graph().arg(m.slot(Slot))}; }
  static PatternTree tree() {
    return {.kind = PatternTree::kConstant, .name = N.text, .slot = Slot};
  }
};

/// A constant of one value, at whatever dtype its place has.
template <auto V>
struct Literal : Base {
  static constexpr bool kIsBool = std::is_same_v<decltype(V), bool>;
  static constexpr uint32_t binds = 0;
  static constexpr OpSet ops = kConstantOps;
  static constexpr Typing kTyping = kIsBool ? Typing::kElement : Typing::kNone;

  template <uint32_t>
  static bool match(Match& m, Id id) {
    const Graph& g = m.graph();
    id = scalar_constant(g, id);
    if (id == 0) return false;
    if constexpr (kIsBool) return g.arg(id) == V && g.dtype(id).is_bool();
    if constexpr (std::is_floating_point_v<decltype(V)>) {
      return g.dtype(id).is_float() && g.arg(id) == std::bit_cast<int64_t>(double{V});
    } else {
      return is_const_value(g, id, V);
    }
  }
  static Id build(Match& m, DType dtype) { return constant_of(m.graph(), dtype, eval(m, dtype)); }
  static DType dtype(Match&) { return kBool; }
  static Value eval(Match&, DType dtype) { return constant_value(dtype, V); }
  static PatternTree tree() {
    if constexpr (kIsBool)
      return {.kind = PatternTree::kLiteral, .name = V ? "true" : "false", .value = V};
    return {.kind = PatternTree::kLiteral, .value = double{V}};
  }
};

/// Captures the sources from its place on, as many as there are.
template <int Slot, Name N>
struct Rest : Base {
  static_assert(Slot < Match::kRestSlots);
  static constexpr int rest_slot = Slot;
  static constexpr uint32_t binds = 1u << (Match::kSlots + Slot);
  static constexpr Typing kTyping = Typing::kNone;
  static PatternTree tree() { return {.kind = PatternTree::kRest, .name = N.text, .slot = Slot}; }
};

/// What patterns with sources have in common.
template <class... P>
struct Sources {
  static constexpr size_t kCount = sizeof...(P);
  static constexpr bool kIsOpen = (RestCapture<P> || ...);  // the last one is a Rest
  static constexpr uint32_t binds = (0u | ... | P::binds);
  static constexpr Typing kTyping = std::max({Typing::kNone, P::kTyping...});
  static_assert((0 + ... + RestCapture<P>) <= 1, "one rest capture, at the end of the sources");

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    const Node& node = m.graph()[id];
    if constexpr (kIsOpen) {
      if (node.src_count + 1 < kCount) return false;
    } else {
      if (node.src_count != kCount) return false;
    }
    if constexpr (kCount == 0) {
      return true;
    } else {
      const Id* src = kIsOpen || kCount > 3 ? m.graph().src(id).data() : node.src;
      return match_from<Bound, 0, P...>(m, id, src);
    }
  }

  /// The dtype of the first source that knows it best, with the lanes of `wanted` where it does not
  /// know those.
  static DType dtype(Match& m, DType wanted) {
    DType result = wanted;
    const auto take = [&]<class Q>() {
      if constexpr (Q::kTyping != kTyping || kTyping == Typing::kNone) {
        return false;
      } else {
        result = kTyping == Typing::kExact ? Q::dtype(m) : Q::dtype(m).vec(wanted.lanes);
        return true;
      }
    };
    (take.template operator()<P>() || ...);
    return result;
  }

 private:
  template <uint32_t Bound, size_t K, class First, class... Others>
  static bool match_from(Match& m, Id id, const Id* src) {
    if constexpr (RestCapture<First>) {
      m.rest(First::rest_slot) = {id, K};
      return true;
    } else {
      if (!First::template match<Bound>(m, src[K])) return false;
      if constexpr (sizeof...(Others) == 0)
        return true;
      else
        return match_from < Bound | First::binds, K + 1, Others... > (m, id, src);
    }
  }
};

/// A node of the op O over these sources.
template <Op O, class... P>
struct Apply : Base {
  using Src = Sources<P...>;
  static constexpr uint32_t binds = Src::binds;
  static constexpr OpSet ops = only(O);
  // Where what is built has the dtype of its sources.
  static constexpr bool kIsSame = is_alu(O) && !is_comparison(O);
  static constexpr Typing kTyping = kIsSame            ? Src::kTyping
                                    : is_comparison(O) ? Typing::kElement
                                                       : Typing::kNone;

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    return m.graph().op(id) == O && Src::template match<Bound>(m, id);
  }
  static Id build(Match& m, DType dtype) {
    if constexpr (is_alu(O)) return build_alu(m, dtype);
    // Other ops: the place or the sources say the dtype, and the root the argument.
    const DType operand = Src::dtype(m, dtype);
    if constexpr (Src::kIsOpen) {
      SourceList src;
      (append_source<P>(m, operand, src), ...);
      return build_node(m, O, dtype, src);
    } else {
      const std::array<Id, Src::kCount> src = {P::build(m, operand)...};
      return build_node(m, O, dtype, src);
    }
  }
  static DType dtype(Match& m) {
    if constexpr (is_comparison(O))
      return kBool;
    else
      return operand_dtype(m, DType{});
  }
  static Value eval(Match& m, DType dtype)
    requires(requires { P::eval(m, dtype); } && ...)
  {
    const DType operand = operand_dtype(m, is_comparison(O) ? kInt64 : dtype);
    const std::array<Value, Src::kCount> values = {P::eval(m, operand)...};
    return evaluate(O, dtype.element(), operand.element(), values);
  }
  static PatternTree tree() {
    return {.kind = PatternTree::kApply, .ops = ops, .sources = {P::tree()...}};
  }

 private:
  static DType operand_dtype(Match& m, DType wanted) {
    if constexpr (O == Op::kWhere)
      return where_dtype<P...>(m, wanted);
    else
      return Src::dtype(m, wanted);
  }
  template <class C, class... Values>
  static DType where_dtype(Match& m, DType wanted) {
    return Sources<Values...>::dtype(m, wanted);
  }
  static Id build_alu(Match& m, DType dtype) {
    static_assert(!is_comparison(O) || Src::kTyping != Typing::kNone,
                  "what is compared has no dtype");
    const DType operand = operand_dtype(m, dtype);
    std::array<Id, Src::kCount> src;
    if constexpr (O == Op::kWhere)
      build_where<P...>(m, operand, src);
    else
      build_sources(m, operand, src, std::index_sequence_for<P...>());
    return m.graph().add(O, is_comparison(O) ? kBool.vec(operand.lanes) : operand, src);
  }
  template <size_t... I>
  static void build_sources(Match& m, DType operand, std::array<Id, Src::kCount>& src,
                            std::index_sequence<I...>) {
    ((src[I] = P::build(m, operand)), ...);
  }
  template <class C, class X, class Y>
  static void build_where(Match& m, DType operand, std::array<Id, Src::kCount>& src) {
    src = {C::build(m, kBool.vec(operand.lanes)), X::build(m, operand), Y::build(m, operand)};
  }
};

/// A node of any op of a set over these sources.
template <OpSet Set, class... P>
struct Group : Base {
  using Src = Sources<P...>;
  static constexpr uint32_t binds = Src::binds;
  static constexpr OpSet ops = Set;
  static constexpr Typing kTyping = Typing::kNone;

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    return Set.has(m.graph().op(id)) && Src::template match<Bound>(m, id);
  }
  static PatternTree tree() {
    return {.kind = PatternTree::kApply, .ops = ops, .sources = {P::tree()...}};
  }
};

/// (replacement only) A node with the op, argument and, where sources do not say it, dtype of a
/// captured one.
template <NodeCapture Model, class... P>
struct Like : Base {
  using Src = Sources<P...>;
  static constexpr uint32_t binds = Model::binds | Src::binds;
  static constexpr Typing kTyping = Typing::kNone;

  static Id build(Match& m, DType dtype) {
    const DType operand = Src::dtype(m, dtype);
    SourceList src;
    (append_source<P>(m, operand, src), ...);
    return build_like(m.graph(), Model::build(m, dtype), src);
  }
  static PatternTree tree() {
    return {.kind = PatternTree::kLike, .name = Model::tree().name, .sources = {P::tree()...}};
  }
};

/// A node that is captured and matches a sub-pattern.
template <class Capture, class P>
struct Named : Base {
  static constexpr int capture_slot = Capture::capture_slot;
  static constexpr uint32_t binds = Capture::binds | P::binds;
  static constexpr OpSet ops = P::ops;
  static constexpr Typing kTyping = Typing::kExact;

  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    return P::template match<Bound>(m, id) && Capture::template match < Bound | P::binds > (m, id);
  }
  static Id build(Match& m, DType dtype) { return Capture::build(m, dtype); }
  static DType dtype(Match& m) { return Capture::dtype(m); }
  static PatternTree tree() {
    PatternTree tree = Capture::tree();
    tree.kind = PatternTree::kNamed;
    tree.sources = {P::tree()};
    return tree;
  }
};

template <int Slot, Name N>
template <Pattern P>
constexpr auto Any<Slot, N>::as(P) const {
  return Named<Any, P>{};
}

/// A kind of dtypes: its scalars as bits.
enum class Kind : uint16_t {
  kBools = 1 << static_cast<int>(Scalar::kBool),
  kIndices = 1 << static_cast<int>(Scalar::kIndex),
  kInts = 0xff << static_cast<int>(Scalar::kInt8) | kIndices,
  kFloats = 0xf << static_cast<int>(Scalar::kFloat16),
  kAll = 0xffff,
};
constexpr bool is_of_kind(Scalar scalar, Kind kind) {
  return (static_cast<int>(kind) >> static_cast<int>(scalar) & 1) != 0;
}
static_assert(is_of_kind(Scalar::kUInt64, Kind::kInts) &&
              !is_of_kind(Scalar::kFloat16, Kind::kInts));
static_assert(is_of_kind(Scalar::kFloat64, Kind::kFloats) &&
              !is_of_kind(Scalar::kIndex, Kind::kFloats));

/// A pattern whose node has a dtype of one kind.
template <Kind K, class P>
struct Typed : P {
  template <uint32_t Bound>
  static bool match(Match& m, Id id) {
    return is_of_kind(m.graph()[id].scalar, K) && P::template match<Bound>(m, id);
  }
  static PatternTree tree() {
    PatternTree tree{.kind = PatternTree::kTyped, .sources = {P::tree()}};
    tree.name = K == Kind::kInts     ? "ints"
                : K == Kind::kFloats ? "floats"
                : K == Kind::kBools  ? "bools"
                                     : "indices";
    return tree;
  }
};

/// A pattern that the commutative expansion leaves alone.
template <class P>
struct Exactly : P {};

/// (replacement only) The constant that an expression of constants comes to.
template <class E>
struct Fold : Base {
  static constexpr uint32_t binds = E::binds;
  static constexpr Typing kTyping = E::kTyping;
  static Id build(Match& m, DType dtype) {
    return constant_of(m.graph(), dtype, E::eval(m, dtype));
  }
  static DType dtype(Match& m) { return E::dtype(m); }
  static Value eval(Match& m, DType dtype) { return E::eval(m, dtype); }
  static PatternTree tree() { return {.kind = PatternTree::kFold, .sources = {E::tree()}}; }
};

}  // namespace loom::pattern
