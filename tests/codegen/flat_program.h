// An expression as a flat list of instructions over blocks of values: fast enough to try every
// float. Each instruction is a plain C++ loop, so that it is an oracle independent of
// ir/evaluate.h.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "ir/graph.h"

namespace loom::testing {

class FlatProgram {
 public:
  static constexpr size_t kBlock = 1024;

  /// `inputs` are the nodes whose values `run` takes (VARIABLEs of any dtype, say).
  FlatProgram(const Graph& graph, Id root, std::span<const Id> inputs);

  /// Where to put the values of input k, and where the result is after `run`: kBlock elements of
  /// the node's dtype (bools and 16-bit floats as uint8_t and uint16_t).
  template <class T>
  std::span<T, kBlock> input(size_t k) {
    return std::span<T, kBlock>(cells<T>(inputs_[k]), kBlock);
  }
  template <class T>
  std::span<const T, kBlock> output() {
    return std::span<const T, kBlock>(cells<T>(output_), kBlock);
  }
  void run();

  /// ALU operations, casts and bit casts: what one element costs.
  size_t instruction_count() const { return steps_.size(); }

 private:
  struct Step {
    Op op;
    Scalar scalar, operand;  // of the result; of its first source (a WHERE: of its second)
    size_t result;
    size_t src[3];
  };
  template <class T>
  T* cells(size_t slot) {
    return reinterpret_cast<T*>(memory_.data() + slot * kBlock);
  }
  void fill(size_t slot, const Graph& graph, Id constant);
  void execute(const Step& step);
  template <class T>
  void execute_alu(const Step& step);
  template <class From>
  void execute_cast(const Step& step);
  template <class From, class To>
  void convert(const Step& step);

  std::vector<uint64_t> memory_;  // 8 bytes for each element of each slot
  std::vector<Step> steps_;
  std::vector<size_t> inputs_;
  size_t output_ = 0;
};

}  // namespace loom::testing
