#include "codegen/kernel_shape.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.h"
#include "codegen/kernel.h"

namespace loom {
namespace {

class Survey {
 public:
  Survey(const Graph& g, Id sink) : g_(g), sink_(sink), ranges_(kernel_ranges(g, sink)) {
    require(ranges_.size() <= 64, "a kernel with ", ranges_.size(), " ranges");
  }

  KernelShape run() {
    for (Id range : ranges_) add_axis(range);
    for (Id id : reachable(g_, sink_)) {
      widen(id);
      if (g_.op(id) == Op::kReduce) shape_.reduces.push_back(axes_of(id));
      if (is_alu(g_.op(id)) && g_.dtype(id).scalar != Scalar::kIndex) arithmetic_[axes_of(id)]++;
    }
    for (const auto& [axes, count] : arithmetic_) shape_.arithmetic.push_back(work(axes, count));
    for (Access& access : find_accesses(g_, sink_, ranges_)) {
      shape_.memory.push_back({work(axes_of(access.id), 1), std::move(access)});
    }
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
    for (Id range : g_.ranges(id))
      axes |= axis_bit(std::ranges::find(ranges_, range) - ranges_.begin());
    return axes;
  }

  Work work(AxisSet axes, double count) const {
    const bool in_reduce = (axes & ~shape_.outputs) != 0;
    return {axes, in_reduce ? axes | shape_.outputs : axes, in_reduce, count};
  }

  void widen(Id id) {
    const DType dtype = g_.dtype(id);
    if (dtype.is_void() || dtype.is_bool() || dtype.scalar == Scalar::kIndex) return;
    shape_.element_bytes = std::max(shape_.element_bytes, dtype.bytes());
  }

  const Graph& g_;
  Id sink_;
  std::vector<Id> ranges_;
  KernelShape shape_;
  std::map<AxisSet, double> arithmetic_;
};

}  // namespace

double KernelShape::trips(AxisSet set) const {
  double product = 1;
  for (; set != 0; set &= set - 1) product *= static_cast<double>(axes[std::countr_zero(set)].size);
  return product;
}

KernelShape shape_of_kernel(const Graph& g, Id sink) { return Survey(g, sink).run(); }

}  // namespace loom
