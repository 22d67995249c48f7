// How many elements of a reduction's result are computed side by side in registers.
#pragma once
#include <vector>

#include "base/target.h"
#include "codegen/kernel_shape.h"
#include "codegen/vector_axis.h"

namespace loom {

/// Copies of one output axis; of a vector axis: vectors.
struct TileSide {
  int axis = 0;
  int64_t copies = 1;
};

/// At most two sides, those with one copy left out. Empty when sharing loads gains nothing. An axis
/// may have to be padded to a multiple of its lanes and copies.
std::vector<TileSide> choose_register_tile(const KernelShape& kernel, const VectorAxes& vectors,
                                           const Target& target);

}  // namespace loom
