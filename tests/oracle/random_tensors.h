// Random graphs in tensor form: views, element-wise arithmetic, reductions, gathers, paddings and
// assignments over small int32 tensors, so that results can be compared exactly.
#pragma once
#include <algorithm>
#include <random>

#include "tests/oracle/memory.h"
#include "tests/oracle/tensor_form.h"

namespace loom::oracle {

struct RandomProgram {
  Graph graph = Graph();
  Id sink = 0;
  Memory memory{};  // all buffers, outputs too
};

class RandomTensors {
 public:
  explicit RandomTensors(uint64_t seed) : random(seed) {}

  /// A program of about `steps` operations. The same seed with fewer steps is a similar, smaller
  /// program.
  RandomProgram program(int steps) {
    out = RandomProgram{};
    tensors.clear();
    assigns_often = pick(0, 2) == 0;
    const int inputs = pick(1, 3);
    for (int k = 0; k < inputs; k++) add_input(k);
    for (int k = 0; k < steps; k++) add(step());
    std::vector<Id> roots{tensors.back()};
    for (int k = pick(0, 2); k > 0; k--) roots.push_back(any());
    out.sink = realize(g(), roots);
    for (const Id id : reachable(g(), out.sink)) {
      if (g().op(id) != Op::kBuffer || out.memory.contains(g().arg(id))) continue;
      out.memory[g().arg(id)] =
          Cells(static_cast<size_t>(g().arg(g().src(id, 0))), Value::of_int(-77));
    }
    return std::move(out);
  }

 private:
  static constexpr int64_t kMaxElements = 300;

  Graph& g() { return out.graph; }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  Id any() { return tensors[static_cast<size_t>(pick(0, static_cast<int>(tensors.size()) - 1))]; }
  // Mostly what was made last, so that programs get deep.
  Id recent() {
    const int back = std::min(pick(0, 3), static_cast<int>(tensors.size()) - 1);
    return tensors[tensors.size() - 1 - static_cast<size_t>(back)];
  }
  Dims dims(Id x) { return shape_values(g(), x); }
  void add(Id x) {
    if (x != 0 && product(dims(x)) <= kMaxElements) tensors.push_back(x);
  }

  void add_input(int64_t slot) {
    Dims shape;
    for (int k = pick(1, 3); k > 0; k--) shape.push_back(pick(1, 5));
    tensors.push_back(buffer(g(), kInt32, slot, shape));
    Cells& cells = out.memory[slot];
    for (int64_t k = 0; k < product(shape); k++) cells.push_back(Value::of_int(pick(-9, 9)));
  }

  Id step() {
    if (assigns_often && pick(0, 2) == 0) return random_assign();
    switch (pick(0, 15)) {
      case 0: return random_reshape(recent());
      case 1: return random_permute(recent());
      case 2: return random_expand(recent());
      case 3: return random_pad(recent());
      case 4: return random_shrink(recent());
      case 5: return random_flip(recent());
      case 6:
      case 7: return random_reduce(recent());
      case 8: return random_gather(recent());
      case 9: return random_assign();
      case 10: return contiguous(g(), recent());
      case 11: return random_counted();
      case 12: return random_where();
      default: return random_binary();
    }
  }

  Id random_reshape(Id x) {
    const int64_t total = product(dims(x));
    Dims shape;
    int64_t left = total;
    for (int k = pick(0, 2); k > 0 && left > 0; k--) {
      Dims divisors;
      for (int64_t d = 1; d <= left; d++) {
        if (left % d == 0) divisors.push_back(d);
      }
      shape.push_back(
          divisors[static_cast<size_t>(pick(0, static_cast<int>(divisors.size()) - 1))]);
      left /= shape.back();
    }
    shape.push_back(left);
    return reshape(g(), x, shape);
  }

