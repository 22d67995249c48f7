// Random kernel bodies: affine, padded, flipped, divided and data-dependent addresses, nested and
// repeated reductions, several stores, values read and overwritten in place. All on small integers,
// so that results are exact.
#pragma once
#include <algorithm>
#include <random>

#include "tests/codegen/kernels.h"

namespace loom::testing {

class RandomKernel {
 public:
  RandomKernel(Graph& graph, uint64_t seed) : g(graph), k(graph), random(seed) {}

  Id sink() {
    for (int n = pick(1, 3); n > 0; n--) outputs.push_back(k.loop(size()));
    for (int n = pick(0, 2); n > 0; n--) reduced.push_back(k.reduced(size()));
    std::vector<Id> effects;
    for (int n = pick(1, 2); n > 0; n--) effects.push_back(store());
    return k.sink(effects);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  int64_t size() {
    constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 20, 32};
    return kSizes[pick(0, 12)];
  }
  int64_t size_of(Id range) { return int_value(g, g.src(range, 0)); }

  Id store() {
    std::vector<Id> order = outputs;
    if (pick(0, 3) == 0) std::ranges::shuffle(order, random);
    int64_t elements = 1;
    Id at = index_const(g, 0);
    for (Id range : order) {
      at = add(g, mul(g, at, index_const(g, size_of(range))), range);
      elements *= size_of(range);
    }
    const Id target = k.buffer(kInt32, elements);
    open = outputs;
    Id result = value(4);
    if (pick(0, 3) == 0) result = add(g, result, k.read(target, at));
    return k.write(target, at, result, outputs);
  }

  Id value(int depth) {
    switch (depth == 0 ? pick(0, 2) : pick(0, 10)) {
      case 0: return constant(g, kInt32, pick(-3, 3));
      case 1: return cast(g, number(), kInt32);
      case 2:
      case 3: return read();
      case 4:
      case 5: return reduction(depth - 1);
      default: return combination(depth - 1);
    }
  }

  Id combination(int depth) {
    const Id x = value(depth), y = value(depth);  // in this order, whatever the compiler
    switch (pick(0, 4)) {
      case 0: return binary(g, Op::kMul, x, y);
      case 1: return binary(g, Op::kMax, x, y);
      case 2: return binary(g, Op::kSub, x, y);
      case 3: return where(g, condition(), x, y);
      default: return add(g, x, y);
    }
  }

  Id reduction(int depth) {
    std::vector<Id> over;
    for (Id range : reduced) {
      if (std::ranges::find(open, range) == open.end() && pick(0, 2) > 0) over.push_back(range);
    }
    if (over.empty()) return value(depth);
    open.insert(open.end(), over.begin(), over.end());
    const Id term = value(depth);
    open.resize(open.size() - over.size());
    constexpr Op kOps[] = {Op::kAdd, Op::kAdd, Op::kMax, Op::kMul};
    return reduce(g, kOps[pick(0, 3)], term, over);
  }

  Id condition() {
    const Id limit = index_const(g, pick(1, 8));
    return binary(g, Op::kCmpLt, number(), limit);
  }

  /// An index value of at most a few ranges.
  Id number() {
    const Id range = open[pick(0, static_cast<int>(open.size()) - 1)];
    switch (pick(0, 5)) {
      case 0: return binary(g, Op::kIDiv, range, index_const(g, pick(2, 4)));
      case 1: return binary(g, Op::kMod, range, index_const(g, pick(2, 4)));
      case 2: return binary(g, Op::kSub, index_const(g, size_of(range) - 1), range);
      default: return range;
    }
  }

  Id read() {
    std::vector<Id> order = open;
    if (pick(0, 2) == 0) std::ranges::shuffle(order, random);
    order.resize(pick(0, static_cast<int>(std::min<size_t>(order.size(), 3))));
    Id at = index_const(g, 0), gate = 0;
    int64_t elements = 1;
    for (Id range : order) {
      const Id moved = pick(0, 4) == 0 ? shifted(range, gate) : maybe_flipped(range);
      at = add(g, mul(g, at, index_const(g, size_of(range))), moved);
      elements *= size_of(range);
    }
    if (pick(0, 5) == 0) return gathered();
    const Id buffer = k.buffer(kInt32, elements);
    return gate == 0 ? k.read(buffer, at)
                     : load(g, index(g, buffer, at, gate), constant(g, kInt32, pick(0, 2)));
  }

  Id maybe_flipped(Id range) {
    return pick(0, 5) == 0 ? binary(g, Op::kSub, index_const(g, size_of(range) - 1), range) : range;
  }

  /// range + shift, and the gate that says when that is still inside.
  Id shifted(Id range, Id& gate) {
    const Id moved = add(g, range, index_const(g, pick(-2, 2)));
    const Id inside = k.between(moved, 0, size_of(range));
    gate = gate == 0 ? inside : logical_and(g, gate, inside);
    return moved;
  }

  /// table[index[number]], zero where that is outside.
  Id gathered() {
    const Id numbers = k.buffer(kInt32, 64), table = k.buffer(kInt32, 5);
    const Id at = cast(g, k.read(numbers, number()), kIndex);
    return k.read(table, at, k.between(at, 0, 5));
  }

  Graph& g;
  KernelBuilder k;
  std::mt19937_64 random;
  std::vector<Id> outputs, reduced, open;
};

}  // namespace loom::testing
