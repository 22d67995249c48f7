// How far floats are off, in units of the last place.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <tuple>
#include <vector>

namespace loom::testing {

/// |got - want| in units of the last place of a T as large as `want`. Infinite where only one is
/// NaN, or where `want` is a zero or an infinity and `got` is another one.
template <class T, class Wide>
double ulps_off(T got, Wide want) {
  using Limits = std::numeric_limits<T>;
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (std::isinf(got) && got == static_cast<T>(want)) return 0;
  if (std::isinf(want) || std::signbit(got) != std::signbit(want)) return wrong;
  if (want == 0) return got == 0 ? 0 : wrong;
  // An infinity stands for the number after the largest one.
  Wide value = got;
  if (std::isinf(got)) value = std::copysign(std::ldexp(Wide{1}, Limits::max_exponent), value);
  const int exponent = std::clamp(std::ilogb(want) + 1, Limits::min_exponent, Limits::max_exponent);
  return static_cast<double>(std::ldexp(std::abs(value - want), Limits::digits - exponent));
}

/// The worst of `got` against the wide function of the inputs, with the inputs that it is for.
template <class... A>
struct Worst {
  double ulps = 0;
  std::tuple<A...> at{};
};

template <class T, class F, class... A>
Worst<A...> worst_of(const std::vector<T>& got, const F& wide, const std::vector<A>&... inputs) {
  Worst<A...> worst;
  for (size_t i = 0; i < got.size(); ++i) {
    const double ulps = ulps_off(got[i], wide(inputs[i]...));
    if (ulps > worst.ulps) worst = {ulps, {inputs[i]...}};
  }
  return worst;
}

/// Prints the inputs with all their bits.
template <class... A>
std::ostream& operator<<(std::ostream& out, const Worst<A...>& worst) {
  out << worst.ulps << " ulps at" << std::hexfloat;
  std::apply([&](A... input) { ((out << ' ' << input), ...); }, worst.at);
  return out << std::defaultfloat;
}

}  // namespace loom::testing
