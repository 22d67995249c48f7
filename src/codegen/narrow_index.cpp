#include "codegen/narrow_index.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {
namespace {

class Narrower {
 public:
  Narrower(Graph& g, Id sink)
      : g_(g), sink_(sink), nodes_(reachable(g, sink)), is_exact_(sink + 1), copies_(sink + 1) {}

  Id run() {
    for (Id id : std::views::reverse(nodes_)) ask_sources(id);
    for (Id id : nodes_) copies_[id] = rewrite(id);
    return copies_[sink_];
  }

 private:
  bool is_index(Id id) const { return g_.dtype(id).scalar == Scalar::kIndex; }
  bool fits(Id id) const { return g_.bounds(id).within(kInt32.min_value(), kInt32.max_value()); }
  bool all_fit(Id id) const {
    return std::ranges::all_of(g_.src(id),
                               [&](Id source) { return !is_index(source) || fits(source); });
  }

  /// Do the low bits of its result depend on nothing but the low bits of its operands?
  bool keeps_low_bits(Id id) const {
    switch (g_.op(id)) {
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kNeg:
      case Op::kWhere:
      case Op::kVectorize: return is_index(id);
      case Op::kCast: return is_index(id) && !g_.dtype(g_.src(id, 0)).is_float();
      default: return false;
    }
  }

  /// The type that an operation computes its index values in.
  DType machine_type(Id id) const {
    if (g_.dtype(id).lanes == 1) return kInt64;
    if (keeps_low_bits(id)) return !is_exact_[id] || fits(id) ? kInt32 : kInt64;
    return (!is_index(id) || fits(id)) && all_fit(id) ? kInt32 : kInt64;
  }

  /// Notes of which sources the node needs the exact value. Users come first.
  void ask_sources(Id id) {
    const std::span<const Id> src = g_.src(id);
    for (size_t k = 0; k < src.size(); k++) {
      if (is_index(src[k]) && !is_content_with_low_bits(id, k)) is_exact_[src[k]] = true;
    }
  }

  bool is_content_with_low_bits(Id id, size_t k) const {
    if (g_.op(id) != Op::kIndex) return keeps_low_bits(id) && machine_type(id) == kInt32;
    Id buffer = g_.src(id, 0);
    while (g_.op(buffer) == Op::kAfter) buffer = g_.src(buffer, 0);
    return k == 1 && fits(g_.src(buffer, 0));
  }

  Id rewrite(Id id) {
    const Node node = g_[id];
    if (node.op == Op::kConst && is_index(id)) return constant(g_, kInt64, int_value(g_, id));
    const DType machine = machine_type(id);
    std::vector<Id> src(g_.src(id).begin(), g_.src(id).end());
    for (size_t k = 0; k < src.size(); k++) src[k] = source_for(id, k, machine);
    if (!is_index(id)) return with_sources(g_, id, src);
    if (node.op == Op::kCast) return converted(src[0], machine);
    if (node.op != Op::kLane) return g_.add(node.op, machine.vec(node.lanes), src, node.arg);
    return converted(g_.add(node.op, g_.dtype(src[0]).element(), src, node.arg), machine);
  }

  /// What the node `id`, which computes in `machine`, takes as its k-th source.
  Id source_for(Id id, size_t k, DType machine) {
    const Id source = g_.src(id, k), copy = copies_[source];
    if (!is_index(source)) return copy;
    const Op op = g_.op(id);
    if (op == Op::kIndex && k == 1 && g_.dtype(source).lanes > 1) {
      return is_content_with_low_bits(id, k) ? converted(copy, kInt32) : copy;
    }
    // Memory has the width that its node says, whatever the value would fit in.
    if (op == Op::kStore && k == 1)
      return converted(copy, g_.dtype(copies_[g_.src(id, 0)]).element());
    const bool is_operand = (is_elementwise(op) && op != Op::kCast) || op == Op::kVectorize ||
                            (op == Op::kLoad && k == 1);
    return is_operand ? converted(copy, machine) : copy;
  }

  Id converted(Id value, DType machine) {
    const bool is_number = is_const(g_, value) && g_.dtype(value).is_int();
    return is_number ? constant(g_, machine, int_value(g_, value)) : cast(g_, value, machine);
  }

  Graph& g_;
  Id sink_;
  std::vector<Id> nodes_;
  std::vector<bool> is_exact_;  // by node: somebody needs more than the low bits of it
  std::vector<Id> copies_;
};

}  // namespace

Id narrow_index(Graph& g, Id sink) { return Narrower(g, sink).run(); }

}  // namespace loom
