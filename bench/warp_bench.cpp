// The camera-frame warp: time of a steady replay and of the first call of a fresh process with
// nothing cached.
#include <cstdlib>
#include <filesystem>

#include "base/timing.h"
#include "bench/bench.h"
#include "bench/machine.h"
#include "loom/jit.h"
#include "tools/warp.h"

namespace loom::bench {

namespace {

constexpr int64_t kHeight = 1208, kWidth = 1928;
constexpr int kFirstCalls = 9;

Tensor frame() {
  return (Tensor::arange(kHeight * kWidth) % 251)
      .cast(kFloat32)
      .reshape({kHeight, kWidth})
      .realize();
}

Tensor matrix() { return tools::matrix_tensor(tools::default_matrix(kWidth, kHeight)).realize(); }

double milliseconds(double ns) { return ns / 1e6; }

Result steady() {
  Tensor f = frame(), m = matrix();
  Jit run([](const Tensor& x, const Tensor& y) { return tools::warp(x, y); }, {.prune = true});
  Result result = result_from("warp.total_ms", "ms",
                              sample_ns(10, 100, [&] { run(f, m).realize(); }), milliseconds);
  // Lower bound: what the warp must read and write once, at the machine's memory bandwidth.
  result.peers["machine.limit"] =
      2.0 * 4 * tools::kModelHeight * tools::kModelWidth / machine()[1].value / 1e6;
  return result;
}

/// The first call happens in a child process with an empty cache folder; the child prints its
/// nanoseconds.
Result first() {
  std::vector<double> ns;
  for (int i = 0; i < kFirstCalls; i++) {
    std::string cache =
        (std::filesystem::temp_directory_path() / ("loom-bench-cache-" + std::to_string(i)))
            .string();
    std::filesystem::remove_all(cache);
    std::string printed =
        run_process({executable_folder() + "/loom", "first-warp"}, {{"LOOM_CACHE_DIR", cache}});
    ns.push_back(std::strtod(printed.c_str(), nullptr));
    std::filesystem::remove_all(cache);
  }
  return result_from("warp.first_ms", "ms", ns, milliseconds);
}

}  // namespace

double first_warp_ns() {
  std::vector<float> pixels(kHeight * kWidth, 0.5f);
  int64_t start = now_ns();
  Tensor f = Tensor(pixels).reshape({kHeight, kWidth});
  Jit run([](const Tensor& x, const Tensor& y) { return tools::warp(x, y); }, {.prune = true});
  run(f, tools::matrix_tensor(tools::default_matrix(kWidth, kHeight))).realize();
  return static_cast<double>(now_ns() - start);
}

std::vector<Result> warp_bench() { return {steady(), first()}; }

}  // namespace loom::bench
