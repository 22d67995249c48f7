// The parts of building replacements that need no templates.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "ir/evaluate.h"
#include "rewrite/match.h"

namespace loom::pattern {

using SourceList = std::vector<Id>;

/// The CONST that `id` is, or that it is a broadcast of; 0 for other nodes.
inline Id scalar_constant(const Graph& g, Id id) {
  const Node& node = g[id];
  if (node.op == Op::kConst) [[likely]]
    return id;
  const bool is_broadcast =
      node.op == Op::kVectorize && node.src_count == 1 && g.op(node.src[0]) == Op::kConst;
  return is_broadcast ? node.src[0] : 0;
}

/// The number as a value of `dtype`.
Value constant_value(DType dtype, int64_t number);
Value constant_value(DType dtype, double number);
inline Value constant_value(DType dtype, int number) {
  return constant_value(dtype, int64_t{number});
}
inline Value constant_value(DType dtype, bool value) {
  return constant_value(dtype, int64_t{value});
}

/// A CONST with this value, in as many lanes as `dtype` has.
Id constant_of(Graph& g, DType dtype, Value value);

/// A node that is no ALU operation. Its dtype is the one wanted where the op does not say it; its
/// argument is that of the matched root, which then must have the same op.
Id build_node(const Match& m, Op op, DType wanted, std::span<const Id> src);

/// A node with the op and argument of `model`.
Id build_like(Graph& g, Id model, std::span<const Id> src);

template <class P>
void append_source(Match& m, DType dtype, SourceList& src) {
  if constexpr (RestCapture<P>) {
    for (Id id : m[P{}]) src.push_back(id);
  } else {
    src.push_back(P::build(m, dtype));
  }
}

}  // namespace loom::pattern
