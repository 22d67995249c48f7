#include "base/log.h"

#include <unistd.h>

#include "base/settings.h"
#include "base/timing.h"

namespace loom {
namespace {

constexpr int64_t kShortestShowNs = 50'000'000;

const char* code(Color color) {
  switch (color) {
    case Color::kPlain: return "";
    case Color::kBold: return "\033[1m";
    case Color::kRed: return "\033[31m";
    case Color::kGreen: return "\033[32m";
    case Color::kYellow: return "\033[33m";
    case Color::kBlue: return "\033[34m";
    case Color::kMagenta: return "\033[35m";
    case Color::kCyan: return "\033[36m";
    case Color::kGray: return "\033[90m";
  }
  return "";
}

}  // namespace

int debug_level() { return settings()->debug; }

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

bool use_color(std::FILE* stream) { return is_terminal(stream) && settings()->color; }

std::string paint(Color color, std::string_view text) {
  if (color == Color::kPlain) return std::string(text);
  return std::string(code(color)).append(text).append("\033[0m");
}

std::string paint_for(std::FILE* stream, Color color, std::string_view text) {
  return use_color(stream) ? paint(color, text) : std::string(text);
}

void log_line(std::string_view text) {
  std::string line(text);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void log_warning(std::string_view text) { log_line(std::string("loom: warning: ").append(text)); }

ProgressLine::ProgressLine(std::FILE* stream) : stream_(is_terminal(stream) ? stream : nullptr) {}

ProgressLine::~ProgressLine() {
  if (stream_ == nullptr || last_ns_ == 0) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
}

void ProgressLine::show(std::string_view text) {
  if (stream_ == nullptr) return;
  int64_t now = now_ns();
  if (last_ns_ != 0 && now - last_ns_ < kShortestShowNs) return;
  last_ns_ = now;
  std::string line = std::string("\r\033[K").append(text);
  std::fwrite(line.data(), 1, line.size(), stream_);
  std::fflush(stream_);
}

}  // namespace loom
