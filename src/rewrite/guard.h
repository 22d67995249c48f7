// Conditions on a rule: `pattern >> replacement | when(positive(c0), nonnegative(x), c0 % c1 ==
// lit<0>)`.
//
// A guard is one of the named conditions below, an expression of constants that must come to true,
// or a function bool(Match&) without captures. Guards are tested in order after the pattern has
// matched.
#pragma once
#include "rewrite/pattern.h"

namespace loom::pattern {

bool is_positive(const Graph& g, Id id);
bool is_nonnegative(const Graph& g, Id id);
bool is_nonzero(const Graph& g, Id id);
bool is_below(const Graph& g, Id id, Id limit);
bool is_not_constant(const Graph& g, Id id);
bool is_same_dtype(const Graph& g, Id a, Id b);
/// "is_positive" for the function itself, found in what the compiler calls it. Of an instance of a
/// template, the name of the last argument.
template <auto F>
constexpr std::string_view function_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.rfind("F = ") + 4);
  text = text.substr(0, text.find_first_of(";]("));
  while (!text.empty() && text.front() == '&') text.remove_prefix(1);
  text = text.substr(text.rfind(':') + 1);
  return text.substr(0, text.find('>'));  // of expand<f>: f
}

/// Holds when F(graph, captured nodes...) does.
template <auto F, class... P>
struct Check {
  static constexpr uint32_t binds = (0u | ... | P::binds);
  static bool test(Match& m) { return F(m.graph(), m[P{}]...); }
  static PatternTree tree() {
    return {.kind = PatternTree::kCode, .name = function_name<F>(), .sources = {P::tree()...}};
  }
};
template <auto F, class... P>
constexpr Check<F, P...> check(P...) {
  return {};
}

// By interval analysis: whatever value the node can take.
constexpr auto positive(auto p) { return check<is_positive>(p); }
constexpr auto nonnegative(auto p) { return check<is_nonnegative>(p); }
constexpr auto nonzero(auto p) { return check<is_nonzero>(p); }
/// Every value of p is below every value of limit.
constexpr auto below(auto p, auto limit) { return check<is_below>(p, limit); }
constexpr auto not_constant(auto p) { return check<is_not_constant>(p); }
constexpr auto same_dtype(auto p, auto q) { return check<is_same_dtype>(p, q); }

/// Holds when F(match) does.
template <auto F>
struct Test {
  static constexpr uint32_t binds = 0;
  static bool test(Match& m) { return F(m); }
  static PatternTree tree() { return {.kind = PatternTree::kCode, .name = function_name<F>()}; }
};
template <auto F>
inline constexpr Test<F> test;

/// An expression of constants that must come to true.
template <class E>
struct Holds {
  static constexpr uint32_t binds = E::binds;
  static bool test(Match& m) { return E::eval(m, kBool).as_int() != 0; }
  static PatternTree tree() { return E::tree(); }
};

/// A function without captures, called as F{}.
template <class F>
struct Code {
  static constexpr uint32_t binds = 0;
  static bool test(Match& m) { return F{}(m); }
  static PatternTree tree() { return {.kind = PatternTree::kCode}; }
};

template <class G>
struct GuardOf {
  using type = Code<G>;
};
template <Pattern G>
struct GuardOf<G> {
  using type = Holds<G>;
};
template <auto F, class... P>
struct GuardOf<Check<F, P...>> {
  using type = Check<F, P...>;
};

template <auto F>
struct GuardOf<Test<F>> {
  using type = Test<F>;
};

template <class... G>
struct When {};
template <class... G>
constexpr When<typename GuardOf<G>::type...> when(G...) {
  return {};
}

}  // namespace loom::pattern
