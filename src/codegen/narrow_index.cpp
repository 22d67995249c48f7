#include "codegen/narrow_index.h"

#include <algorithm>
#include <vector>

#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {
namespace {

class Narrower {
 public:
  Narrower(Graph& g, Id sink) : g_(g), sink_(sink), copies_(sink + 1) {}

  Id run() {
    for (Id id : reachable(g_, sink_)) copies_[id] = rewrite(id);
    return copies_[sink_];
  }

 private:
  bool is_index(Id id) const { return g_.dtype(id).scalar == Scalar::kIndex; }
  bool fits(Id id) const { return g_.bounds(id).within(kInt32.min_value(), kInt32.max_value()); }

  /// The type that the node's index values are computed in.
  DType machine_type(Id id) const {
    const auto is_wide = [&](Id source) { return is_index(source) && !fits(source); };
    const bool is_vector = g_.dtype(id).lanes > 1;
    if (!is_vector || (is_index(id) && !fits(id))) return kInt64;
    return std::ranges::any_of(g_.src(id), is_wide) ? kInt64 : kInt32;
  }

  Id rewrite(Id id) {
    const Node node = g_[id];
    if (node.op == Op::kConst && is_index(id)) return constant(g_, kInt64, int_value(g_, id));
    const DType machine = machine_type(id);
    std::vector<Id> src(g_.src(id).begin(), g_.src(id).end());
    for (Id& source : src) {
      const bool joins = is_index(source) && (is_elementwise(node.op) || node.op == Op::kVectorize);
      source =
          joins && node.op != Op::kCast ? converted(copies_[source], machine) : copies_[source];
    }
    if (!is_index(id)) return g_.add(node.op, node.dtype(), src, node.arg);
    if (node.op == Op::kCast) return converted(src[0], machine);
    if (node.op != Op::kLane) return g_.add(node.op, machine.vec(node.lanes), src, node.arg);
    return converted(g_.add(node.op, g_.dtype(src[0]).element(), src, node.arg), machine);
  }

  Id converted(Id value, DType machine) {
    if (g_.dtype(value).scalar == machine.scalar) return value;
    return is_const(g_, value) ? constant(g_, machine, int_value(g_, value))
                               : cast(g_, value, machine);
  }

  Graph& g_;
  Id sink_;
  std::vector<Id> copies_;
};

}  // namespace

Id narrow_index(Graph& g, Id sink) { return Narrower(g, sink).run(); }

}  // namespace loom
