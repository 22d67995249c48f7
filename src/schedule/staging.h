// The question that decides what fuses: does this value get its own buffer, or is it computed again
// in every kernel that asks for it? All rules and all numbers that answer it are in staging.cpp.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// `asked` are the instances of `node`, an op that computes something. They have one kernel at
/// least.
bool wants_buffer(const Graph& g, const Fusion& fusion, const std::vector<Facts>& facts, Id node,
                  std::span<const uint32_t> asked);

/// Iterations of the loops that a value at `place` is computed inside of: a value can move out of
/// the loops inside of the innermost one that it depends on, but not out of those around that one.
double iterations(const Graph& g, const Fusion& fusion, uint32_t kernel, Id place);

/// Values that one kernel computes, at most: bounds the work of code generation.
inline constexpr uint32_t kMaxKernelNodes = 4096;

/// Would a reduction be left with too few parallel iterations around it, in a kernel that is not
/// small?
bool is_serial(double iterations, double work);

/// Does a value have as many elements as the largest reduction fused into it, like an epilogue?
bool is_epilogue(const Facts& facts);

/// Would a reduction that EXPAND `id` repeats be computed once only, outside of the loops over the
/// repeated axes, in a kernel with loops over the axes of `id`?
bool can_hoist(const Graph& g, const std::vector<Facts>& facts, Id id);

}  // namespace loom
