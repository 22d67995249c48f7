#include "tools/image.h"

#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>
#include <png.h>

#include "base/error.h"
#include "base/file.h"

namespace loom::tools {

namespace {

constexpr int64_t kMaxFileBytes = int64_t{1} << 30;
constexpr int64_t kMaxPixels =
    int64_t{1} << 28;  // a hostile header must not make us allocate the machine's memory

void check_size(int64_t width, int64_t height, const std::string& name) {
  if (width <= 0 || height <= 0)
    fail<UserError>(name, ": the picture is empty (", width, " x ", height, ")");
  if (width > kMaxPixels / height) {
    fail<UserError>(name, ": the picture is too large (", width, " x ", height, ", at most ",
                    kMaxPixels, " pixels)");
  }
}

/// libpng's simplified reader and writer keep their state in a png_image that must be freed on
/// every path.
struct PngState {
  png_image image{};
  PngState() { image.version = PNG_IMAGE_VERSION; }
  ~PngState() { png_image_free(&image); }
  PngState(const PngState&) = delete;
  PngState& operator=(const PngState&) = delete;
};

Image decode_png(std::span<const uint8_t> bytes, const std::string& name) {
  PngState png;
  if (png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()) == 0) {
    fail<UserError>(name, ": not a readable PNG (", png.image.message, ")");
  }
  check_size(png.image.width, png.image.height, name);
  bool colour = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Image result{png.image.width, png.image.height, colour ? 3 : 1, {}};
  result.pixels.resize(PNG_IMAGE_SIZE(png.image));
  png_color black{0, 0, 0};
  if (png_image_finish_read(&png.image, &black, result.pixels.data(), 0, nullptr) == 0) {
    fail<UserError>(name, ": the PNG is damaged or truncated (", png.image.message, ")");
  }
  return result;
}

/// libjpeg reports errors through a callback that must not return; we jump back to where decoding
/// began.
struct JpegErrors {
  jpeg_error_mgr base{};
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";
};

void jpeg_failed(j_common_ptr decoder) {
  auto* errors = reinterpret_cast<JpegErrors*>(decoder->err);
  decoder->err->format_message(decoder, errors->message);
  std::longjmp(errors->jump, 1);
}

/// libjpeg only warns about missing data and fills the picture with gray: for us that is an error.
void jpeg_warned(j_common_ptr decoder, int level) {
  if (level < 0) jpeg_failed(decoder);
}

/// Decodes into `image`; false with `errors.message` set when the data is bad. Nothing here has a
/// destructor, because longjmp would skip it.
bool run_jpeg(jpeg_decompress_struct& decoder, JpegErrors& errors, std::span<const uint8_t> bytes,
              Image& image) {
  if (setjmp(errors.jump) != 0) return false;
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, bytes.data(), static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&decoder, TRUE);
  decoder.out_color_space = decoder.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&decoder);
  image.width = decoder.output_width;
  image.height = decoder.output_height;
  image.channels = decoder.output_components;
  if (image.width > kMaxPixels / image.height) return true;  // reported by the caller's size check
  size_t stride = static_cast<size_t>(image.width * image.channels);
  image.pixels.resize(stride * static_cast<size_t>(image.height));
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = image.pixels.data() + decoder.output_scanline * stride;
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  return true;
}

Image decode_jpeg(std::span<const uint8_t> bytes, const std::string& name) {
  JpegErrors errors;
  jpeg_decompress_struct decoder{};
  decoder.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = jpeg_failed;
  errors.base.emit_message = jpeg_warned;
  Image image;
  bool good = run_jpeg(decoder, errors, bytes, image);
  jpeg_destroy_decompress(&decoder);
  if (!good) fail<UserError>(name, ": the JPEG is damaged or truncated (", errors.message, ")");
  check_size(image.width, image.height, name);
  return image;
}

}  // namespace

Image decode_image(std::span<const uint8_t> bytes, const std::string& name) {
  if (bytes.empty()) fail<UserError>(name, ": the file is empty");
  if (bytes.size() >= 8 && png_sig_cmp(bytes.data(), 0, 8) == 0) return decode_png(bytes, name);
  if (bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8) return decode_jpeg(bytes, name);
  fail<UserError>(name, ": neither a PNG nor a JPEG");
}

Image read_image(const std::string& path) {
  return decode_image(read_file(path, kMaxFileBytes), path);
}

void write_png(const std::string& path, const Image& image) {
  PngState png;
  png.image.width = static_cast<png_uint_32>(image.width);
  png.image.height = static_cast<png_uint_32>(image.height);
  png.image.format = image.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::vector<uint8_t> bytes(size);
  if (png_image_write_to_memory(&png.image, bytes.data(), &size, 0, image.pixels.data(), 0,
                                nullptr) == 0) {
    fail<UserError>(path, ": cannot encode the picture (", png.image.message, ")");
  }
  bytes.resize(size);
  write_file(path, bytes);
}

}  // namespace loom::tools
