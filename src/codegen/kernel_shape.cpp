#include "codegen/kernel_shape.h"

#include <algorithm>
#include <bit>
#include <map>
#include <ranges>

#include "base/error.h"
#include "codegen/kernel.h"

namespace loom {
namespace {

class Survey {
 public:
  Survey(const Graph& g, Id sink)
      : g_(g),
        sink_(sink),
        nodes_(reachable(g, sink)),
        ranges_(kernel_ranges(g, sink)),
        axes_(sink + 1),
        repeated_(sink + 1) {
    require(ranges_.size() <= 64, "a kernel with ", ranges_.size(), " ranges");
  }

  KernelShape run() {
    for (Id range : ranges_) add_axis(range);
    find_repetitions();
    for (Id id : nodes_) visit(id);
    for (const auto& [sets, count] : arithmetic_) {
      shape_.arithmetic.push_back({sets.first, sets.second, is_in_reduce(sets.first), count});
    }
    for (Access& access : find_accesses(g_, sink_, ranges_)) {
      const AxisSet axes = axes_[access.id];
      const Work work{axes, runs_over(access.id), is_in_reduce(axes), 1};
      shape_.memory.push_back({work, std::move(access)});
    }
    shape_.is_in_place = is_in_place(g_, sink_);
    return std::move(shape_);
  }

 private:
  void add_axis(Id range) {
    const int64_t size = range_size(g_, range);
    const bool is_output = axis_type(g_, range) == AxisType::kLoop;
    if (is_output) shape_.outputs |= axis_bit(shape_.axes.size());
    shape_.axes.push_back(
        {range, size != 0 ? size : g_.bounds(g_.src(range, 0)).hi, size != 0, is_output});
  }

  AxisSet axes_of(Id id) const {
    AxisSet axes = 0;
    for (Id range : g_.ranges(id)) {
      axes |= axis_bit(std::ranges::find(ranges_, range) - ranges_.begin());
    }
    return axes;
  }

  bool is_in_reduce(AxisSet axes) const { return (axes & ~shape_.outputs) != 0; }

  /// From the users down: inside of a REDUCE everything is repeated for each of its results.
  void find_repetitions() {
    for (Id id : nodes_) axes_[id] = axes_of(id);
    for (Id id : std::views::reverse(nodes_)) {
      const AxisSet own = g_.op(id) == Op::kReduce ? axes_[id] : 0;
      for (Id source : g_.src(id)) repeated_[source] |= repeated_[id] | own;
    }
  }

  AxisSet runs_over(Id id) const {
    return is_in_reduce(axes_[id]) ? axes_[id] | repeated_[id] : axes_[id];
  }

  void visit(Id id) {
    const Op op = g_.op(id);
    widen(id);
    add_value(axes_[id]);
    if (op == Op::kReduce) {
      AxisSet inside = axes_[g_.src(id, 0)];
      for (Id range : g_.src(id).subspan(1)) inside |= axes_[range];
      add_value(inside);
      shape_.reduces.push_back(axes_[id]);
      add_arithmetic(g_.src(id, 0));
    }
    if (is_alu(op) && g_.dtype(id).scalar != Scalar::kIndex) add_arithmetic(id);
  }

  void add_value(AxisSet axes) {
    if (std::ranges::find(shape_.values, axes) == shape_.values.end()) {
      shape_.values.push_back(axes);
    }
  }

  void add_arithmetic(Id id) { arithmetic_[{axes_[id], runs_over(id)}]++; }

  void widen(Id id) {
    const DType dtype = g_.dtype(id);
    if (dtype.is_void() || dtype.is_bool() || dtype.scalar == Scalar::kIndex) return;
    shape_.element_bytes = std::max(shape_.element_bytes, dtype.bytes());
  }

  const Graph& g_;
  Id sink_;
  std::vector<Id> nodes_, ranges_;
  std::vector<AxisSet> axes_, repeated_;  // by node
  KernelShape shape_;
  std::map<std::pair<AxisSet, AxisSet>, double> arithmetic_;  // by axes and what they run over
};

}  // namespace

double KernelShape::trips(AxisSet set) const {
  double product = 1;
  for (; set != 0; set &= set - 1) product *= static_cast<double>(axes[std::countr_zero(set)].size);
  return product;
}

bool KernelShape::can_overlap(int axis, int64_t block) const {
  return axes[axis].is_output && axes[axis].size >= block && !is_in_place;
}

KernelShape shape_of_kernel(const Graph& g, Id sink) { return Survey(g, sink).run(); }

}  // namespace loom
