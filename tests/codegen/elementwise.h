// Runs decomposed expressions on arrays.
#pragma once
#include <algorithm>
#include <functional>
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

}  // namespace loom::testing
