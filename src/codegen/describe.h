// What people and the engine want to know of a kernel besides its code.
#pragma once
#include <string>

#include "ir/graph.h"

namespace loom {

/// "r_64_32_4": r for a kernel with reductions, e for one without, then the sizes of its ranges,
/// outermost first; a size known at launch only is "n". `sink` is in optimised kernel form.
std::string kernel_name(const Graph& g, Id sink);

/// The same for a terminal, with each size in the colour of its axis type.
std::string painted_kernel_name(const Graph& g, Id sink);

/// Upper bound of the float operations of a linear program; MULACC counts two.
int64_t count_flops(const Graph& g, Id linear);

/// Sum of the sizes of the buffers that a kernel touches.
int64_t count_bytes(const Graph& g, Id root);

}  // namespace loom
