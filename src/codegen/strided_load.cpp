#include "codegen/strided_load.h"

#include <algorithm>
#include <cstdlib>

#include "ir/build.h"

namespace loom {
namespace {

class StridedLoad {
 public:
  StridedLoad(Graph& g, Id buffer, Id base, int64_t stride, int lanes)
      : g_(g), buffer_(buffer), stride_(stride), lanes_(lanes) {
    const int64_t last = (lanes - 1) * stride;  // of the last lane, from the first
    span_ = std::abs(last) + 1;
    start_ = last < 0 ? add(g, base, index_const(g, last)) : base;
  }

  Id run(Id gate, Id alternative) {
    const auto parts = static_cast<int>((span_ + lanes_ - 1) / lanes_);
    std::vector<Id> loads(parts), picked(lanes_);
    for (int part = 0; part < parts; part++) loads[part] = load_part(part, gate, alternative);
    for (int lane = 0; lane < lanes_; lane++) {
      picked[lane] = lane_of(loads[part_of(lane)], place_of(lane));
    }
    return vector_of(picked);
  }

 private:
  /// Where the lane's element is, counted from the first one in memory.
  int64_t element_of(int lane) const {
    return stride_ > 0 ? lane * stride_ : (lanes_ - 1 - lane) * -stride_;
  }
  int part_of(int lane) const { return static_cast<int>(element_of(lane) / lanes_); }
  /// The last part begins early enough to end with the last element.
  int64_t begin_of(int part) const { return std::min<int64_t>(part * lanes_, span_ - lanes_); }
  int place_of(int lane) const {
    return static_cast<int>(element_of(lane) - begin_of(part_of(lane)));
  }

  Id load_part(int part, Id gate, Id alternative) {
    const Id offset = add(g_, start_, index_const(g_, begin_of(part)));
    const DType dtype = g_.dtype(buffer_).vec(lanes_);
    if (gate == 0) return g_.add(Op::kLoad, dtype, {index(g_, buffer_, offset)});
    const Id address = index(g_, buffer_, offset, gate_of_part(part, gate));
    return g_.add(Op::kLoad, dtype, {address, alternative});
  }

  bool is_broadcast(Id id) const { return g_.op(id) == Op::kVectorize && g_.src(id).size() == 1; }

  /// The gate of each element of a part: false for those between the lanes. Conditions that are
  /// joined go their own ways, so that what a loop does not change is prepared before it.
  Id gate_of_part(int part, Id gate) {
    if (g_.op(gate) == Op::kAnd && g_.dtype(gate).lanes > 1) {
      const Id x = g_.src(gate, 0), y = g_.src(gate, 1);
      if (is_broadcast(x)) return logical_and(g_, x, gate_of_part(part, y));
      if (is_broadcast(y)) return logical_and(g_, y, gate_of_part(part, x));
      return logical_and(g_, gate_of_part(part, x), gate_of_part(part, y));
    }
    if (is_broadcast(gate)) gate = g_.src(gate, 0);
    std::vector<Id> places(lanes_, bool_const(g_, false));
    for (int lane = 0; lane < lanes_; lane++) {
      if (part_of(lane) == part) places[place_of(lane)] = lane_of(gate, lane);
    }
    return vector_of(places);
  }

  Id lane_of(Id vector, int lane) {
    const DType dtype = g_.dtype(vector);
    return dtype.lanes == 1 ? vector : g_.add(Op::kLane, dtype.element(), {vector}, lane);
  }

  Id vector_of(const std::vector<Id>& scalars) {
    return g_.add(Op::kVectorize, g_.dtype(scalars[0]).vec(lanes_), scalars);
  }

  Graph& g_;
  Id buffer_, start_ = 0;
  int64_t stride_, span_ = 0;
  int lanes_;
};

}  // namespace

Id load_strided(Graph& g, Id buffer, Id base, int64_t stride, int lanes, Id gate, Id alternative) {
  return StridedLoad(g, buffer, base, stride, lanes).run(gate, alternative);
}

}  // namespace loom
