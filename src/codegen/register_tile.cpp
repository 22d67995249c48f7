#include "codegen/register_tile.h"

#include <algorithm>
#include <limits>

namespace loom {
namespace {

// Cycles of one core, roughly.
constexpr double kMultiplyAdd = 0.5, kLoad = 0.5, kLoadLine = 0.35;
constexpr double kLatency = 4;  // of one addition to an accumulator
constexpr double kGated = 0.25;
constexpr int64_t kMaxSide = 16;
constexpr double kLine = 64;

class TileModel {
 public:
  TileModel(const KernelShape& kernel, VectorAxis vector, const Target& target)
      : kernel_(kernel), vector_(vector), target_(target) {}

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
    double loads = 0, lines = 0;
    for (const MemoryWork& load : kernel_.memory) {
      if (!load.in_reduce) continue;
      const auto times = static_cast<double>(copies(load, a, b));
      loads += times * issue(load);
      lines += times * bytes(load) / kLine;
    }
    const auto elements = static_cast<double>(a.copies * b.copies);
    const double latency = is_reduced_in_lanes() ? 0 : kLatency;
    const double step = std::max({kMultiplyAdd * elements, loads, latency}) + kLoadLine * lines;
    return step / elements * padding(a) * padding(b);
  }

  int64_t vectors(int axis) const {
    const int64_t lanes = axis == vector_.axis ? vector_.lanes : 1;
    return (kernel_.axes[axis].size + lanes - 1) / lanes;
  }

 private:
  bool is_reduced_in_lanes() const {
    return vector_.axis >= 0 && !kernel_.axes[vector_.axis].is_output;
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
    return vector_.axis < 0 ? 0 : load.access.strides[vector_.axis];
  }

  double issue(const MemoryWork& load) const {
    const double gate = load.access.is_gated ? kGated : 0;
    return gate + kLoad * instructions_to_load(lane_stride(load), vector_.lanes);
  }

  double bytes(const MemoryWork& load) const {
    const int64_t lanes = lane_stride(load) == 0 ? 1 : vector_.lanes;
    return static_cast<double>(load.access.element_bytes * lanes);
  }

  double padding(TileSide side) const {
    const int64_t needed = vectors(side.axis),
                  padded = (needed + side.copies - 1) / side.copies * side.copies;
    return static_cast<double>(padded) / static_cast<double>(needed);
  }

  const KernelShape& kernel_;
  VectorAxis vector_;
  const Target& target_;
};

/// Numbers of copies worth a try: those that divide the axis, and for the vector axis all.
std::vector<TileSide> candidates(const KernelShape& kernel, const TileModel& model,
                                 VectorAxis vector, const Target& target) {
  std::vector<TileSide> sides;
  for (int axis = static_cast<int>(kernel.axes.size()) - 1; axis >= 0; axis--) {
    if (!kernel.axes[axis].is_fixed || !kernel.axes[axis].is_output) continue;
    const bool may_pad = axis == vector.axis && target.vector_bits >= kMaskedVectorBits;
    const int64_t size = model.vectors(axis);
    for (int64_t copies = 1; copies <= std::min(size, kMaxSide); copies++) {
      if (may_pad || size % copies == 0) sides.push_back({axis, copies});
    }
  }
  return sides;
}

}  // namespace

std::vector<TileSide> choose_register_tile(const KernelShape& kernel, VectorAxis vector,
                                           const Target& target) {
  const TileModel model(kernel, vector, target);
  const std::vector<TileSide> sides = candidates(kernel, model, vector, target);
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