  Id random_permute(Id x) {
    Dims order(dims(x).size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    return permute(g(), x, order);
  }

  Id random_flip(Id x) { return flip(g(), x, pick(0, (1 << dims(x).size()) - 1)); }

  Id random_expand(Id x) {
    Dims shape = dims(x);
    for (int64_t& dim : shape) {
      if (dim == 1) dim = pick(1, 4);
    }
    return expand(g(), x, shape);
  }

  Id random_pad(Id x) {
    Dims before, after;
    for (size_t axis = 0; axis < dims(x).size(); axis++) {
      before.push_back(pick(0, 2));
      after.push_back(pick(0, 2));
    }
    return pad(g(), x, before, after);
  }

  Id random_shrink(Id x) {
    Dims begin, size;
    for (const int64_t dim : dims(x)) {
      begin.push_back(dim == 0 ? 0 : pick(0, static_cast<int>(dim) - 1));
      const int64_t left = dim - begin.back();
      size.push_back(pick(left > 0 && pick(0, 30) > 0, static_cast<int>(left)));
    }
    return shrink(g(), x, begin, size);
  }

  Id random_reduce(Id x) {
    Dims axes;
    for (size_t axis = 0; axis < dims(x).size(); axis++) {
      if (pick(0, 1)) axes.push_back(static_cast<int64_t>(axis));
    }
    if (axes.empty()) return 0;
    constexpr Op kOps[] = {Op::kAdd, Op::kAdd, Op::kMax, Op::kMul};
    return reduce_axes(g(), kOps[pick(0, 3)], x, axes);
  }

  // Brings `y` to the shape of `x` by cutting, padding and repeating; 0 when the ranks differ.
  Id fitted(Id y, const Dims& shape) {
    if (dims(y).size() != shape.size()) return 0;
    Dims begin, size, before, after, target;
    for (size_t axis = 0; axis < shape.size(); axis++) {
      const int64_t have = dims(y)[axis], want = shape[axis];
      size.push_back(std::min(have, want));
      begin.push_back(pick(0, static_cast<int>(have - size.back())));
      const bool repeat = have == 1 && size.back() == 1;
      const int64_t missing = repeat ? 0 : want - size.back();
      before.push_back(pick(0, static_cast<int>(missing)));
      after.push_back(missing - before.back());
    }
    return expand(g(), pad(g(), shrink(g(), y, begin, size), before, after), shape);
  }

  Id random_binary() {
    const Id x = recent(), y = fitted(any(), dims(x));
    constexpr Op kOps[] = {Op::kAdd, Op::kMul, Op::kMax, Op::kSub, Op::kAdd};
    if (y == 0) return binary(g(), Op::kAdd, x, scalar(g(), kInt32, pick(-3, 3)));
    return binary(g(), kOps[pick(0, 4)], x, y);
  }

  Id random_where() {
    const Id x = recent(), y = fitted(recent(), dims(x)), c = fitted(any(), dims(x));
    if (y == 0 || c == 0) return 0;
    return where(g(), binary(g(), Op::kCmpLt, c, scalar(g(), kInt32, pick(-3, 3))), x, y);
  }

  // Something of a counted vector, as aranges are.
  Id random_counted() {
    const Id x = recent();
    Dims shape = dims(x);
    if (shape.empty() || shape.back() == 0) return 0;
    Dims ones(shape.size(), 1);
    ones.back() = shape.back();
    const Id counted = expand(g(), reshape(g(), iota(g(), shape.back()), ones), shape);
    return binary(g(), Op::kAdd, x, cast(g(), counted, kInt32));
  }

  Id random_gather(Id x) {
    const Dims shape = dims(x);
    if (shape.empty()) return 0;
    std::vector<Id> indices;
    const Id first = any();
    for (size_t axis = 0; axis < shape.size(); axis++) {
      Id index = axis == 0 ? first : fitted(any(), dims(first));
      if (index == 0) index = first;
      const int64_t size = std::max<int64_t>(shape[axis], 1);
      if (pick(0, 2)) index = binary(g(), Op::kMod, index, scalar(g(), kInt32, size));
      indices.push_back(index);
    }
    return gather(g(), x, indices);
  }

  // Stores into a view of an input and replaces the input by its new state.
  Id random_assign() {
    const auto which = static_cast<size_t>(pick(0, static_cast<int>(tensors.size()) - 1));
    Id memory = tensors[which];
    while (is_view(g().op(memory)) && g().op(memory) != Op::kPad && g().op(memory) != Op::kExpand) {
      memory = g().src(memory, 0);
    }
    if (g().op(memory) != Op::kBuffer && g().op(memory) != Op::kAfter) return 0;
    if (overwritten(memory)) return 0;
    const Id state = tensors[which];
    const Id target = pick(0, 1) ? random_shrink(state) : state;
    const Id value = fitted(pick(0, 1) ? state : any(), dims(target));
    if (value == 0 || product(dims(value)) == 0) return 0;
    const Id changed = binary(g(), Op::kAdd, value, scalar(g(), kInt32, pick(-2, 2)));
    return g().add(Op::kAfter, kInt32, {state, store_tensor(g(), target, changed)});
  }

  // Versions of a buffer form a line: only its latest one may be written over.
  bool overwritten(Id version) {
    for (Id id = version + 1; id < g().size(); id++) {
      if (g().op(id) != Op::kStore) continue;
      Id target = g().src(id, 0);
      while (g().op(target) != Op::kBuffer && g().op(target) != Op::kAfter)
        target = g().src(target, 0);
      if (target == version) return true;
    }
    return false;
  }

  std::mt19937_64 random;
  bool assigns_often = false;
  RandomProgram out;
  std::vector<Id> tensors;
};

}  // namespace loom::oracle
