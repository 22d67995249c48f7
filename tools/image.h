// Pictures of 8-bit gray or RGB pixels, read from PNG or JPEG and written as PNG.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loom::tools {

struct Image {
  int64_t width = 0, height = 0;
  int64_t channels = 1;         // 1 gray, 3 RGB
  std::vector<uint8_t> pixels;  // rows from the top, channels interleaved
};

/// Reads a PNG or JPEG of any size. Palettes become RGB, 16-bit samples 8-bit, and transparency is
/// composed on black. Throws UserError naming the file when it is unreadable, truncated, empty or
/// neither format.
Image read_image(const std::string& path);
/// The same from memory; `name` is what errors call the picture.
Image decode_image(std::span<const uint8_t> bytes, const std::string& name);

/// Writes a PNG through a temporary name, so that there is never a partial file. Throws UserError.
void write_png(const std::string& path, const Image& image);

}  // namespace loom::tools
