#include "codegen/expand.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {
namespace {

/// Additions in flight that keep the arithmetic units busy: about latency times units.
constexpr size_t kEnoughAccumulators = 8;

/// A set of expanded axes: bit k is the k-th of them.
using Axes = uint32_t;

class Expander {
 public:
  Expander(Graph& g, Id sink) : g_(g), sink_(sink), groups_(sink + 1), axis_of_(sink + 1, -1) {
    for (Id range : kernel_ranges(g, sink)) {
      const AxisType type = axis_type(g, range);
      if (type != AxisType::kUpcast && type != AxisType::kUnroll) continue;
      axis_of_[range] = static_cast<int>(sizes_.size());
      sizes_.push_back(range_size(g, range));
    }
    require(sizes_.size() <= 32, "a kernel with ", sizes_.size(), " UPCAST and UNROLL axes");
  }

  Id run() {
    if (sizes_.empty()) return sink_;
    for (Id id : reachable(g_, sink_)) expand(id);
    return copy_at(sink_, {});
  }

 private:
  /// The copies of one node: a dense array over the axes that it depends on.
  struct Copies {
    Axes axes = 0;
    uint32_t first = 0;  // in `pool_`
  };
  using Position = std::array<int64_t, 32>;

  size_t count(Axes axes) const {
    size_t product = 1;
    for (Axes rest = axes; rest != 0; rest &= rest - 1) product *= sizes_[std::countr_zero(rest)];
    return product;
  }

  Id copy_at(Id id, const Position& at) const {
    const Copies& copies = groups_[id];
    size_t place = 0;
    for (Axes rest = copies.axes; rest != 0; rest &= rest - 1) {
      const int axis = std::countr_zero(rest);
      place = place * sizes_[axis] + at[axis];
    }
    return pool_[copies.first + place];
  }

  /// Calls f(position) for each combination of the numbers of `axes`, the last axis fastest; other
  /// entries of `position` are left as they are.
  template <class F>
  void for_each(Axes axes, Position& position, const F& f) {
    for (Axes rest = axes; rest != 0; rest &= rest - 1) position[std::countr_zero(rest)] = 0;
    for (size_t n = count(axes);; advance(axes, position)) {
      f();
      if (--n == 0) return;
    }
  }

  void advance(Axes axes, Position& position) const {
    while (axes != 0) {
      const int axis = 31 - std::countl_zero(axes);
      if (++position[axis] < sizes_[axis]) return;
      position[axis] = 0;
      axes &= ~(Axes{1} << axis);
    }
  }

  void expand(Id id) {
    if (axis_of_[id] >= 0) return expand_range(id);
    const Axes closed = closes_ranges(g_.op(id)) ? closed_axes(id) : 0;
    Axes axes = 0;
    for (Id source : g_.src(id)) axes |= groups_[source].axes;
    axes &= ~closed;
    Position at{};
    std::vector<Id> copies;
    for_each(axes, at,
             [&] { copies.push_back(closed != 0 ? close(id, closed, axes, at) : copy(id, at)); });
    keep(id, axes, copies);
  }

  void expand_range(Id id) {
    std::vector<Id> numbers(sizes_[axis_of_[id]]);
    for (size_t n = 0; n < numbers.size(); n++)
      numbers[n] = index_const(g_, static_cast<int64_t>(n));
    keep(id, Axes{1} << axis_of_[id], numbers);
  }

  void keep(Id id, Axes axes, const std::vector<Id>& copies) {
    groups_[id] = {axes, static_cast<uint32_t>(pool_.size())};
    pool_.insert(pool_.end(), copies.begin(), copies.end());
  }

  Axes closed_axes(Id id) const {
    Axes axes = 0;
    for (Id range : g_.src(id).subspan(1)) {
      if (axis_of_[range] >= 0) axes |= Axes{1} << axis_of_[range];
    }
    return axes;
  }

  Id copy(Id id, const Position& at) {
    src_.clear();
    for (Id source : g_.src(id)) src_.push_back(copy_at(source, at));
    return with_sources(g_, id, src_);
  }

  /// END or REDUCE without the axes in `closed`.
  Id close(Id id, Axes closed, Axes open, Position& at) {
    const Id value = g_.src(id, 0);
    std::vector<Id> copies;
    for_each(closed, at, [&] { copies.push_back(copy_at(value, at)); });
    if (g_.op(id) == Op::kEnd) return close_effects(id, copies);
    const Op op = reduce_op(g_, id);
    if (!has_loop(id) || count(open) >= kEnoughAccumulators) {
      return closed_over_rest(id, combine(op, copies));
    }
    // An accumulator for each copy; their lanes are folded together.
    for (Id& copied : copies) copied = reduce(g_, op, copied, rest_of(id, false));
    const std::vector<Id> lanes = rest_of(id, true);
    const Id sum = combine(op, copies);
    return lanes.empty() ? sum : reduce(g_, op, sum, lanes);
  }

  /// The ranges that the node closes and that stay: those of VECTOR type, or the others.
  std::vector<Id> rest_of(Id id, bool of_lanes) const {
    std::vector<Id> rest;
    for (Id range : g_.src(id).subspan(1)) {
      const bool is_lanes = axis_type(g_, range) == AxisType::kVector;
      if (axis_of_[range] < 0 && is_lanes == of_lanes) rest.push_back(copy_at(range, {}));
    }
    return rest;
  }

  bool has_loop(Id id) const { return !rest_of(id, false).empty(); }

  Id close_effects(Id id, std::vector<Id>& effects) {
    std::ranges::sort(effects);
    effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
    return closed_over_rest(id,
                            effects.size() == 1 ? effects[0] : g_.add(Op::kGroup, kVoid, effects));
  }

  Id combine(Op op, const std::vector<Id>& values) {
    Id sum = values[0];
    for (size_t k = 1; k < values.size(); k++) sum = binary(g_, op, sum, values[k]);
    return sum;
  }

  /// END or REDUCE of `value` over the ranges that stay.
  Id closed_over_rest(Id id, Id value) {
    src_.assign(1, value);
    for (Id range : g_.src(id).subspan(1)) {
      if (axis_of_[range] < 0) src_.push_back(copy_at(range, {}));
    }
    const bool is_nothing = g_.op(id) == Op::kEnd && src_.size() == 1;
    return is_nothing ? value : with_sources(g_, id, src_);
  }

  Graph& g_;
  Id sink_;
  std::vector<Copies> groups_;  // by node
  std::vector<int> axis_of_;    // by node: which expanded axis it is, or -1
  std::vector<int64_t> sizes_;  // of the expanded axes
  std::vector<Id> pool_;
  std::vector<Id> src_;
};

}  // namespace

Id expand(Graph& g, Id sink) { return Expander(g, sink).run(); }

}  // namespace loom
