// From a rule to its exact operand orders, with all that dispatch wants to know about each.
#pragma once
#include "rewrite/commute.h"
#include "rewrite/dispatch.h"

namespace loom::pattern {

/// The ops that the sources of P can have.
template <class P>
struct SourceOps {
  static constexpr std::array<OpSet, 3> value = {kAnyOp | only(Op::kNone), kAnyOp | only(Op::kNone),
                                                 kAnyOp | only(Op::kNone)};
};
template <class... S>
struct SourceOps<Sources<S...>> {
  static constexpr std::array<OpSet, 3> value = [] {
    std::array<OpSet, 3> result = {only(Op::kNone), only(Op::kNone), only(Op::kNone)};
    size_t slot = 0;
    const auto set = [&](auto source) {
      using Source = decltype(source);
      if constexpr (RestCapture<Source>) {
        for (; slot < 3; slot++) result[slot] = kAnyOp | only(Op::kNone);
      } else if (slot < 3) {
        result[slot++] = Source::ops;
      }
    };
    (set(S{}), ...);
    return result;
  }();
};
template <Op O, class... S>
struct SourceOps<Apply<O, S...>> : SourceOps<Sources<S...>> {};
template <OpSet Set, class... S>
struct SourceOps<Group<Set, S...>> : SourceOps<Sources<S...>> {};
template <class Capture, class P>
struct SourceOps<Named<Capture, P>> : SourceOps<P> {};
template <Kind K, class P>
struct SourceOps<Typed<K, P>> : SourceOps<P> {};
template <class P>
struct SourceOps<Exactly<P>> : SourceOps<P> {};

template <class P>
constexpr Kind kKindOf = Kind::kAll;
template <Kind K, class P>
constexpr Kind kKindOf<Typed<K, P>> = K;
template <class Capture, class P>
constexpr Kind kKindOf<Named<Capture, P>> = kKindOf<P>;

template <class P>
bool match_root(Match& m) {
  return P::template match<0>(m, m.root());
}

template <class Rule, class... P>
void append_orders(List<P...>, uint16_t rule, std::vector<RuleOrder>& orders) {
  const auto append = [&]<class Q>(std::type_identity<Q>) {
    orders.push_back({&match_root<Q>, &Rule::fire, Q::ops, SourceOps<Q>::value, kKindOf<Q>, rule});
  };
  (append(std::type_identity<P>{}), ...);
}

}  // namespace loom::pattern
