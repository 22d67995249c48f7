// `loom warp IN -o OUT.png`: the camera frame as the driving model sees it.
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/timing.h"
#include "loom/jit.h"
#include "tools/commands.h"
#include "tools/image.h"
#include "tools/warp.h"

namespace loom::tools {

namespace {

struct WarpOptions {
  std::string input, output;
  std::vector<double> matrix;
  int repeat = 1;
};

Tensor frame_tensor(const Image& image) {
  Tensor pixels(image.pixels);
  if (image.channels == 1) return pixels.reshape({image.height, image.width});
  return pixels.reshape({image.height, image.width, image.channels});
}

/// Shows on a terminal what the command is doing, on one line that the next step overwrites.
void show_step(const char* step) {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\033[K%s", step);
}

Tensor run_repeatedly(const Tensor& frame, const Tensor& inverse, int repeat) {
  Jit run([](const Tensor& f, const Tensor& m) { return warp(f, m); }, {.prune = true});
  Tensor result;
  for (int i = 0; i < repeat; i++) {
    int64_t start = now_ns();
    result = run(frame, inverse);
    double enqueued = static_cast<double>(now_ns() - start) / 1e6;
    result.realize();
    double total = static_cast<double>(now_ns() - start) / 1e6;
    if (repeat > 1) std::printf("enqueue %8.3f ms   total %8.3f ms\n", enqueued, total);
  }
  return result;
}

void run_warp(const WarpOptions& options) {
  if (!options.matrix.empty()) check_matrix(options.matrix);  // before any slow work
  show_step("reading");
  Image image = read_image(options.input);
  Matrix3 matrix = options.matrix.empty() ? default_matrix(image.width, image.height)
                                          : check_matrix(options.matrix);
  show_step("warping");
  Tensor frame = frame_tensor(image).realize();
  Tensor warped = run_repeatedly(frame, matrix_tensor(matrix).realize(), options.repeat);
  show_step("writing");
  write_png(options.output,
            {kModelWidth, kModelHeight, image.channels, warped.to_vector<uint8_t>()});
  show_step("");
}

}  // namespace

void add_warp_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("warp", "Warp a camera frame to the 512 x 256 frame of a driving model");
  auto options = std::make_shared<WarpOptions>();
  command->add_option("input", options->input, "PNG or JPEG to read")->required();
  command->add_option("-o,--output", options->output, "PNG to write")->required();
  command
      ->add_option("--matrix", options->matrix,
                   "Nine numbers, row by row: destination (x, y, 1) to source. Default: a pitched "
                   "model camera")
      ->expected(9)
      ->allow_extra_args(false);
  command
      ->add_option("--repeat", options->repeat,
                   "Runs; with more than one, prints a line with the times of each")
      ->check(CLI::PositiveNumber);
  command->callback([options] { run_warp(*options); });
}

}  // namespace loom::tools
