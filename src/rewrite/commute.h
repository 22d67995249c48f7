// Operands of commutative ops match in both orders: a pattern stands for the list of its exact
// orders.
#pragma once
#include "rewrite/pattern.h"

namespace loom::pattern {

template <class... P>
struct List {};

template <class... L>
struct Concat {
  using type = List<>;
};
template <class... A>
struct Concat<List<A...>> {
  using type = List<A...>;
};
template <class... A, class... B, class... L>
struct Concat<List<A...>, List<B...>, L...> : Concat<List<A..., B...>, L...> {};

/// The exact orders that P stands for. A pattern without sources is its only one.
template <class P>
struct Orders {
  using type = List<P>;
};

/// Wrap<s...> for every choice of one s out of each list: Product<Wrap, Done, Lists...>.
template <template <class...> class Wrap, class Done, class... Lists>
struct Product;
template <template <class...> class Wrap, class... S>
struct Product<Wrap, List<S...>> {
  using type = List<Wrap<S...>>;
};
template <template <class...> class Wrap, class... S, class... First, class... Lists>
struct Product<Wrap, List<S...>, List<First...>, Lists...>
    : Concat<typename Product<Wrap, List<S..., First>, Lists...>::type...> {};

template <Op O>
struct ApplyOf {
  template <class... S>
  using type = Apply<O, S...>;
};
template <OpSet Set>
struct GroupOf {
  template <class... S>
  using type = Group<Set, S...>;
};
template <class Capture>
struct NamedOf {
  template <class P>
  using type = Named<Capture, P>;
};
template <Kind K>
struct TypedOf {
  template <class P>
  using type = Typed<K, P>;
};

template <Op O, class... S>
struct Orders<Apply<O, S...>>
    : Product<ApplyOf<O>::template type, List<>, typename Orders<S>::type...> {};

template <Op O, class A, class B>
struct Orders<Apply<O, A, B>> {
  static constexpr bool kSwaps = is_commutative(O) && !std::is_same_v<A, B>;
  using InOrder = typename Product<ApplyOf<O>::template type, List<>, typename Orders<A>::type,
                                   typename Orders<B>::type>::type;
  using Swapped = typename Product<ApplyOf<O>::template type, List<>, typename Orders<B>::type,
                                   typename Orders<A>::type>::type;
  using type = typename std::conditional_t<kSwaps, Concat<InOrder, Swapped>, Concat<InOrder>>::type;
};

template <OpSet Set, class... S>
struct Orders<Group<Set, S...>>
    : Product<GroupOf<Set>::template type, List<>, typename Orders<S>::type...> {};

template <class Capture, class P>
struct Orders<Named<Capture, P>>
    : Product<NamedOf<Capture>::template type, List<>, typename Orders<P>::type> {};

template <Kind K, class P>
struct Orders<Typed<K, P>> : Product<TypedOf<K>::template type, List<>, typename Orders<P>::type> {
};

}  // namespace loom::pattern
