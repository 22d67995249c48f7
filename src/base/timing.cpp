#include "base/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace loom {

int64_t now_ns() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

Statistics statistics(std::span<const double> samples) {
  if (samples.empty()) fail<UserError>("statistics of no samples");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  size_t n = sorted.size();
  Statistics result;
  result.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  result.min = sorted.front();
  result.max = sorted.back();
  double quartiles = sorted[n * 3 / 4] - sorted[n / 4];
  result.spread = quartiles == 0 ? 0 : quartiles / 2 / std::abs(result.median);
  return result;
}

}  // namespace loom
