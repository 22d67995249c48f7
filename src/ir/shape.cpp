#include <algorithm>

#include "base/error.h"
#include "ir/build.h"
#include "ir/properties.h"

namespace loom {
namespace {

bool has_constant_dims(const Graph& graph, std::span<const Id> dims) {
  return std::ranges::all_of(dims, [&](Id dim) { return is_const(graph, dim); });
}

// Number of elements modulo 2^64, which is enough to tell whether two shapes can hold the same
// elements.
uint64_t element_count(const Graph& graph, std::span<const Id> dims) {
  uint64_t count = 1;
  for (Id dim : dims) count *= static_cast<uint64_t>(int_value(graph, dim));
  return count;
}

// Index-typed node for the sum of the terms, with the constants among them folded. `make(op,
// sources, arg)` finds or adds a node.
template <class Make>
Id sum(const Graph& graph, std::initializer_list<Id> terms, const Make& make) {
  uint64_t constant = 0;
  Id symbolic = 0;
  for (Id term : terms) {
    if (is_const(graph, term)) {
      constant += static_cast<uint64_t>(int_value(graph, term));
    } else {
      symbolic = symbolic == 0 ? term : make(Op::kAdd, std::vector{symbolic, term}, 0);
    }
  }
  if (symbolic != 0 && constant == 0) return symbolic;
  const Id number = make(Op::kConst, std::vector<Id>{}, static_cast<int64_t>(constant));
  return symbolic == 0 ? number : make(Op::kAdd, std::vector{symbolic, number}, 0);
}

// The rules below write the dimensions of a node to `dims` and return what is wrong, or nullptr.
struct ShapeRule {
  const Graph& graph;
  std::span<const Id> src;
  int64_t arg;
  std::span<const Id> input;  // shape of the first source
  std::vector<Id> dims{};

  const char* reshape() {
    const std::span<const Id> target = src.subspan(1);
    dims.assign(target.begin(), target.end());
    const bool is_known = has_constant_dims(graph, input) && has_constant_dims(graph, dims);
    if (!is_known || element_count(graph, input) == element_count(graph, dims)) return nullptr;
    return "the number of elements changes";
  }

  const char* expand() {
    if (src.size() != input.size() + 1) return "the number of axes changes";
    for (size_t axis = 0; axis < input.size(); axis++) {
      const Id dim = src[axis + 1];
      if (dim != input[axis] && !is_const_value(graph, input[axis], 1))
        return "an axis that is not 1 changes";
      dims.push_back(dim);
    }
    return nullptr;
  }

  const char* permute() {
    const std::span<const int64_t> order = graph.ints_of(arg);
    if (order.size() != input.size()) return "the order has another number of axes";
    std::vector<bool> seen(input.size());
    for (int64_t axis : order) {
      if (axis < 0 || axis >= static_cast<int64_t>(input.size()) || seen[axis])
        return "the order is no permutation";
      seen[axis] = true;
      dims.push_back(input[axis]);
    }
    return nullptr;
  }

  template <class Make>
  const char* pad(const Make& make) {
    const size_t rank = input.size();
    if (src.size() != 2 * rank + 1) return "it takes two numbers for each axis";
    for (size_t axis = 0; axis < rank; axis++) {
      dims.push_back(sum(graph, {src[1 + axis], input[axis], src[1 + rank + axis]}, make));
    }
    return nullptr;
  }

  const char* shrink() {
    const size_t rank = input.size();
    if (src.size() != 2 * rank + 1) return "it takes two numbers for each axis";
    dims.assign(src.end() - static_cast<std::ptrdiff_t>(rank), src.end());
    return nullptr;
  }

  const char* flip() {
    dims.assign(input.begin(), input.end());
    const bool fits = arg >= 0 && (input.size() >= 63 || arg < int64_t{1} << input.size());
    return fits ? nullptr : "the mask names an axis that is not there";
  }

