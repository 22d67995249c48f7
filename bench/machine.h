#pragma once
#include "bench/bench.h"

namespace loom::bench {

/// The machine's limits, measured once per process.
const std::vector<Result>& machine();

}  // namespace loom::bench
