#include "codegen/vectorise.h"

#include <algorithm>

#include "base/error.h"
#include "codegen/kernel.h"
#include "codegen/strided_load.h"
#include "ir/build.h"

namespace loom {
namespace {

/// What a node became. Index values of the form base + stride * lane keep it until someone needs
/// the vector.
struct LaneValue {
  Id id = 0;    // the scalar or vector node; 0 while only the affine form exists
  Id axis = 0;  // the VECTOR range it depends on; 0: the same in all lanes
  Id base = 0;  // of the affine form, or 0: there is none
  int64_t stride = 0;
};

class Vectoriser {
 public:
  Vectoriser(Graph& g, Id sink) : g_(g), sink_(sink), values_(sink + 1) {}

  Id run() {
    for (Id id : reachable(g_, sink_)) values_[id] = rewrite(id);
    return values_[sink_].id;
  }

 private:
  bool is_vector_range(Id id) const {
    return g_.op(id) == Op::kRange && axis_type(g_, id) == AxisType::kVector;
  }
  int lanes_of(Id axis) const { return axis == 0 ? 1 : static_cast<int>(range_size(g_, axis)); }
  static LaneValue uniform(Id id) { return {id, 0, 0, 0}; }

  LaneValue rewrite(Id id) {
    if (is_vector_range(id)) return {0, id, index_const(g_, 0), 1};
    if (g_.op(id) == Op::kEnd) return uniform(end(id));
    if (g_.op(id) == Op::kReduce) return reduce(id);
    const Id axis = axis_of(id);
    if (axis == 0) return uniform(copy(id));
    switch (g_.op(id)) {
      case Op::kIndex: return {0, axis, 0, 0};  // LOAD and STORE take it apart
      case Op::kLoad: return load(id, axis);
      case Op::kStore: return uniform(store(id, axis));
      default: return elementwise(id, axis);
    }
  }

  /// The one VECTOR range that a node's sources depend on, or 0.
  Id axis_of(Id id) const {
    Id axis = 0;
    for (Id source : g_.src(id)) {
      const Id other = values_[source].axis;
      if (axis != 0 && other != 0 && axis != other) refuse(axis, other);
      axis = std::max(axis, other);
    }
    return axis;
  }

  [[noreturn]] void refuse(Id axis, Id other) const {
    fail<UserError>("VECTOR axes of sizes ", range_size(g_, axis), " and ", range_size(g_, other),
                    " meet in one value");
  }

  Id copy(Id id) {
    src_.clear();
    for (Id source : g_.src(id)) src_.push_back(values_[source].id);
    return with_sources(g_, id, src_);
  }

  /// The node of a value: for one that differs between lanes, a vector.
  Id materialise(LaneValue& value) {
    if (value.id == 0) {
      const Id lanes = g_.add(Op::kLanes, kIndex.vec(lanes_of(value.axis)));
      const Id steps = value.stride == 1 ? lanes : mul(g_, lanes, index_const(g_, value.stride));
      value.id = is_const_value(g_, value.base, 0) ? steps : add(g_, value.base, steps);
    }
    return value.id;
  }
  Id node_of(Id source) { return materialise(values_[source]); }
  Id vector_of(Id source, Id axis) { return broadcast(g_, node_of(source), lanes_of(axis)); }

  // --- Values ---

  LaneValue elementwise(Id id, Id axis) {
    if (g_.dtype(id) == kIndex) {
      const LaneValue affine = affine_form(id, axis);
      if (affine.base != 0) return affine;
    }
    std::vector<Id> src(g_.src(id).begin(), g_.src(id).end());
    for (Id& source : src) source = vector_of(source, axis);
    const Node node = g_[id];
    return {g_.add(node.op, node.dtype().vec(lanes_of(axis)), src, node.arg), axis, 0, 0};
  }

  /// base + stride * lane of a sum, difference or multiple of such; nothing when it is something
  /// else.
  LaneValue affine_form(Id id, Id axis) {
    const Op op = g_.op(id);
    if (op != Op::kAdd && op != Op::kSub && op != Op::kMul) return {};
    const LaneValue x = as_affine(g_.src(id, 0)), y = as_affine(g_.src(id, 1));
    if (x.base == 0 || y.base == 0) return {};
    if (op == Op::kMul) return affine_product(x, y, axis);
    const int64_t stride = op == Op::kAdd ? x.stride + y.stride : x.stride - y.stride;
    return affine(folded(op, x.base, y.base), stride, axis);
  }

  /// The operation on two bases. A range's own is 0, so much of their arithmetic is on constants.
  Id folded(Op op, Id x, Id y) {
    if (is_const_value(g_, y, 0) && op != Op::kMul) return x;
    if (is_const_value(g_, x, 0) && op == Op::kAdd) return y;
    if (is_const_value(g_, x, 0) && op == Op::kMul) return x;
    return binary(g_, op, x, y);
  }