  template <class Make>
  const char* reduce(const Make& make) {
    dims.assign(input.begin(), input.end());
    const std::span<const int64_t> op_and_axes = graph.ints_of(arg);
    if (op_and_axes.empty()) return "it does not say which op reduces";
    for (int64_t axis : op_and_axes.subspan(1)) {
      if (axis < 0 || axis >= static_cast<int64_t>(dims.size()))
        return "it reduces an axis that is not there";
      dims[axis] = make(Op::kConst, std::vector<Id>{}, 1);
    }
    return nullptr;
  }
};

// "(3, 4, %17)": symbolic dimensions by their id.
std::string shape_text(const Graph& graph, std::span<const Id> dims) {
  std::vector<std::string> parts;
  for (Id dim : dims)
    parts.push_back(is_const(graph, dim) ? str(int_value(graph, dim)) : str("%", dim));
  return str(parts);
}

bool is_tensor_reduce(Op op, std::span<const Id> src) {
  return op == Op::kReduce && src.size() == 1;
}

template <class Make>
const char* apply(ShapeRule& rule, Op op, const Make& make) {
  switch (op) {
    case Op::kReshape: return rule.reshape();
    case Op::kExpand: return rule.expand();
    case Op::kPermute: return rule.permute();
    case Op::kPad: return rule.pad(make);
    case Op::kShrink: return rule.shrink();
    case Op::kFlip: return rule.flip();
    default: return rule.reduce(make);
  }
}

}  // namespace

void Shapes::add_dimensions(Graph& graph, Op op, std::span<const Id> src, int64_t arg) {
  if (op == Op::kReduce && !is_tensor_reduce(op, src)) return;
  const std::vector<Id> sources(src.begin(),
                                src.end());  // src may point into the graph that grows here
  if (sources.empty() || handle_of(graph, sources[0]) == kBroken) return;
  ShapeRule rule{graph, sources, arg, pool_[handles_[sources[0]]]};
  apply(rule, op, [&](Op part, const std::vector<Id>& parts, int64_t value) {
    return graph.add(part, kIndex, parts, value);
  });
}

std::span<const Id> Shapes::of(const Graph& graph, Id id) {
  if (handle_of(graph, id) == kBroken) throw_problem(graph, id);
  return pool_[handles_[id]];
}

Shapes::Handle Shapes::handle_of(const Graph& graph, Id id) {
  while (handles_.size() <= id)
    handles_.push_back(compute(graph, static_cast<Id>(handles_.size()), nullptr));
  return handles_[id];
}

Shapes::Handle Shapes::compute(const Graph& graph, Id id, const char** problem) {
  const Op op = graph.op(id);
  const std::span<const Id> src = graph.src(id);
  if (is_elementwise(op)) return common_shape(src, problem);
  switch (op) {
    case Op::kBuffer:
    case Op::kParam:
    case Op::kDefineLocal:
    case Op::kDefineReg:
    case Op::kRange: return pool_.intern(src.first(1));
    case Op::kContiguous:
    case Op::kCopy:
    case Op::kAfter: return handles_[src[0]];
    case Op::kIndex: return src.size() > 1 ? handles_[src[1]] : 0;
    case Op::kGetTuple: return tuple_element(graph, id, problem);
    case Op::kReshape:
    case Op::kPermute:
    case Op::kExpand:
    case Op::kPad:
    case Op::kShrink:
    case Op::kFlip: return rule_shape(graph, id, problem);
    case Op::kReduce: return is_tensor_reduce(op, src) ? rule_shape(graph, id, problem) : 0;
    default: return 0;
  }
}

Shapes::Handle Shapes::common_shape(std::span<const Id> src, const char** problem) {
  Handle shape = 0;
  for (Id source : src) {
    const Handle other = handles_[source];
    if (other == 0 || other == shape) continue;
    if (shape != 0 || other == kBroken) {
      if (problem != nullptr) *problem = "the shapes of the sources differ";
      return kBroken;
    }
    shape = other;
  }
  return shape;
}

Shapes::Handle Shapes::tuple_element(const Graph& graph, Id id, const char** problem) {
  const Id tuple = graph.src(id, 0);
  if (graph.op(tuple) != Op::kTuple) return 0;
  const std::span<const Id> elements = graph.src(tuple);
  const int64_t position = graph.arg(id);
  if (position >= 0 && position < static_cast<int64_t>(elements.size()))
    return handles_[elements[position]];
  if (problem != nullptr) *problem = "the tuple has no such element";
  return kBroken;
}

Shapes::Handle Shapes::rule_shape(const Graph& graph, Id id, const char** problem) {
  const Node& node = graph[id];
  const std::span<const Id> src = graph.src(id);
  if (src.empty() || handles_[src[0]] == kBroken) return kBroken;
  ShapeRule rule{graph, src, node.arg, pool_[handles_[src[0]]]};
  const char* wrong =
      apply(rule, node.op, [&](Op part, const std::vector<Id>& parts, int64_t value) {
        return graph.find(part, kIndex, parts, value);
      });
  if (wrong == nullptr) return pool_.intern(rule.dims);
  if (problem != nullptr) *problem = wrong;
  return kBroken;
}

void Shapes::throw_problem(const Graph& graph, Id id) {
  // The shape that went wrong first is the one to talk about.
  for (Id deeper = id; deeper != 0;) {
    id = deeper;
    const std::span<const Id> src = graph.src(id);
    const auto broken =
        std::ranges::find_if(src, [&](Id source) { return handles_[source] == kBroken; });
    deeper = broken == src.end() ? 0 : *broken;
  }
  const char* problem = "its shape is unknown";
  compute(graph, id, &problem);
  std::string shapes;
  for (Id source : graph.src(id)) {
    shapes += str(shapes.empty() ? "" : ", ", "%", source, " ",
                  shape_text(graph, pool_[handles_[source]]));
  }
  fail<InternalError>(name(graph.op(id)), " %", id, ": ", problem, "; sources: ", shapes);
}

}  // namespace loom
