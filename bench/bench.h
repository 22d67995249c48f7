// What a benchmark is: a name and a function that returns figures. `loom bench` runs and prints
// them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::bench {

/// One figure: the median of several runs, and their spread: half the distance between the
/// quartiles over the median.
struct Result {
  std::string id;
  double value = 0;
  std::string unit;
  double spread = 0;
  std::map<std::string, double>
      peers;  // the same figure of another library, measured in the same run
};

struct Benchmark {
  std::string_view name;
  std::string_view what;
  std::vector<Result> (*run)();
};

/// All benchmarks, in the order `make bench` runs them.
std::span<const Benchmark> benchmarks();

/// MB that the process grows by between 1,000 and 100,000 cycles of building and realizing a graph.
Result rss_growth();

std::vector<Result> machine_bench();
std::vector<Result> rewrite_bench();
std::vector<Result> compile_bench();
std::vector<Result> gemm_bench();
std::vector<Result> warp_bench();
std::vector<Result> hello_bench();

/// Runs `work` `warm_up` times untimed and then `samples` times; nanoseconds of each timed run.
std::vector<double> sample_ns(int warm_up, int samples, const std::function<void()>& work);

/// A figure from samples in nanoseconds, each turned into `unit` by `convert`.
Result result_from(std::string id, std::string unit, std::span<const double> ns,
                   double (*convert)(double ns));

/// Runs a program (the first argument is its path) with environment settings such as
/// {"LOOM_CACHE_DIR", path}; returns what it printed. Throws DeviceError when it fails.
std::string run_process(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment);
/// Nanoseconds of the first warp of this process, from pixels in memory to the result.
double first_warp_ns();
/// Folder of the running executable.
std::string executable_folder();

}  // namespace loom::bench
