#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace loom {

/// The colours we print in; what they mean is up to the caller.
enum class Color { kPlain, kBold, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan, kGray };

/// settings()->debug, the level asked for with LOOM_DEBUG.
int debug_level();

bool is_terminal(std::FILE* stream);

/// Whether text for this stream may be coloured: it is a terminal and the settings allow it.
bool use_color(std::FILE* stream);

/// The text between the codes that colour it.
std::string paint(Color color, std::string_view text);

/// The text as paint() makes it where the stream takes colour, else as it is.
std::string paint_for(std::FILE* stream, Color color, std::string_view text);

/// Writes whole lines to stderr in one piece, so that lines of several threads do not mix.
void log_line(std::string_view text);

/// "loom: warning: ..." on stderr.
void log_warning(std::string_view text);

/// A line on a terminal that is written again and again, and gone at the end of its scope. Where
/// the stream is no terminal it writes nothing.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream = stderr);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the text, unless the last one is too fresh to be read.
  void show(std::string_view text);

 private:
  std::FILE* stream_;  // null when there is nobody to look
  int64_t last_ns_ = 0;
};

}  // namespace loom
