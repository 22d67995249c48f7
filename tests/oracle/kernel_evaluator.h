// The meaning of schedule and kernel form: loops over ranges, one element at a time. Reads and
// writes out of bounds, and reads of what was never written, throw.
#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "ir/build.h"
#include "tests/oracle/memory.h"

namespace loom::oracle {

/// Runs one kernel body.
class KernelEvaluator {
 public:
  using Buffer = std::vector<std::optional<Value>>;

  KernelEvaluator(const Graph& graph, std::vector<Buffer*> params,
                  std::map<std::string, int64_t> bound)
      : g(graph), buffers(std::move(params)), variables(std::move(bound)) {}

  void run(Id sink) {
    for (const Id effect : reachable_effects(sink)) run_effect(effect);
  }

 private:
  struct Memo {
    std::vector<int64_t> at;  // the values of the ranges that the node depends on
    Value value;
  };

  std::vector<Id> reachable_effects(Id sink) const {
    return {g.src(sink).begin(), g.src(sink).end()};
  }

  void run_effect(Id effect) {
    memos.clear();
    if (g.op(effect) != Op::kEnd) return store_all(effect);
    loop(g.src(effect), 1, [&] { store_all(g.src(effect, 0)); });
  }

  template <class F>
  void loop(std::span<const Id> src, size_t k, F&& body) {
    if (k == src.size()) return body();
    const int64_t size = value(g.src(src[k], 0)).as_int();
    for (int64_t i = 0; i < size; i++) {
      range_values[src[k]] = i;
      loop(src, k + 1, body);
    }
    range_values.erase(src[k]);
  }

  // All values of a GROUP are known before the first of its stores.
  void store_all(Id effect) {
    const std::vector<Id> stores = g.op(effect) == Op::kGroup
                                       ? std::vector<Id>(g.src(effect).begin(), g.src(effect).end())
                                       : std::vector<Id>{effect};
    std::vector<Value> values;
    for (const Id store : stores) values.push_back(value(g.src(store, 1)));
    for (size_t k = 0; k < stores.size(); k++) {
      const Id address = g.src(stores[k], 0);
      if (is_open(address)) cell(address) = values[k];
    }
  }

  bool is_open(Id address) {
    return g.src(address).size() < 3 || value(g.src(address, 2)).as_int() != 0;
  }

  std::optional<Value>& cell(Id address) {
    Buffer& buffer = *buffers.at(static_cast<size_t>(g.arg(g.src(address, 0))));
    return buffer.at(static_cast<size_t>(value(g.src(address, 1)).as_int()));
  }

  Value value(Id id) {
    std::vector<int64_t> at;
    for (const Id range : g.ranges(id)) at.push_back(range_values.at(range));
    Memo& memo = memos[id];
    if (memo.at.size() == at.size() && memo.at == at && known.contains(id) && !at.empty())
      return memo.value;
    const Value result = compute(id);
    known[id] = true;
    memos[id] = {std::move(at), result};
    return result;
  }

  Value compute(Id id) {
    switch (g.op(id)) {
      case Op::kConst: return Value{g.arg(id)};
      case Op::kRange: return Value::of_int(range_values.at(id));
      case Op::kVariable: return Value::of_int(variables.at(std::string(g.text_of(g.arg(id)))));
      case Op::kLoad: return loaded(id);
      case Op::kReduce: return reduced(id);
      default: break;
    }
    if (!is_elementwise(g.op(id)))
      throw std::logic_error("not in kernel form: " + std::string(name(g.op(id))));
    std::vector<Value> values;
    for (const Id source : std::vector<Id>(g.src(id).begin(), g.src(id).end()))
      values.push_back(value(source));
    return evaluate(g.op(id), g.dtype(id), g.dtype(g.src(id, g.op(id) == Op::kWhere ? 1 : 0)),
                    values);
  }

  Value loaded(Id id) {
    const Id address = g.src(id, 0);
    if (!is_open(address)) return value(g.src(id, 1));
    const std::optional<Value>& found = cell(address);
    if (!found) throw std::logic_error("read before write");
    return *found;
  }

  Value reduced(Id id) {
    const Op op = static_cast<Op>(g.ints_of(g.arg(id))[0]);
    Graph scratch;
    Value sum{scratch.arg(identity_element(scratch, op, g.dtype(id)))};
    loop(g.src(id), 1, [&] {
      const Value pair[2] = {sum, value(g.src(id, 0))};
      sum = evaluate(op, g.dtype(id), g.dtype(id), pair);
    });
    return sum;
  }

  const Graph& g;
  std::vector<Buffer*> buffers;
  std::map<std::string, int64_t> variables;
  std::map<Id, int64_t> range_values;
  std::map<Id, Memo> memos;
  std::map<Id, bool> known;
};

/// Runs a LINEAR of CALLs on memory; BUFFERs that are not in `memory` start uninitialised.
inline Memory run_schedule(const Graph& g, Id linear, const Memory& memory) {
  std::map<int64_t, KernelEvaluator::Buffer> cells;
  for (const auto& [slot, values] : memory) cells[slot] = {values.begin(), values.end()};
  for (const Id call : std::vector<Id>(g.src(linear).begin(), g.src(linear).end())) {
    std::vector<KernelEvaluator::Buffer*> params;
    std::map<std::string, int64_t> bound;
    for (const Id arg : g.src(call).subspan(1)) {
      if (g.op(arg) == Op::kBuffer) {
        const int64_t size = g.arg(g.src(arg, 0));
        KernelEvaluator::Buffer& buffer = cells[g.arg(arg)];
        buffer.resize(static_cast<size_t>(size));
        params.push_back(&buffer);
      } else {
        bound[std::string(g.text_of(g.arg(g.src(arg, 0))))] = g.arg(g.src(arg, 1));
      }
    }
    const Id callee = g.src(call, 0);
    if (g.op(callee) == Op::kCopy) {
      *params.at(0) = *params.at(1);
    } else {
      KernelEvaluator(g, params, bound).run(g.src(callee, 0));
    }
  }
  Memory after;
  for (const auto& [slot, buffer] : cells) {
    Cells& values = after[slot];
    for (const std::optional<Value>& value : buffer)
      values.push_back(value.value_or(Value{INT64_MIN}));
  }
  return after;
}

}  // namespace loom::oracle
