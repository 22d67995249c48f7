// What LOOM_DEBUG shows of a run: totals from level 1, a line for each kernel from level 2.
#pragma once
#include <cstdint>

namespace loom {

struct CompiledKernel;

/// Sums up one run and prints its total at the end.
class RunReport {
 public:
  RunReport();
  ~RunReport();
  RunReport(const RunReport&) = delete;
  RunReport& operator=(const RunReport&) = delete;

  /// `kernel` is null for a copy.
  void add(const CompiledKernel* kernel, int64_t nanoseconds);
  int level() const { return level_; }

 private:
  int level_;
  int64_t launches_ = 0, nanoseconds_ = 0, flops_ = 0, bytes_ = 0;
};

/// Times the launch that runs in its scope, where anybody wants to know.
class LaunchTimer {
 public:
  LaunchTimer(RunReport& report, const CompiledKernel* kernel);
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

 private:
  RunReport& report_;
  const CompiledKernel* kernel_;
  int64_t start_;
};

}  // namespace loom
