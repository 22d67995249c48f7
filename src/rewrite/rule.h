// A rule is `pattern >> replacement`, and `| when(guards...)` if it does not always hold.
//
// The replacement is a pattern expression, a function Id(Match&) without captures, or `call<f>` for
// a named one. A function returns 0 when the rule does not fire after all.
#pragma once
#include "rewrite/guard.h"

namespace loom::pattern {

template <class F>
concept Function = std::is_empty_v<F> && !Pattern<F> && std::is_invocable_r_v<Id, F, Match&>;

/// A replacement by the function F, which printed tables then name.
template <auto F>
struct Call {
  Id operator()(Match& m) const { return F(m); }
  static PatternTree tree() { return {.kind = PatternTree::kCode, .name = function_name<F>()}; }
};
template <auto F>
inline constexpr Call<F> call;

/// Does R use only what P binds?
template <class P, class R>
constexpr bool kIsBound = true;
template <class P, class R>
  requires requires { R::binds; }
constexpr bool kIsBound<P, R> = (R::binds & ~P::binds) == 0;

template <Pattern P, class R, class... G>
struct Rule {
  static_assert(kIsBound<P, R>, "the replacement uses a capture that the pattern never binds");
  static_assert((... && kIsBound<P, G>), "a guard uses a capture that the pattern never binds");

  /// Called once a pattern has matched; 0 when the rule does not fire.
  static Id fire(Match& m) {
    if (!(G::test(m) && ...)) return 0;
    if constexpr (Pattern<R>) {
      return R::build(m, m.dtype());
    } else {
      return R{}(m);
    }
  }
  static PatternTree replacement() {
    if constexpr (requires { R::tree(); })
      return R::tree();
    else
      return {.kind = PatternTree::kCode};
  }
  static std::vector<PatternTree> guards() { return {G::tree()...}; }
};

template <Pattern P, class R>
  requires Pattern<R> || Function<R>
constexpr Rule<P, R> operator>>(P, R) {
  return {};
}

template <class P, class R, class... G, class... H>
constexpr Rule<P, R, G..., H...> operator|(Rule<P, R, G...>, When<H...>) {
  return {};
}

}  // namespace loom::pattern
