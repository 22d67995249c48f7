// Runs decomposed expressions on arrays, and measures how far off floats are.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <tuple>
#include <vector>

#include "codegen/decompositions.h"
#include "ir/expr.h"
#include "tests/codegen/flat_program.h"

namespace loom::testing {

/// An expression of loads, decomposed for a target and ready to run on arrays.
class Elementwise {
 public:
  using Build = std::function<Id(Graph&, std::span<const Expr>)>;

  Elementwise(std::initializer_list<DType> inputs, const Build& build,
              const Target& target = generic_x86_64())
      : Elementwise(std::vector<DType>(inputs), build, target) {}
  Elementwise(const std::vector<DType>& inputs, const Build& build, const Target& target) {
    for (DType dtype : inputs) add_input(dtype);
    std::vector<Expr> values;
    for (Id id : inputs_) values.emplace_back(graph_, id);
    source_ = build(graph_, values);
    root_ = decompose(graph_, source_, target);
  }

  const Graph& graph() const { return graph_; }
  Graph& graph() { return graph_; }
  Id source() const { return source_; }
  Id root() const { return root_; }
  /// Run `root`, another form of the expression, from now on.
  void become(Id root) { root_ = root; }
  int count(Op op) const {
    const std::vector<Id> nodes = reachable(graph_, root_);
    return static_cast<int>(
        std::ranges::count_if(nodes, [&](Id id) { return graph_.op(id) == op; }));
  }

  /// The results for all i of the inputs' i-th elements.
  template <class R, class... A>
  std::vector<R> run(const std::vector<A>&... inputs) const {
    FlatProgram program(graph_, root_, inputs_);
    const size_t size = std::min({inputs.size()...});
    std::vector<R> results(size);
    for (size_t begin = 0; begin < size; begin += FlatProgram::kBlock) {
      const size_t n = std::min(FlatProgram::kBlock, size - begin);
      size_t k = 0;
      (std::copy_n(inputs.data() + begin, n, program.input<A>(k++).data()), ...);
      program.run();
      std::copy_n(program.output<R>().data(), n, results.data() + begin);
    }
    return results;
  }

 private:
  void add_input(DType dtype) {
    const int64_t slot = static_cast<int64_t>(inputs_.size());
    const Id param = graph_.add(Op::kParam, dtype, {index_const(graph_, 1)}, slot);
    inputs_.push_back(load(graph_, index(graph_, param, index_const(graph_, 0))));
  }

  Graph graph_;
  std::vector<Id> inputs_;
  Id source_ = 0, root_ = 0;
};

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
