// How many elements of a reduction's result are computed side by side in registers.
#pragma once
#include <vector>

#include "base/target.h"
#include "codegen/kernel_shape.h"
#include "codegen/vector_axis.h"

namespace loom {

/// Copies of one output axis; of the vector axis: vectors.
struct TileSide {
  int axis = 0;
  int64_t copies = 1;
};

/// At most two sides, those with one copy left out. Empty when sharing loads gains nothing. The
/// copies divide the axis, except that the vector axis may have to be padded to a multiple of lanes
/// * copies.
std::vector<TileSide> choose_register_tile(const KernelShape& kernel, VectorAxis vector,
                                           const Target& target);

}  // namespace loom
