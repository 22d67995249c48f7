// Runs a linear program, lane by lane: the meaning of the list that codegen makes, with nothing
// clever in it.
#pragma once
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "ir/build.h"
#include "tests/oracle/memory.h"

namespace loom::oracle {

class LinearRunner {
 public:
  using Variables = std::map<std::string, int64_t>;

  LinearRunner(const Graph& g, Memory& memory, const Variables& variables, int64_t thread)
      : g_(g), memory_(memory), variables_(variables), thread_(thread) {}

  void run(Id linear) {
    const std::vector<Id> list(g_.src(linear).begin(), g_.src(linear).end());
    std::vector<size_t> open;  // places of the RANGEs whose bodies we are in
    for (size_t place = 0; place < list.size(); place++) {
      const Id id = list[place];
      if (g_.op(id) == Op::kRange) {
        values_[id] = {Value::of_int(0)};
        open.push_back(place);
        if (lane(g_.src(id, 0), 0).as_int() < 1) throw std::runtime_error("an empty loop");
      } else if (g_.op(id) == Op::kEnd) {
        const Id range = g_.src(id, 1);
        if (list[open.back()] != range)
          throw std::runtime_error("END closes a loop that is not the innermost");
        const int64_t next = lane(range, 0).as_int() + 1;
        values_[range] = {Value::of_int(next)};
        if (next < lane(g_.src(range, 0), 0).as_int()) {
          place = open.back();
        } else {
          open.pop_back();
        }
      } else {
        step(id);
      }
    }
    if (!open.empty()) throw std::runtime_error("a loop is left open");
  }

 private:
  Id settled(Id id) const {
    while (g_.op(id) == Op::kAfter) id = g_.src(id, 0);
    return id;
  }

  /// One lane of a value; a scalar has the same in all of them.
  Value lane(Id id, int k) const {
    const std::vector<Value>& lanes = values_.at(settled(id));
    return lanes.size() == 1 ? lanes[0] : lanes.at(k);
  }

  void step(Id id) {
    const Op op = g_.op(id);
    if (op == Op::kParam || op == Op::kIndex) return;
    if (op == Op::kDefineReg) {
      registers_[id];
    } else if (op == Op::kDefineLocal) {
      locals_[id].resize(lane(g_.src(id, 0), 0).as_int());
    } else if (op == Op::kStore) {
      store(id);
    } else {
      std::vector<Value> lanes;
      for (int k = 0; k < g_.dtype(id).lanes; k++) lanes.push_back(compute(id, k));
      values_[id] = std::move(lanes);
    }
  }

  Value compute(Id id, int k) {
    const std::span<const Id> src = g_.src(id);
    switch (g_.op(id)) {
      case Op::kConst: return {g_.arg(id)};
      case Op::kLanes: return Value::of_int(k);
      case Op::kSpecial: return Value::of_int(thread_);
      case Op::kVariable: return Value::of_int(variables_.at(std::string(g_.text_of(g_.arg(id)))));
      case Op::kVectorize: return src.size() == 1 ? lane(src[0], 0) : lane(src[k], 0);
      case Op::kLane: return lane(src[0], static_cast<int>(g_.arg(id)));
      case Op::kLoad: return load(id, k);
      default: break;
    }
    Value operands[3];
    for (size_t n = 0; n < src.size(); n++) operands[n] = lane(src[n], k);
    const DType operand = g_.dtype(g_.op(id) == Op::kWhere ? src[1] : src[0]).element();
    return evaluate(g_.op(id), g_.dtype(id).element(), operand, std::span(operands, src.size()));
  }

  Value load(Id id, int k) {
    const Id index = g_.src(id, 0);
    if (!is_on(index, k)) return lane(g_.src(id, 1), k);
    const Id buffer = settled(g_.src(index, 0));
    if (g_.op(buffer) == Op::kDefineReg) return registers_.at(buffer).at(k);
    if (g_.op(buffer) == Op::kDefineLocal)  // what nobody has stored has no value
      return locals_.at(buffer).at(element(index, k)).value();
    return memory_.at(g_.arg(buffer)).at(element(index, k));
  }

  void store(Id id) {
    const Id index = g_.src(id, 0), value = g_.src(id, 1), buffer = settled(g_.src(index, 0));
    const int lanes = std::max(g_.dtype(value).lanes, g_.dtype(g_.src(index, 1)).lanes);
    for (int k = 0; k < lanes; k++) {
      if (!is_on(index, k)) continue;
      if (g_.op(buffer) == Op::kDefineReg) {
        registers_[buffer].resize(lanes);
        registers_[buffer][k] = lane(value, k);
      } else if (g_.op(buffer) == Op::kDefineLocal) {
        locals_.at(buffer).at(element(index, k)) = lane(value, k);
      } else {
        memory_.at(g_.arg(buffer)).at(element(index, k)) = lane(value, k);
      }
    }
  }

  bool is_on(Id index, int k) const {
    return g_.src(index).size() < 3 || lane(g_.src(index, 2), k).as_int() != 0;
  }

  int64_t element(Id index, int k) const {
    const Id offset = g_.src(index, 1);
    return g_.dtype(offset).lanes > 1 ? lane(offset, k).as_int() : lane(offset, 0).as_int() + k;
  }

  const Graph& g_;
  Memory& memory_;
  const Variables& variables_;
  int64_t thread_;
  std::unordered_map<Id, std::vector<Value>> values_;
  std::unordered_map<Id, std::vector<Value>> registers_;
  std::unordered_map<Id, std::vector<std::optional<Value>>> locals_;
};

/// All threads, one after the other.
inline void run_linear(const Graph& g, Id linear, int64_t threads, Memory& memory,
                       const LinearRunner::Variables& variables = {}) {
  for (int64_t thread = 0; thread < threads; thread++)
    LinearRunner(g, memory, variables, thread).run(linear);
}

}  // namespace loom::oracle
