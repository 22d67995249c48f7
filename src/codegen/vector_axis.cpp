#include "codegen/vector_axis.h"

#include <bit>

namespace loom {
namespace {

constexpr double kFold = 8;       // to add up the lanes of an accumulator
constexpr double kMasked = 1.15;  // how much slower a padded axis runs
constexpr double kTileReuse = 8;  // elements of a register tile that share a load

class CostModel {
 public:
  CostModel(const KernelShape& kernel, VectorAxis choice) : kernel_(kernel), choice_(choice) {}

  double cost() const {
    double total = 0;
    for (const Work& work : kernel_.arithmetic) {
      total += work.count * kernel_.trips(work.runs_over) / (is_on_axis(work) ? lanes() : 1);
    }
    for (const MemoryWork& work : kernel_.memory) total += instructions(work) / reuse(work);
    if (choice_.axis >= 0 && !kernel_.axes[choice_.axis].is_output) {
      for (AxisSet reduce : kernel_.reduces) total += kFold * kernel_.trips(reduce);
    }
    return total * padding();
  }

 private:
  AxisSet bit() const { return choice_.axis < 0 ? 0 : axis_bit(choice_.axis); }
  double lanes() const { return static_cast<double>(choice_.lanes); }
  bool is_on_axis(const Work& work) const { return (work.runs_over & bit()) != 0; }

  double instructions(const MemoryWork& work) const {
    const double trips = kernel_.trips(work.runs_over);
    if (!is_on_axis(work)) return trips;
    const int64_t stride = (work.axes & bit()) != 0 ? work.access.strides[choice_.axis] : 0;
    const int64_t step = work.access.is_store && stride != 0 && stride != 1 ? kIrregular : stride;
    return trips * instructions_to_load(step, choice_.lanes) / lanes();
  }

  /// Elements that use what is loaded once, in a register tile over an axis that the load does not
  /// depend on.
  double reuse(const MemoryWork& work) const {
    const AxisSet free = kernel_.outputs & ~work.axes & ~bit();
    return work.in_reduce && free != 0 ? std::min(kTileReuse, kernel_.trips(free)) : 1;
  }

  double padding() const {
    if (choice_.axis < 0) return 1;
    const int64_t size = kernel_.axes[choice_.axis].size, rest = size % choice_.lanes;
    if (rest == 0) return 1;
    return kMasked * static_cast<double>(size - rest + choice_.lanes) / static_cast<double>(size);
  }

  const KernelShape& kernel_;
  VectorAxis choice_;
};

}  // namespace

VectorAxis choose_vector_axis(const KernelShape& kernel, const Target& target) {
  const int64_t most_lanes = target.vector_bits / 8 / kernel.element_bytes;
  VectorAxis best;
  double least = CostModel(kernel, best).cost();
  for (int axis = static_cast<int>(kernel.axes.size()) - 1; axis >= 0; axis--) {
    const auto [range, size, is_fixed, is_output] = kernel.axes[axis];
    for (int64_t lanes = most_lanes; lanes > 1 && is_fixed; lanes /= 2) {
      if (size % lanes != 0 && target.vector_bits < kMaskedVectorBits) continue;
      const double cost = CostModel(kernel, {axis, lanes}).cost();
      if (cost >= least) continue;
      best = {axis, lanes};
      least = cost;
    }
  }
  return best;
}

}  // namespace loom
