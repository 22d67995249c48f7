// An expression as a flat list of instructions over blocks of values: fast enough to try every
// float32. Each instruction is a plain C++ loop that does what hardware does (a zero divisor or a
// shift past the width is an error), which makes it an oracle independent of ir/evaluate.h.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "ir/build.h"

namespace loom::testing {

class FlatProgram {
 public:
  static constexpr size_t kBlock = 1024;

  /// Computes `root` from the values of `inputs`: nodes of any kind that it depends on.
  FlatProgram(const Graph& graph, Id root, std::span<const Id> inputs);

  // Where to put the values of the k-th input, and where the result is after `run`. 16-bit floats
  // are uint16_t.
  template <class T>
  std::span<T> input(size_t k) {
    return {cells<T>(inputs_[k]), kBlock};
  }
  template <class T>
  std::span<const T> output() {
    return {cells<T>(output_), kBlock};
  }
  void run();

 private:
  struct Step {
    Op op;
    Scalar scalar, operand;  // of the result, and of the values that it is made of
    size_t result;
    size_t src[3];
  };
  template <class T>
  T* cells(size_t slot) {
    return reinterpret_cast<T*>(memory_.data() + slot * kBlock);
  }
  void fill(size_t slot, const Graph& graph, Id constant);
  void execute(const Step& step);
  void reinterpret(const Step& step);
  template <class T>
  void choose(const Step& step);
  template <class From>
  void convert(const Step& step);
  template <class T>
  void compare(const Step& step);
  template <class T>
  void compute(const Step& step);

  std::vector<uint64_t> memory_;  // 8 bytes for each element of each slot
  std::vector<Step> steps_;
  std::vector<size_t> inputs_;
  size_t output_ = 0;
};

}  // namespace loom::testing
