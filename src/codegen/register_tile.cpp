#include "codegen/register_tile.h"

#include <algorithm>
#include <limits>

namespace loom {
namespace {

// Cycles of one core, roughly.
constexpr double kMultiplyAdd = 0.5, kLoad = 0.5, kLoadLine = 0.35;
constexpr double kLatency = 4;  // of one addition to an accumulator
constexpr double kTurn = 0.5;   // of the loop
constexpr double kGated = 0.25;
constexpr int64_t kMaxSide = 16;
constexpr double kLine = 64;
// Addresses that are a multiple of this apart share a set of the L1 cache, which holds few of them.
constexpr int64_t kSetStride = 4096, kWays = 8;

class TileModel {
 public:
  TileModel(const KernelShape& kernel, const VectorAxes& vectors, const Target& target)
      : kernel_(kernel), vectors_(vectors), target_(target) {}

  bool fits(TileSide a, TileSide b) const {
    int64_t fewest_operands = INT64_MAX;
    for (const MemoryWork& load : kernel_.memory) {
      if (load.in_reduce) fewest_operands = std::min(fewest_operands, copies(load, a, b));
    }
    if (fewest_operands == INT64_MAX) return false;
    return a.copies * b.copies + fewest_operands + 1 <= target_.vector_registers;
  }

  /// Cycles for one step of one element of the result.
  double cost(TileSide a, TileSide b) const {
    double loads = 0, lines = 0, latency = kLatency, turn = kTurn;
    for (const MemoryWork& load : kernel_.memory) {
      if (!load.in_reduce) continue;
      const auto times = static_cast<double>(copies(load, a, b));
      loads += times * issue(load);
      lines += times * (evicts_itself(load, a) || evicts_itself(load, b) ? 1 : bytes(load) / kLine);
      if (is_reduced_in_lanes(load)) latency = turn = 0;  // unrolling will see to it
    }
    const auto elements = static_cast<double>(a.copies * b.copies);
    const double step =
        std::max({kMultiplyAdd * elements, loads, latency}) + kLoadLine * lines + turn;
    const double padded = padding(a) * (a.axis == b.axis ? 1 : padding(b));
    return step / elements * padded * imbalance(a, b);
  }

  /// Numbers of copies worth a try.
  std::vector<TileSide> candidates() const {
    std::vector<TileSide> sides;
    AxisSet of_results = 0;
    for (AxisSet reduce : kernel_.reduces) of_results |= reduce & kernel_.outputs;
    for (int axis = static_cast<int>(kernel_.axes.size()) - 1; axis >= 0; axis--) {
      if (!kernel_.axes[axis].is_fixed || (of_results & axis_bit(axis)) == 0) continue;
      for (int64_t copies = 1; copies <= std::min(vectors(axis), kMaxSide); copies++) {
        if (can_block(kernel_, axis, block({axis, copies}), target_)) {
          sides.push_back({axis, copies});
        }
      }
    }
    return sides;
  }

 private:
  int64_t block(TileSide side) const { return vectors_.lanes(side.axis) * side.copies; }
  int64_t vectors(int axis) const {
    const int64_t lanes = vectors_.lanes(axis);
    return (kernel_.axes[axis].size + lanes - 1) / lanes;
  }

  VectorAxis vector_of(const MemoryWork& load) const { return vectors_.among(load.runs_over); }
  bool is_reduced_in_lanes(const MemoryWork& load) const {
    const int axis = vector_of(load).axis;
    return axis >= 0 && !kernel_.axes[axis].is_output;
  }

  static int64_t copies(const MemoryWork& load, TileSide a, TileSide b) {
    int64_t product = 1;
    for (TileSide side : {a, b}) {
      if ((load.axes & axis_bit(side.axis)) != 0) product *= side.copies;
    }
    return product;
  }

  /// The step along the lanes; 0 for one element shared by all.
  int64_t lane_stride(const MemoryWork& load) const {
    const int axis = vector_of(load).axis;
    return axis < 0 ? 0 : load.access.strides[axis];
  }

  double issue(const MemoryWork& load) const {
    const double gate = load.access.is_gated ? kGated : 0;
    return gate + kLoad * instructions_to_load(lane_stride(load), vector_of(load).lanes);
  }

  /// Do the copies along a side push each other out of the cache before the next step?
  static bool evicts_itself(const MemoryWork& load, TileSide side) {
    const int64_t stride = load.access.strides[side.axis];
    return side.copies > kWays && stride != kIrregular && stride != 0 &&
           stride * load.access.element_bytes % kSetStride == 0;
  }

  double bytes(const MemoryWork& load) const {
    const int64_t lanes = lane_stride(load) == 0 ? 1 : vector_of(load).lanes;
    return static_cast<double>(load.access.element_bytes * lanes);
  }

  /// What the copies add to the padding that the lanes cost anyway.
  double padding(TileSide side) const {
    return cost_of_blocks(kernel_, side.axis, block(side)) /
           cost_of_blocks(kernel_, side.axis, vectors_.lanes(side.axis));
  }

  /// What the slowest thread does more than its share, when the best axis for it is cut into chunks
  /// of whole blocks.
  double imbalance(TileSide a, TileSide b) const {
    double least = target_.threads;
    for (int axis = 0; axis < static_cast<int>(kernel_.axes.size()); axis++) {
      if (!kernel_.axes[axis].is_fixed || !kernel_.axes[axis].is_output) continue;
      int64_t blocks = vectors(axis), threads = target_.threads;
      for (TileSide side : {a, b}) {
        if (side.axis == axis) blocks = (blocks + side.copies - 1) / side.copies;
      }
      const int64_t longest = (blocks + threads - 1) / threads;
      least = std::min(least, static_cast<double>(longest * threads) / static_cast<double>(blocks));
    }
    return least;
  }

  const KernelShape& kernel_;
  const VectorAxes& vectors_;
  const Target& target_;
};

}  // namespace

std::vector<TileSide> choose_register_tile(const KernelShape& kernel, const VectorAxes& vectors,
                                           const Target& target) {
  const TileModel model(kernel, vectors, target);
  const std::vector<TileSide> sides = model.candidates();
  std::vector<TileSide> tile;
  double least = std::numeric_limits<double>::infinity();
  for (TileSide a : sides) {
    for (TileSide b : sides) {
      const bool is_alone = b.copies == 1 && b.axis == a.axis;
      if (!is_alone && (b.axis >= a.axis || b.copies == 1)) continue;
      if (!model.fits(a, b) || model.cost(a, b) >= least) continue;
      least = model.cost(a, b);
      tile = is_alone ? std::vector{a} : std::vector{a, b};
    }
  }
  std::erase_if(tile, [](TileSide side) { return side.copies == 1; });
  return tile;
}

}  // namespace loom
