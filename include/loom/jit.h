// Captures what a function of tensors runs, and replays it without building anything.
//
//   Jit step([&](const Tensor& x) { return (x.matmul(w) + b).relu(); });
//   Tensor y = step(x);
//
// The first call runs the function. The second runs it and records every kernel launch. From the
// third on the launches are replayed with the new inputs: the function itself is not called again,
// so whatever else it does happens twice. It takes tensors and vectors of tensors, and returns a
// tensor, or a vector or tuple of tensors.
//
//   - Inputs keep their shapes, dtypes and devices; another one is a UserError that names the
//   argument.
//     Inputs that are expressions or views get memory of their own first. A tensor that is passed
//     twice counts as two tensors of equal value.
//   - Outputs are new tensors in each call and stay what they are.
//   - Tensors that the function uses without taking them are read where they lay at the capture.
//     `assign` to them or to an input happens in every call.
//   - The captured function cannot look at values that depend on its inputs: that is a UserError.
//     While it is captured other threads wait before they run anything, so it must not wait for
//     them.
//   - With `prune`, kernels that don't depend on the inputs run once, at the capture.
#pragma once
#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "loom/function_ref.h"
#include "loom/tensor.h"

namespace loom {

struct JitOptions {
  bool prune = false;
};

/// Tensors out of nested vectors and tuples, in order, and the sizes of the vectors among these.
struct FlatTensors {
  std::vector<Tensor> tensors;
  std::vector<size_t> sizes;

  void add(const Tensor& tensor) { tensors.push_back(tensor); }
  template <class T>
  void add(const std::vector<T>& list) {
    sizes.push_back(list.size());
    for (const T& item : list) add(item);
  }
  template <class... T>
  void add(const std::tuple<T...>& items) {
    std::apply([this](const T&... item) { (add(item), ...); }, items);
  }
};

/// Puts flat tensors back into their nested form.
class Unflatten {
 public:
  explicit Unflatten(const FlatTensors& flat) : flat_(flat) {}

  template <class T>
  T next() {
    return read(std::type_identity<T>());
  }

 private:
  Tensor read(std::type_identity<Tensor>) { return flat_.tensors[tensor_++]; }
  template <class T>
  std::vector<T> read(std::type_identity<std::vector<T>>) {
    std::vector<T> list(flat_.sizes[size_++]);
    for (T& item : list) item = next<T>();
    return list;
  }
  template <class... T>
  std::tuple<T...> read(std::type_identity<std::tuple<T...>>) {
    return std::tuple<T...>{next<T>()...};
  }

  const FlatTensors& flat_;
  size_t tensor_ = 0, size_ = 0;
};

/// The part of a Jit that knows no types: capture and replay of a function of flat tensors.
class JitProgram {
 public:
  explicit JitProgram(JitOptions options);
  JitProgram(JitProgram&&) noexcept;
  JitProgram& operator=(JitProgram&&) noexcept;
  ~JitProgram();

  using Function = function_ref<FlatTensors(const FlatTensors&)>;
  FlatTensors call(FlatTensors inputs, Function function);
  /// Kernels that a replay launches; 0 before the capture.
  size_t launch_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class F>
class Jit {
 public:
  explicit Jit(F function, JitOptions options = {})
      : function_(std::move(function)), program_(options) {}

  template <class... Args>
    requires std::invocable<F&, const Args&...>
  auto operator()(const Args&... args) {
    using Inputs = std::tuple<Args...>;
    using Result = std::decay_t<std::invoke_result_t<F&, const Args&...>>;
    FlatTensors inputs;
    (inputs.add(args), ...);
    const FlatTensors outputs = program_.call(std::move(inputs), [&](const FlatTensors& flat) {
      FlatTensors results;
      results.add(std::apply(function_, Unflatten(flat).next<Inputs>()));
      return results;
    });
    return Unflatten(outputs).next<Result>();
  }

  size_t launch_count() const { return program_.launch_count(); }

 private:
  F function_;
  JitProgram program_;
};

}  // namespace loom
