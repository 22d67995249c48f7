// `loom sample-frame`: renders the picture that `loom warp` is shown with, a road with lane
// markings under an evening sky, 1928 x 1208. examples/frame.png was made by it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "tools/commands.h"
#include "tools/image.h"

namespace loom::tools {

namespace {

constexpr int kWidth = 1928, kHeight = 1208;
constexpr double kHorizon = 560, kFocal = 2648, kCameraHeight = 1.3;  // pixels, pixels, metres

struct Colour {
  double r, g, b;
};

Colour mix(Colour a, Colour b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

Colour sky(double y) { return mix({58, 92, 150}, {246, 196, 140}, std::pow(y / kHorizon, 2)); }

/// A row of hills whose outline is a sum of sines.
bool is_hill(double x, double y) {
  double top =
      kHorizon - 40 - 22 * std::sin(x / 170) - 11 * std::sin(x / 61 + 1) - 5 * std::sin(x / 23);
  return y > top;
}

/// The ground point seen at a pixel below the horizon: metres to the right and ahead, on a road
/// that bends.
Colour ground(double x, double y) {
  double ahead = kFocal * kCameraHeight / (y - kHorizon);
  double right = (x - kWidth / 2.0) * ahead / kFocal - 0.0016 * ahead * ahead;
  double haze = std::exp(-ahead / 130);
  Colour colour{74, 104, 52};
  if (std::abs(right) < 5.6) colour = {70, 70, 76};
  bool dash = std::fmod(ahead, 9.0) < 4.0;
  bool lane = std::abs(std::abs(right) - 1.8) < 0.08 && dash;
  bool edge = std::abs(std::abs(right) - 5.3) < 0.09;
  if (lane || edge) colour = {226, 226, 214};
  double grain = 1 + 0.06 * std::sin(right * 9) * std::sin(ahead * 1.7);
  colour = {colour.r * grain, colour.g * grain, colour.b * grain};
  return mix({214, 178, 140}, colour, haze);
}

Colour pixel(double x, double y) {
  if (y > kHorizon + 1) return ground(x, y);
  return is_hill(x, y) ? mix({96, 104, 118}, {150, 132, 120}, y / kHorizon) : sky(y);
}

uint8_t byte(double value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

Image render_frame() {
  Image image{kWidth, kHeight, 3, {}};
  image.pixels.reserve(size_t{3} * kWidth * kHeight);
  for (int y = 0; y < kHeight; y++) {
    for (int x = 0; x < kWidth; x++) {
      Colour c = pixel(x, y);
      for (double channel : {c.r, c.g, c.b}) image.pixels.push_back(byte(channel));
    }
  }
  return image;
}

}  // namespace

void add_sample_frame_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("sample-frame", "Render the sample camera frame of `loom warp`");
  auto path = std::make_shared<std::string>();
  command->add_option("-o,--output", *path, "PNG to write")->required();
  command->callback([path] { write_png(*path, render_frame()); });
}

}  // namespace loom::tools
