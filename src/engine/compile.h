// From a kernel body to a program of a device.
#pragma once
#include "engine/kernel_cache.h"

namespace loom {

/// Optimises, lowers, renders and compiles `sink`, which is in kernel form, for the device.
std::shared_ptr<const CompiledKernel> compile_kernel(const Graph& graph, Id sink, Device& device);

}  // namespace loom