  LaneValue affine_product(const LaneValue& x, const LaneValue& y, Id axis) {
    const LaneValue &factor = x.axis == 0 ? x : y, &varying = x.axis == 0 ? y : x;
    if (factor.axis != 0 || !is_const(g_, factor.base)) return {};
    const Id base = folded(Op::kMul, varying.base, factor.base);
    return affine(base, varying.stride * int_value(g_, factor.base), axis);
  }

  static LaneValue affine(Id base, int64_t stride, Id axis) {
    return stride == 0 ? uniform(base) : LaneValue{0, axis, base, stride};
  }

  LaneValue as_affine(Id source) const {
    const LaneValue& value = values_[source];
    return value.axis == 0 ? LaneValue{value.id, 0, value.id, 0} : value;
  }

  // --- Memory ---

  Id address(Id index, Id axis) {
    const std::vector<Id> src(g_.src(index).begin(), g_.src(index).end());
    const LaneValue& offset = values_[src[1]];
    const bool is_contiguous = offset.axis != 0 && offset.base != 0 && offset.stride == 1;
    const Id place = is_contiguous ? offset.base : vector_of(src[1], axis);
    return loom::index(g_, node_of(src[0]), place, src.size() == 3 ? node_of(src[2]) : 0);
  }

  LaneValue load(Id id, Id axis) {
    const std::vector<Id> parts(g_.src(g_.src(id, 0)).begin(), g_.src(g_.src(id, 0)).end());
    const Id alternative = g_.src(id).size() == 2 ? node_of(g_.src(id, 1)) : 0;
    const LaneValue& offset = values_[parts[1]];
    const int lanes = lanes_of(axis);
    if (offset.base != 0 && is_small_stride(offset.stride) &&
        (alternative == 0 || g_.dtype(alternative).lanes == 1)) {
      const Id gate = parts.size() == 3 ? node_of(parts[2]) : 0, buffer = node_of(parts[0]);
      return {load_strided(g_, buffer, offset.base, offset.stride, lanes, gate, alternative), axis,
              0, 0};
    }
    std::vector<Id> src{address(g_.src(id, 0), axis)};
    if (alternative != 0) src.push_back(alternative);
    return {g_.add(Op::kLoad, g_.dtype(id).vec(lanes), src), axis, 0, 0};
  }

  Id store(Id id, Id axis) {
    const Id value = vector_of(g_.src(id, 1), axis);
    return loom::store(g_, address(g_.src(id, 0), axis), value);
  }

  // --- Loops ---

  /// The ranges that an END or REDUCE closes, without the VECTOR one, which goes to `axis`.
  std::vector<Id> loops_of(Id id, Id& axis) const {
    std::vector<Id> loops;
    for (Id range : g_.src(id).subspan(1)) {
      if (!is_vector_range(range)) {
        loops.push_back(values_[range].id);
      } else if (axis != 0) {
        refuse(axis, range);
      } else {
        axis = range;
      }
    }
    return loops;
  }

  Id end(Id id) {
    Id axis = 0;
    std::vector<Id> src = loops_of(id, axis);
    src.insert(src.begin(), values_[g_.src(id, 0)].id);
    return src.size() == 1 ? src[0] : g_.add(Op::kEnd, kVoid, src);
  }

  LaneValue reduce(Id id) {
    Id folded = 0;
    const std::vector<Id> loops = loops_of(id, folded);
    const Op op = reduce_op(g_, id);
    const Id source = g_.src(id, 0), axis = values_[source].axis;
    if (folded != 0 && axis != 0 && axis != folded) refuse(axis, folded);
    Id value = folded != 0 ? vector_of(source, folded) : node_of(source);
    if (folded == 0 || !loops.empty()) value = loom::reduce(g_, op, value, loops);
    return folded != 0 ? uniform(fold_lanes(op, value)) : LaneValue{value, axis, 0, 0};
  }

  /// All lanes of a vector combined into one: the upper half onto the lower until one is left.
  Id fold_lanes(Op op, Id vector) {
    Id odd = 0;  // what lanes without a partner add up to
    for (int lanes = g_.dtype(vector).lanes; lanes > 1; lanes = g_.dtype(vector).lanes) {
      const int half = lanes / 2;
      if (lanes % 2 != 0) {
        const Id last = some_lanes(vector, lanes - 1, 1);
        odd = odd == 0 ? last : binary(g_, op, odd, last);
      }
      vector = binary(g_, op, some_lanes(vector, 0, half), some_lanes(vector, half, half));
    }
    return odd == 0 ? vector : binary(g_, op, vector, odd);
  }

  Id some_lanes(Id vector, int first, int count) {
    std::vector<Id> lanes(count);
    const DType element = g_.dtype(vector).element();
    for (int k = 0; k < count; k++) lanes[k] = g_.add(Op::kLane, element, {vector}, first + k);
    return count == 1 ? lanes[0] : g_.add(Op::kVectorize, element.vec(count), lanes);
  }

  Graph& g_;
  Id sink_;
  std::vector<LaneValue> values_;  // by node
  std::vector<Id> src_;
};

}  // namespace

Id vectorise(Graph& g, Id sink) { return Vectoriser(g, sink).run(); }

}  // namespace loom
