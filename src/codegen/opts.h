// Opts as rewrites of a kernel's ranges.
//
// In:  a kernel body in kernel form, or with some opts applied already.
// Out: the same kernel with one range split, padded or moved; it computes the same. Axes are
//      counted among `kernel_ranges`. A split keeps the outer part in its place and adds the inner
//      part after all other ranges, so the positions of the other axes stay what they were.
#pragma once
#include "base/target.h"
#include "codegen/opt.h"
#include "ir/graph.h"

namespace loom {

/// Throws UserError, naming the axis, its size and the amount, when the opt does not apply.
Id apply_opt(Graph& g, Id sink, const Opt& opt, const Target& target);

}  // namespace loom
