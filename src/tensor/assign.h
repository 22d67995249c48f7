// In-place changes of a tensor's own memory.
#pragma once
#include "loom/tensor.h"

namespace loom {

/// Whether the tensor may be changed in place: its value is, or will be, in memory of its own.
bool owns_memory(const Tensor& tensor);
/// x with `value` stored to `view`, a view of x; x owns its memory.
Tensor& store_into(Tensor& x, const Tensor& view, const Tensor& value);

}  // namespace loom
