// The last step of a kernel: axes and PARAM slots are numbered without gaps, so that kernels that
// do the same have the same structure and are compiled once.
#pragma once
#include "schedule/emit.h"

namespace loom {

/// LOOP axes first, then REDUCE axes, each in nesting order; outputs have the first slots, inputs
/// follow in order of first use. Buffers and bindings that are not used any more are dropped.
void canonicalise(EmittedKernel& kernel);

}  // namespace loom
