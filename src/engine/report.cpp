#include "engine/report.h"

#include <cstdio>
#include <string>

#include "base/log.h"
#include "base/timing.h"
#include "engine/kernel_cache.h"

namespace loom {
namespace {

std::string fixed(double value, int width, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof(text), "%*.2f %s", width, value, unit);
  return text;
}

// "   0.12 ms   12.30 GFLOPS    4.50 GB/s".
std::string rates(int64_t nanoseconds, int64_t flops, int64_t bytes) {
  const auto ns = static_cast<double>(nanoseconds > 0 ? nanoseconds : 1);
  return fixed(ns / 1e6, 9, "ms ") + fixed(static_cast<double>(flops) / ns, 9, "GFLOPS ") +
         fixed(static_cast<double>(bytes) / ns, 8, "GB/s");
}

std::string column(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

}  // namespace

RunReport::RunReport() : level_(debug_level()) {}

RunReport::~RunReport() {
  if (level_ < 1 || launches_ == 0) return;
  log_line(paint_for(stderr, Color::kBold, column(std::to_string(launches_) + " kernels", 48)) +
           rates(nanoseconds_, flops_, bytes_));
}

void RunReport::add(const CompiledKernel* kernel, int64_t nanoseconds) {
  const int64_t flops = kernel ? kernel->flops : 0, bytes = kernel ? kernel->bytes : 0;
  launches_++;
  nanoseconds_ += nanoseconds;
  flops_ += flops;
  bytes_ += bytes;
  if (level_ < 2) return;
  const std::string name = kernel ? kernel->name : "copy";
  const std::string opts = kernel ? std::to_string(kernel->opts.size()) + " opts" : "";
  log_line(paint_for(stderr, Color::kCyan, column(name, 40)) + column(opts, 8) +
           paint_for(stderr, Color::kYellow, rates(nanoseconds, flops, bytes)));
}

LaunchTimer::LaunchTimer(RunReport& report, const CompiledKernel* kernel)
    : report_(report), kernel_(kernel), start_(report.level() > 0 ? now_ns() : 0) {}

LaunchTimer::~LaunchTimer() {
  if (report_.level() > 0) report_.add(kernel_, now_ns() - start_);
}

}  // namespace loom
