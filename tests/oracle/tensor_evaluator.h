// The meaning of tensor form, element by element and as slow as it is plain: an oracle for whatever
// schedules, compiles or runs it. It shares no code with the scheduler.
#pragma once
#include <map>
#include <stdexcept>

#include "ir/build.h"
#include "tests/oracle/memory.h"

namespace loom::oracle {

struct Array {
  std::vector<int64_t> shape;
  Cells data;
};

class TensorEvaluator {
 public:
  TensorEvaluator(const Graph& graph, const Memory& before, std::map<Id, Value> bindings = {})
      : g(graph), memory(before), variables(std::move(bindings)) {}

  /// Memory after all stores below `sink`.
  Memory run(Id sink) {
    Memory after = memory;
    for (const Id id : reachable(g, sink)) {
      if (g.op(id) == Op::kStore) {
        const Id root = buffer_below(g.src(id, 0));
        content[id] = stored_into(content.at(version_below(g.src(id, 0))), id);
        after[g.arg(root)] = content[id];
      } else {
        visit(id);
      }
    }
    return after;
  }

 private:
  using Index = std::vector<int64_t>;

  // Walks all indices of a shape in row-major order.
  template <class F>
  static void each_index(const std::vector<int64_t>& shape, F&& f) {
    Index index(shape.size(), 0);
    for (const int64_t size : shape) {
      if (size == 0) return;
    }
    for (;;) {
      f(index);
      size_t axis = shape.size();
      while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
      if (axis == 0) return;
    }
  }

  static size_t position(const std::vector<int64_t>& shape, const Index& index) {
    int64_t flat = 0;
    for (size_t axis = 0; axis < shape.size(); axis++) {
      if (index[axis] < 0 || index[axis] >= shape[axis]) throw std::out_of_range("tensor oracle");
      flat = flat * shape[axis] + index[axis];
    }
    return static_cast<size_t>(flat);
  }

  void visit(Id id) {
    const Op op = g.op(id);
    if (op == Op::kBuffer) {
      content[id] = memory.at(g.arg(id));
      const auto size = static_cast<int64_t>(content[id].size());
      arrays[id] = {{size}, content[id]};
      for (int64_t k = 0; k < size; k++) places[id].data.push_back(Value::of_int(k));
      places[id].shape = {size};
    } else if (is_view(op)) {
      arrays[id] = viewed(id, arrays.at(g.src(id, 0)), constant_zero(id));
      if (places.contains(g.src(id, 0)))
        places[id] = viewed(id, places[g.src(id, 0)], Value::of_int(-1));
    } else if (op == Op::kAfter) {
      after(id);
    } else if (!g.dtype(id).is_void()) {
      arrays[id] = computed(id);
    }
  }

  Value constant_zero(Id id) const {
    return g.dtype(id).is_float() ? Value::of_float(0) : Value::of_int(0);
  }

  Array computed(Id id) {
    const Op op = g.op(id);
    switch (op) {
      case Op::kConst: return {{}, {Value{g.arg(id)}}};
      case Op::kVariable:
      case Op::kBind: return {{}, {variables.count(id) ? variables.at(id) : Value{}}};
      case Op::kRange: return counted(int_of(g.src(id, 0)));
      case Op::kReduce: return reduced(id);
      case Op::kIndex: return gathered(id);
      case Op::kContiguous:
      case Op::kCopy: return arrays.at(g.src(id, 0));
      default: return elementwise(id);
    }
  }

  static Array counted(int64_t size) {
    Array result{{size}, {}};
    for (int64_t k = 0; k < size; k++) result.data.push_back(Value::of_int(k));
    return result;
  }

  int64_t int_of(Id dim) const { return arrays.at(dim).data[0].as_int(); }

  std::vector<int64_t> ints_from(Id id, size_t first, size_t count) const {
    std::vector<int64_t> list;
    for (size_t k = 0; k < count; k++) list.push_back(int_of(g.src(id, first + k)));
    return list;
  }

  Array elementwise(Id id) const {
    Array result;
    for (const Id source : g.src(id)) {
      const Array& array = arrays.at(source);
      if (array.shape.size() >= result.shape.size()) result.shape = array.shape;
    }
    const size_t count = g.src(id).size();
    const DType operand = g.dtype(g.src(id, g.op(id) == Op::kWhere ? 1 : 0));
    size_t total = 1;
    for (const int64_t size : result.shape) total *= static_cast<size_t>(size);
    for (size_t k = 0; k < total; k++) {
      std::vector<Value> values;
      for (size_t s = 0; s < count; s++) {
        const Array& array = arrays.at(g.src(id, s));
        values.push_back(array.data[array.shape.empty() ? 0 : k]);
      }
      result.data.push_back(evaluate(g.op(id), g.dtype(id), operand, values));
    }
    return result;
  }

