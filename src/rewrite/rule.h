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

template <Pattern P, class R, class... G>
struct Rule {
  static_assert((... && ((G::binds & ~P::binds) == 0)),
                "a guard uses a capture that the pattern never binds");

  /// Called once a pattern has matched; 0 when the rule does not fire.
  static Id fire(Match& m) {
    if (!(G::test(m) && ...)) return 0;
    if constexpr (Pattern<R>) {
      static_assert((R::binds & ~P::binds) == 0,
                    "the replacement uses a capture that the pattern never binds");
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
