// What the scheduler wants to know about each node of a tensor graph before it decides anything:
// one ascending sweep over the nodes below the sink.
#pragma once
#include <vector>

#include "ir/graph.h"

namespace loom {

/// What an element costs when it is computed where it is used, in units of a vectorised addition.
/// The staging rules compare sums of these.
double cost_of(Op op);

/// What it takes to compute a value where it is used, down to the memory that is read for it.
struct Work {
  double cost = 0;     // of element-wise operations, per element
  double reduced = 0;  // elements of the largest REDUCE below
  double domain = 0;   // elements which that REDUCE reads
  Id contraction = 0;  // the REDUCE with data reuse whose elements this value has, one to one
};

struct Facts {
  double elements = 1;  // of the value; symbolic dimensions count with their upper bound
  Work work{};
  Id device = 0;  // where its data lives; 0: it has none
  Id memory = 0,
     version = 0;          // of a view of memory: the BUFFER, and the BUFFER or AFTER nearest to it
  Id below = 0;            // of an AFTER: the first source that is not itself an AFTER
  uint32_t consumers = 0;  // uses as a source
  bool live = false;       // below the sink
  bool uniform = false;    // the same value everywhere, known without memory
  bool dense = false;      // some source has as many elements as the value: it streams memory
  bool empty = false;      // has no elements
  bool split = false;      // gets a buffer, so that a kernel has one contraction at most
};

/// Facts of the nodes below `sink`, by id.
std::vector<Facts> survey(const Graph& g, Id sink);

/// REDUCE in tensor form.
inline Op reduce_op(const Graph& g, Id reduce) {
  return static_cast<Op>(g.ints_of(g.arg(reduce))[0]);
}
inline std::span<const int64_t> reduce_axes(const Graph& g, Id reduce) {
  return g.ints_of(g.arg(reduce)).subspan(1);
}

/// Does a node of this op compute something that a buffer could keep?
inline bool is_computed(Op op) {
  return is_elementwise(op) || op == Op::kReduce || op == Op::kIndex || op == Op::kCopy ||
         op == Op::kContiguous;
}

/// `id`, or what it is a RESHAPE of: the same elements in the same order.
Id without_reshapes(const Graph& g, Id id);

}  // namespace loom