  Array reduced(Id id) const {
    const Array& x = arrays.at(g.src(id, 0));
    const auto arg = g.ints_of(g.arg(id));
    const Op op = static_cast<Op>(arg[0]);
    Array result{x.shape, {}};
    for (const int64_t axis : arg.subspan(1)) result.shape[static_cast<size_t>(axis)] = 1;
    size_t total = 1;
    for (const int64_t size : result.shape) total *= static_cast<size_t>(size);
    result.data.assign(total, identity(op, g.dtype(id)));
    each_index(x.shape, [&](const Index& index) {
      Index kept = index;
      for (const int64_t axis : arg.subspan(1)) kept[static_cast<size_t>(axis)] = 0;
      Value& sum = result.data[position(result.shape, kept)];
      const Value pair[2] = {sum, x.data[position(x.shape, index)]};
      sum = evaluate(op, g.dtype(id), g.dtype(id), pair);
    });
    return result;
  }

  static Value identity(Op op, DType dtype) {
    Graph scratch;
    return Value{scratch.arg(identity_element(scratch, op, dtype))};
  }

  Array gathered(Id id) const {
    const Array& x = arrays.at(g.src(id, 0));
    Array result{arrays.at(g.src(id, 1)).shape, {}};
    const size_t total = arrays.at(g.src(id, 1)).data.size();
    for (size_t k = 0; k < total; k++) {
      Index index;
      bool inside = true;
      for (size_t axis = 0; axis < x.shape.size(); axis++) {
        index.push_back(arrays.at(g.src(id, axis + 1)).data[k].as_int());
        inside &= index[axis] >= 0 && index[axis] < x.shape[axis];
      }
      result.data.push_back(inside ? x.data[position(x.shape, index)] : constant_zero(id));
    }
    return result;
  }

  // The view `id` of `x`; where a PAD shows nothing, `outside`.
  Array viewed(Id id, const Array& x, Value outside) const {
    const size_t rank = x.shape.size();
    Array result;
    std::vector<int64_t> offset(rank, 0);  // of an index of x below the view's
    switch (g.op(id)) {
      case Op::kReshape: return {ints_from(id, 1, g.src(id).size() - 1), x.data};
      case Op::kPermute: return permuted(id, x);
      case Op::kExpand: result.shape = ints_from(id, 1, rank); break;
      case Op::kShrink:
        offset = ints_from(id, 1, rank);
        result.shape = ints_from(id, 1 + rank, rank);
        break;
      case Op::kPad: {
        const std::vector<int64_t> before = ints_from(id, 1, rank),
                                   behind = ints_from(id, 1 + rank, rank);
        for (size_t axis = 0; axis < rank; axis++) {
          offset[axis] = -before[axis];
          result.shape.push_back(before[axis] + x.shape[axis] + behind[axis]);
        }
        break;
      }
      default: result.shape = x.shape;  // FLIP
    }
    each_index(result.shape, [&](const Index& at) {
      Index index(rank);
      bool inside = true;
      for (size_t axis = 0; axis < rank; axis++) {
        index[axis] = at[axis] + offset[axis];
        if (g.op(id) == Op::kFlip && (g.arg(id) >> axis & 1))
          index[axis] = x.shape[axis] - 1 - at[axis];
        if (g.op(id) == Op::kExpand && x.shape[axis] == 1) index[axis] = 0;
        inside &= index[axis] >= 0 && index[axis] < x.shape[axis];
      }
      result.data.push_back(inside ? x.data[position(x.shape, index)] : outside);
    });
    return result;
  }

  Array permuted(Id id, const Array& x) const {
    const auto order = g.ints_of(g.arg(id));
    Array result;
    for (const int64_t axis : order) result.shape.push_back(x.shape[static_cast<size_t>(axis)]);
    each_index(result.shape, [&](const Index& at) {
      Index index(at.size());
      for (size_t axis = 0; axis < at.size(); axis++)
        index[static_cast<size_t>(order[axis])] = at[axis];
      result.data.push_back(x.data[position(x.shape, index)]);
    });
    return result;
  }

  // --- Memory and its versions: a BUFFER's content before, and after each AFTER. ---

  Id version_below(Id id) const {
    while (g.op(id) != Op::kBuffer && g.op(id) != Op::kAfter) id = g.src(id, 0);
    return id;
  }

  Id buffer_below(Id id) const {
    while (g.op(id) != Op::kBuffer) id = g.src(id, 0);
    return id;
  }

  Cells stored_into(Cells cells, Id store) const {
    const Array &where = places.at(g.src(store, 0)), &what = arrays.at(g.src(store, 1));
    for (size_t k = 0; k < where.data.size(); k++) {
      cells[static_cast<size_t>(where.data[k].as_int())] = what.data[what.shape.empty() ? 0 : k];
    }
    return cells;
  }

  void after(Id id) {
    const Id state = g.src(id, 0);
    Cells cells = content.at(version_below(state));
    for (const Id effect : g.src(id).subspan(1)) cells = stored_into(std::move(cells), effect);
    places[id] = places.at(state);
    Array result{arrays.at(state).shape, {}};
    for (const Value place : places[id].data) {
      result.data.push_back(cells[static_cast<size_t>(place.as_int())]);
    }
    arrays[id] = std::move(result);
    content[id] = std::move(cells);
  }

  const Graph& g;
  const Memory& memory;
  std::map<Id, Value> variables;
  std::map<Id, Array> arrays;
  std::map<Id, Array> places;   // of views of memory: the flat position of each element
  std::map<Id, Cells> content;  // of BUFFER, AFTER and STORE: the whole buffer then
};

}  // namespace loom::oracle
