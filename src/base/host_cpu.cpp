// The only place that asks the machine what it is.

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/target.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace loom {
namespace {

#if defined(__x86_64__)

enum Register { kEax, kEbx, kEcx, kEdx };

/// Register state that the operating system must save for a feature to be usable: bits of XCR0.
enum State : uint64_t { kPlain = 0, kAvx = 0x6, kAvx512 = 0xe6 };

struct Feature {
  const char* name;  // LLVM's
  unsigned leaf, subleaf;
  Register reg;
  int bit;
  State state;
};

constexpr Feature kFeatures[] = {
    {"sse3", 1, 0, kEcx, 0, kPlain},
    {"pclmul", 1, 0, kEcx, 1, kPlain},
    {"ssse3", 1, 0, kEcx, 9, kPlain},
    {"fma", 1, 0, kEcx, 12, kAvx},
    {"cx16", 1, 0, kEcx, 13, kPlain},
    {"sse4.1", 1, 0, kEcx, 19, kPlain},
    {"sse4.2", 1, 0, kEcx, 20, kPlain},
    {"movbe", 1, 0, kEcx, 22, kPlain},
    {"popcnt", 1, 0, kEcx, 23, kPlain},
    {"avx", 1, 0, kEcx, 28, kAvx},
    {"f16c", 1, 0, kEcx, 29, kAvx},
    {"sahf", 0x80000001, 0, kEcx, 0, kPlain},
    {"lzcnt", 0x80000001, 0, kEcx, 5, kPlain},
    {"bmi", 7, 0, kEbx, 3, kPlain},
    {"avx2", 7, 0, kEbx, 5, kAvx},
    {"bmi2", 7, 0, kEbx, 8, kPlain},
    {"avx512f", 7, 0, kEbx, 16, kAvx512},
    {"avx512dq", 7, 0, kEbx, 17, kAvx512},
    {"avx512ifma", 7, 0, kEbx, 21, kAvx512},
    {"avx512cd", 7, 0, kEbx, 28, kAvx512},
    {"avx512bw", 7, 0, kEbx, 30, kAvx512},
    {"avx512vl", 7, 0, kEbx, 31, kAvx512},
    {"avx512vbmi", 7, 0, kEcx, 1, kAvx512},
    {"avx512vbmi2", 7, 0, kEcx, 6, kAvx512},
    {"gfni", 7, 0, kEcx, 8, kPlain},
    {"avx512vnni", 7, 0, kEcx, 11, kAvx512},
    {"avx512bitalg", 7, 0, kEcx, 12, kAvx512},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, kAvx512},
    {"avx512fp16", 7, 0, kEdx, 23, kAvx512},
    {"avxvnni", 7, 1, kEax, 4, kAvx},
    {"avx512bf16", 7, 1, kEax, 5, kAvx512},
};

/// The register sets that the operating system saves (XCR0), 0 when it does not say.
uint64_t saved_state() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kOsxsave = 1U << 27;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return 0;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

bool has(const Feature& feature, uint64_t state) {
  unsigned regs[4] = {};
  if (__get_cpuid_count(feature.leaf, feature.subleaf, &regs[0], &regs[1], &regs[2], &regs[3]) == 0)
    return false;
  return (regs[feature.reg] >> feature.bit & 1) != 0 && (state & feature.state) == feature.state;
}

/// The highest psABI level whose features are all there; it also tells LLVM which instructions are
/// cheap.
const char* level(const auto& has_all) {
  if (!has_all({"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf"})) return "x86-64";
  if (!has_all({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})) return "x86-64-v2";
  if (!has_all({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})) return "x86-64-v3";
  return "x86-64-v4";
}

Target detect_instructions() {
  Target target = generic_x86_64();
  uint64_t state = saved_state();
  std::vector<std::string_view> found;
  for (const Feature& feature : kFeatures) {
    if (!has(feature, state)) continue;
    found.emplace_back(feature.name);
    target.features += std::string(target.features.empty() ? "+" : ",+") + feature.name;
  }
  auto has_all = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
      return std::find(found.begin(), found.end(), name) != found.end();
    });
  };
  target.cpu = level(has_all);
  target.has_fma = has_all({"fma"});
  target.has_half_conversions = has_all({"f16c"});
  if (target.cpu == "x86-64-v4") {
    target.vector_bits = 512;
    target.vector_registers = 32;
    // That level halves vectors for the sake of the first AVX-512 machines; we choose widths
    // ourselves.
    target.features += ",-prefer-256-bit";
  } else if (has_all({"avx2"})) {
    target.vector_bits = 256;
  }
  return target;
}

#else

Target detect_instructions() {
#if defined(__aarch64__)
  return generic_arm64();
#else
  Target target;
  target.arch = target.cpu = "generic";
  return target;
#endif
}

#endif

/// CPUs' worth of time that a container grants (its cgroup's quota), rounded up; 0 when there is no
/// limit.
int quota_threads() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  int64_t quota = 0, period = 0;
  if (!(file >> quota >> period) || period <= 0)
    return 0;  // "max 100000" fails to read as a number
  return static_cast<int>((quota + period - 1) / period);
}

int count_threads() {
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  int quota = quota_threads();
  return quota > 0 ? std::min(threads, quota) : threads;
}

/// The size of a cache level, or what the target says already where the system does not know.
[[maybe_unused]] void detect_cache(int64_t& bytes, int query) {
  int64_t found = sysconf(query);
  if (found > 0) bytes = found;
}

Target detect() {
  Target target = detect_instructions();
  target.threads = count_threads();
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  detect_cache(target.l1_bytes, _SC_LEVEL1_DCACHE_SIZE);
  detect_cache(target.l2_bytes, _SC_LEVEL2_CACHE_SIZE);
  detect_cache(target.l3_bytes, _SC_LEVEL3_CACHE_SIZE);
#endif
  return target;
}

}  // namespace

const Target& host_target() {
  static const Target target = detect();
  return target;
}

}  // namespace loom
