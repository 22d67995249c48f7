// Which axes of a kernel become vector lanes, and how many.
#pragma once
#include "base/target.h"
#include "codegen/kernel_shape.h"

namespace loom {

struct VectorAxis {
  int axis = 0;  // position
  int64_t lanes = 1;
};

/// At most one for each value: a kernel may reduce along one axis and write along another.
struct VectorAxes {
  std::vector<VectorAxis> list;

  /// The one among `axes`; one lane of the axis -1 when there is none.
  VectorAxis among(AxisSet axes) const;
  int64_t lanes(int axis) const { return among(axis_bit(axis)).lanes; }
};

/// Can the axis be split into blocks of this size, padded where it must be?
bool can_block(const KernelShape& kernel, int axis, int64_t block, const Target& target);
/// How much more work that makes, 1: none.
double cost_of_blocks(const KernelShape& kernel, int axis, int64_t block);

/// The cheapest choice by a model that counts instructions: one for each arithmetic operation, load
/// and store, whether of a scalar or a vector, and several for each lane of a gather or scatter.
VectorAxes choose_vector_axes(const KernelShape& kernel, const Target& target);

}  // namespace loom
