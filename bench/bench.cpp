#include "bench/bench.h"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/timing.h"

namespace loom::bench {

std::span<const Benchmark> benchmarks() {
  static constexpr Benchmark kAll[] = {
      {"machine", "the machine's limits: multiply-adds and reading memory", machine_bench},
      {"rewrite", "interning and rewriting of large graphs", rewrite_bench},
      {"compile", "ResNet-50, batch 64, from tensors to linear programs", compile_bench},
      {"gemm", "square float32 products beside OpenBLAS and oneDNN", gemm_bench},
      {"warp", "camera frame 1208 x 1928 to 256 x 512", warp_bench},
      {"hello", "a fresh process that prints [1, 2, 3] + 1", hello_bench},
  };
  return kAll;
}

std::vector<double> sample_ns(int warm_up, int samples, const std::function<void()>& work) {
  for (int i = 0; i < warm_up; i++) work();
  std::vector<double> ns;
  for (int i = 0; i < samples; i++) {
    int64_t start = now_ns();
    work();
    ns.push_back(static_cast<double>(now_ns() - start));
  }
  return ns;
}

Result result_from(std::string id, std::string unit, std::span<const double> ns,
                   double (*convert)(double ns)) {
  std::vector<double> values;
  for (double value : ns) values.push_back(convert(value));
  Statistics stats = statistics(values);
  return {std::move(id), stats.median, std::move(unit), stats.spread, {}};
}

std::string executable_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

std::string run_process(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment) {
  std::string command = "env";
  auto quote = [](const std::string& text) {
    return " '" + text + "'";
  };  // our own paths: they hold no quotes
  for (const auto& [key, value] : environment) command += quote(key + "=" + value);
  for (const std::string& argument : arguments) command += quote(argument);
  auto close = [](FILE* pipe) { return pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  if (!pipe) fail<DeviceError>("cannot run ", command);
  std::string output;
  char piece[256];
  while (size_t got = std::fread(piece, 1, sizeof piece, pipe.get())) output.append(piece, got);
  if (close(pipe.release()) != 0) fail<DeviceError>("this failed: ", command);
  return output;
}

}  // namespace loom::bench
