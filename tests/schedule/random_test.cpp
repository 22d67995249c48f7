#include "tests/oracle/random_tensors.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

std::string run(uint64_t seed, int steps) {
  RandomProgram program = RandomTensors(seed).program(steps);
  try {
    return difference(program.graph, program.sink, program.memory);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// The smallest number of steps with which the seed still fails.
int shrunk(uint64_t seed, int steps) {
  for (int fewer = 1; fewer < steps; fewer++) {
    if (!run(seed, fewer).empty()) return fewer;
  }
  return steps;
}

TEST(ScheduleFuzz, KernelsComputeWhatTheTensorsMean) {
  const uint64_t first = GTEST_FLAG_GET(random_seed) * 100'000ull;
  for (uint64_t seed = first; seed < first + 1500; seed++) {
    const int steps = 1 + static_cast<int>(seed % 30);
    if (run(seed, steps).empty()) continue;
    const int least = shrunk(seed, steps);
    ADD_FAILURE() << "seed " << seed << ", " << least << " steps: " << run(seed, least);
    break;
  }
}

}  // namespace
}  // namespace loom::oracle
