// Does a process that builds and realizes new graphs for a long time grow? The interpreter runs
// them, so that the time goes into what we look at (graphs, schedules, kernels, plans, buffers) and
// not into LLVM.
#include <unistd.h>
#include <fstream>

#include "bench/bench.h"
#include "loom/tensor.h"

namespace loom::bench {

namespace {

constexpr int64_t kFirst = 1'000, kLast = 100'000;

double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// No two cycles have the same graph: the constant differs.
void cycle(int64_t i) {
  const Tensor x = Tensor({1.0f, 2.0f, 3.0f, 4.0f}, {}, "INTERP");
  ((x + static_cast<float>(i)) * x).sum().realize();
}

}  // namespace

Result rss_growth() {
  int64_t i = 0;
  while (i < kFirst) cycle(i++);
  const double first = resident_mb();
  while (i < kLast) cycle(i++);
  return {"rewrite.rss_growth_mb", resident_mb() - first, "MB", 0, {}};
}

}  // namespace loom::bench
