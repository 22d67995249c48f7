// The machine's limits, measured with kernels that we generate: no other yardstick fits every
// machine.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/timing.h"
#include "bench/bench.h"
#include "bench/machine.h"
#include "runtime/device.h"

namespace loom::bench {

namespace {

constexpr int kAccumulators = 16;  // enough to hide the latency of two multiply-adds per cycle
constexpr int64_t kFmaSteps = 100'000;
constexpr int64_t kReadBytes = int64_t{256} << 20;

std::string vector_type(const Target& target, int& lanes) {
  lanes = std::max(4, target.vector_bits / 32);
  return str("<", lanes, " x float>");
}

std::string triple(const Target& target) {
  return str("target triple = \"", target.arch, "-unknown-linux-gnu\"\n");
}

std::string header(const std::string& name) {
  return str("define void @", name, "(ptr %buffers, ptr %variables, i64 %thread) #0 {\nentry:\n",
             "  %slot = getelementptr ptr, ptr %buffers, i64 %thread\n  %data = load ptr, ptr "
             "%slot\n  br label %loop\nloop:\n");
}

std::string footer(const Target& target) {
  return str("}\nattributes #0 = { nounwind \"target-cpu\"=\"", target.cpu,
             "\" \"target-features\"=\"", target.features, "\" \"prefer-vector-width\"=\"",
             target.vector_bits, "\" }\n");
}

/// Independent chains x = x * m + m over vector registers, `kFmaSteps` steps each.
std::string fma_source(const Target& target, int& lanes) {
  std::string type = vector_type(target, lanes);
  std::string suffix = str("v", lanes, "f32");
  std::string text = triple(target) + str("declare ", type, " @llvm.fma.", suffix, "(", type, ", ",
                                          type, ", ", type, ")\n", header("peak"));
  text += "  %i = phi i64 [0, %entry], [%next, %loop]\n";
  for (int k = 0; k < kAccumulators; k++) {
    text += str("  %x", k, " = phi ", type, " [%start", k, ", %entry], [%y", k, ", %loop]\n");
  }
  for (int k = 0; k < kAccumulators; k++) {
    text += str("  %y", k, " = call ", type, " @llvm.fma.", suffix, "(", type, " %x", k, ", ", type,
                " %m, ", type, " %m)\n");
  }
  text += str("  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, ", kFmaSteps,
              "\n  br i1 %more, label %loop, label %done\ndone:\n");
  for (int k = 0; k < kAccumulators; k++) {
    text += str("  %p", k, " = getelementptr ", type, ", ptr %data, i64 ", k, "\n  store ", type,
                " %y", k, ", ptr %p", k, ", align 4\n");
  }
  std::string loads = str("  %m = load ", type, ", ptr %data, align 4\n");
  for (int k = 0; k < kAccumulators; k++) {
    loads += str("  %q", k, " = getelementptr ", type, ", ptr %data, i64 ", k, "\n  %start", k,
                 " = load ", type, ", ptr %q", k, ", align 4\n");
  }
  text.insert(text.find("  br label %loop\n"), loads);
  return text + "  ret void\n" + footer(target);
}

/// Adds up each thread's buffer with eight vector accumulators: bound by memory alone.
std::string read_source(const Target& target, int64_t bytes, int& lanes) {
  std::string type = vector_type(target, lanes);
  int64_t step = int64_t{8} * lanes;
  std::string text = triple(target) + header("read");
  text += "  %i = phi i64 [0, %entry], [%next, %loop]\n";
  for (int k = 0; k < 8; k++)
    text += str("  %x", k, " = phi ", type, " [zeroinitializer, %entry], [%y", k, ", %loop]\n");
  for (int k = 0; k < 8; k++) {
    text += str("  %o", k, " = add i64 %i, ", k * lanes, "\n  %p", k,
                " = getelementptr float, ptr %data, i64 %o", k, "\n  %v", k, " = load ", type,
                ", ptr %p", k, ", align 4\n  %y", k, " = fadd ", type, " %x", k, ", %v", k, "\n");
  }
  text += str("  %next = add i64 %i, ", step, "\n  %more = icmp ult i64 %next, ",
              bytes / 4 / step * step, "\n  br i1 %more, label %loop, label %done\ndone:\n");
  for (int k = 0; k < 8; k++) {
    text += str("  %s", k, " = getelementptr ", type, ", ptr %data, i64 ", k, "\n  store ", type,
                " %y", k, ", ptr %s", k, ", align 4\n");
  }
  return text + "  ret void\n" + footer(target);
}

/// Seconds-per-run samples of `source` on every thread of the CPU, each with `bytes` of its own
/// memory.
std::vector<double> run_on_all_threads(const std::string& source, const std::string& entry,
                                       int64_t bytes, int samples) {
  Device& cpu = device("CPU");
  std::unique_ptr<Program> program = cpu.load(cpu.compile(source, entry), entry);
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<void*> pointers;
  for (int t = 0; t < cpu.target().threads; t++) {
    buffers.push_back(std::make_unique<Buffer>(cpu, bytes));
    auto* floats = static_cast<float*>(buffers.back()->data());
    std::fill_n(floats, bytes / 4, 0.5f);
    pointers.push_back(floats);
  }
  LaunchDims dims;
  dims.threads = cpu.target().threads;
  return sample_ns(2, samples, [&] { program->launch(pointers, {}, dims); });
}

/// A limit is what the machine does when nothing disturbs it: the best of the samples.
Result best(std::string id, std::string unit, std::span<const double> rates) {
  const Statistics stats = statistics(rates);
  return {std::move(id), stats.max, std::move(unit), stats.spread, {}};
}

}  // namespace

std::vector<Result> machine_bench() {
  const Target& target = device("CPU").target();
  int lanes = 0;
  std::string fma = fma_source(target, lanes);
  std::vector<double> fma_ns =
      run_on_all_threads(fma, "peak", int64_t{4} * kAccumulators * lanes, 99);
  for (double& ns : fma_ns) ns = 2.0 * kFmaSteps * kAccumulators * lanes * target.threads / ns;
  std::string read = read_source(target, kReadBytes, lanes);
  std::vector<double> read_ns = run_on_all_threads(read, "read", kReadBytes, 9);
  for (double& ns : read_ns) ns = static_cast<double>(kReadBytes) * target.threads / ns;
  return {best("machine.fma_gflops", "GFLOP/s", fma_ns), best("machine.read_gbs", "GB/s", read_ns)};
}

const std::vector<Result>& machine() {
  static const std::vector<Result> once = machine_bench();
  return once;
}

}  // namespace loom::bench
