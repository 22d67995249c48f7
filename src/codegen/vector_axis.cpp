#include "codegen/vector_axis.h"

#include <algorithm>
#include <bit>

namespace loom {
namespace {

constexpr double kFold = 8;       // instructions that add up the lanes of an accumulator
constexpr double kLoopStep = 2;   // those that step a loop and close it
constexpr double kMasked = 1.15;  // how much slower masked loads and stores are
constexpr double kTileReuse = 8;  // elements of a register tile that share a load

class CostModel {
 public:
  CostModel(const KernelShape& kernel, const VectorAxes& choice)
      : kernel_(kernel), choice_(choice) {}

  double cost() const {
    double total = 0;
    for (const Work& work : kernel_.arithmetic) total += work.count * vectors(work);
    for (const MemoryWork& work : kernel_.memory) {
      total += vectors(work) * instructions(work) / reuse(work);
      if (work.access.is_store) total += vectors(work) * kLoopStep;
    }
    for (const VectorAxis& vector : choice_.list) total += folding(vector);
    return total;
  }

 private:
  /// How often the work is done, on scalars or vectors.
  double vectors(const Work& work) const {
    const VectorAxis vector = choice_.among(work.runs_over);
    if (vector.axis < 0) return kernel_.trips(work.runs_over);
    return kernel_.trips(work.runs_over) / static_cast<double>(vector.lanes) *
           cost_of_blocks(kernel_, vector.axis, vector.lanes);
  }

  double instructions(const MemoryWork& work) const {
    const VectorAxis vector = choice_.among(work.axes);
    if (vector.axis < 0) return 1;
    const int64_t stride = work.access.strides[vector.axis];
    const bool is_scatter = work.access.is_store && stride != 0 && stride != 1;
    return instructions_to_load(is_scatter ? kIrregular : stride, vector.lanes);
  }

  /// Elements that use what is loaded once, in a register tile over an axis that the load does not
  /// depend on.
  double reuse(const MemoryWork& work) const {
    AxisSet free = kernel_.outputs & work.runs_over & ~work.axes;
    for (const VectorAxis& vector : choice_.list) free &= ~axis_bit(vector.axis);
    return work.in_reduce ? std::min(kTileReuse, kernel_.trips(free)) : 1;
  }

  double folding(const VectorAxis& vector) const {
    if (kernel_.axes[vector.axis].is_output) return 0;
    double total = 0;
    for (AxisSet reduce : kernel_.reduces) total += kFold * kernel_.trips(reduce);
    return total;
  }

  const KernelShape& kernel_;
  const VectorAxes& choice_;
};

/// Does some value depend on the axis and on one of those chosen already?
bool meets_another(const KernelShape& kernel, int axis, const VectorAxes& chosen) {
  return std::ranges::any_of(kernel.values, [&](AxisSet value) {
    return (value & axis_bit(axis)) != 0 && chosen.among(value).axis >= 0;
  });
}

/// `chosen` and the one axis that makes the kernel cheapest, or `chosen` itself.
VectorAxes with_another(const KernelShape& kernel, const VectorAxes& chosen, const Target& target) {
  const int64_t most_lanes = target.vector_bits / 8 / kernel.element_bytes;
  VectorAxes best = chosen;
  double least = CostModel(kernel, chosen).cost();
  for (int axis = static_cast<int>(kernel.axes.size()) - 1; axis >= 0; axis--) {
    if (!kernel.axes[axis].is_fixed || meets_another(kernel, axis, chosen)) continue;
    for (int64_t lanes = most_lanes; lanes > 1; lanes /= 2) {
      if (!can_block(kernel, axis, lanes, target)) continue;
      VectorAxes longer = chosen;
      longer.list.push_back({axis, lanes});
      const double cost = CostModel(kernel, longer).cost();
      if (cost >= least) continue;
      best = longer;
      least = cost;
    }
  }
  return best;
}

}  // namespace

VectorAxis VectorAxes::among(AxisSet axes) const {
  for (const VectorAxis& vector : list) {
    if ((axes & axis_bit(vector.axis)) != 0) return vector;
  }
  return {-1, 1};
}

bool can_block(const KernelShape& kernel, int axis, int64_t block, const Target& target) {
  constexpr int kMaskedVectorBits = 256;  // narrower vectors have no masked loads and stores
  return kernel.axes[axis].size % block == 0 || kernel.can_overlap(axis, block) ||
         target.vector_bits >= kMaskedVectorBits;
}

double cost_of_blocks(const KernelShape& kernel, int axis, int64_t block) {
  const int64_t size = kernel.axes[axis].size, rest = size % block;
  if (rest == 0) return 1;
  const double more = static_cast<double>(size - rest + block) / static_cast<double>(size);
  return kernel.can_overlap(axis, block) ? more : more * kMasked;
}

VectorAxes choose_vector_axes(const KernelShape& kernel, const Target& target) {
  VectorAxes chosen;
  for (;;) {
    VectorAxes longer = with_another(kernel, chosen, target);
    if (longer.list.size() == chosen.list.size()) return chosen;
    chosen = std::move(longer);
  }
}

}  // namespace loom
