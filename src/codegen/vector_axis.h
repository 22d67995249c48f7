// Which axis of a kernel becomes vector lanes, and how many.
#pragma once
#include "base/target.h"
#include "codegen/kernel_shape.h"

namespace loom {

/// Narrower vectors have no masked loads and stores, so that padding an axis costs too much.
inline constexpr int kMaskedVectorBits = 256;

struct VectorAxis {
  int axis = -1;  // position; -1: the kernel stays scalar
  int64_t lanes = 1;
};

/// The cheapest choice by a model that counts instructions: one for each arithmetic operation, load
/// and store, whether of a scalar or a vector, and one for each lane of a gather or scatter.
VectorAxis choose_vector_axis(const KernelShape& kernel, const Target& target);

}  // namespace loom
