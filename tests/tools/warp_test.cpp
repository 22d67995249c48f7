// The warp against a plain loop, bit for bit, and the command line against bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/file.h"
#include "base/str.h"
#include "loom/jit.h"
#include "loom/settings.h"
#include "tools/image.h"
#include "tools/warp.h"

namespace loom::tools {
namespace {

constexpr const char* kFrame = LOOM_SOURCE_DIR "/examples/frame.png";

/// What `warp` computes, as a C++ programmer would write it. Compiled without contraction, like all
/// of Rangeloom.
std::vector<uint8_t> plain_warp(const Image& frame, const std::vector<float>& m, int64_t height,
                                int64_t width) {
  std::vector<uint8_t> out;
  auto nearest = [](float value, int64_t size) {
    value = std::floor(value + 0.5f);
    if (std::isnan(value)) return int64_t{0};
    return static_cast<int64_t>(std::clamp(value, 0.0f, static_cast<float>(size - 1)));
  };
  for (int64_t y = 0; y < height; y++) {
    for (int64_t x = 0; x < width; x++) {
      auto fx = static_cast<float>(x), fy = static_cast<float>(y);
      float u = m[0] * fx + m[1] * fy + m[2], v = m[3] * fx + m[4] * fy + m[5];
      float w = m[6] * fx + m[7] * fy + m[8];
      int64_t column = nearest(u / w, frame.width), row = nearest(v / w, frame.height);
      const uint8_t* pixel = &frame.pixels[(row * frame.width + column) * frame.channels];
      out.insert(out.end(), pixel, pixel + frame.channels);
    }
  }
  return out;
}

Image random_image(std::mt19937& random, int64_t width, int64_t height, int64_t channels) {
  Image image{width, height, channels, {}};
  image.pixels.resize(static_cast<size_t>(width * height * channels));
  for (uint8_t& pixel : image.pixels) pixel = static_cast<uint8_t>(random());
  return image;
}

/// Mostly plausible cameras, some wild ones: horizon inside the picture, mirrored, zero rows.
std::vector<float> random_matrix(std::mt19937& random) {
  std::uniform_real_distribution<float> unit(-1, 1);
  Matrix3 base = default_matrix(1928, 1208);
  std::vector<float> m(base.begin(), base.end());
  for (float& value : m) value *= 1 + 0.3f * unit(random);
  if (random() % 4 == 0) m[7] = unit(random) / 100;
  if (random() % 8 == 0) m[random() % 9] = 0;
  if (random() % 8 == 0) {
    for (float& value : m) value = unit(random);
  }
  return m;
}

void expect_warps_equal(const std::string& device, int64_t channels, int64_t height,
                        int64_t width) {
  std::mt19937 random(7);
  Image frame = random_image(random, 193, 121, channels);
  Shape shape{frame.height, frame.width};
  if (channels > 1) shape.push_back(channels);
  Tensor pixels(frame.pixels, shape, device);
  Jit run([&](const Tensor& f, const Tensor& m) { return warp(f, m, height, width); },
          {.prune = true});
  for (int i = 0; i < 200; i++) {
    std::vector<float> m = random_matrix(random);
    for (int k = 0; k < 6; k++) m[k] /= 10;  // the picture is a tenth of the real one
    Tensor warped = run(pixels, Tensor(m, Shape{3, 3}, device));
    ASSERT_EQ(warped.to_vector<uint8_t>(), plain_warp(frame, m, height, width)) << "matrix " << i;
  }
}

TEST(Warp, EqualsPlainLoopOnCpuGray) { expect_warps_equal("CPU", 1, kModelHeight, kModelWidth); }
TEST(Warp, EqualsPlainLoopOnCpuRgb) { expect_warps_equal("CPU", 3, kModelHeight, kModelWidth); }
TEST(Warp, EqualsPlainLoopOnInterpreterGray) { expect_warps_equal("INTERP", 1, 48, 64); }
TEST(Warp, EqualsPlainLoopOnInterpreterRgb) { expect_warps_equal("INTERP", 3, 48, 64); }

class WarpCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("loom-warp-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Runs `loom warp` with the output out.png; exit code and everything it printed.
  std::pair<int, std::string> run(const std::string& arguments) const {
    std::string command = str(LOOM_COMMAND, " warp -o ", path("out.png"), " ", arguments, " > ",
                              path("log"), " 2>&1");
    int status = std::system(command.c_str());
    std::vector<uint8_t> log = read_file(path("log"), 1 << 20);
    return {WEXITSTATUS(status), std::string(log.begin(), log.end())};
  }

  void expect_refused(const std::string& arguments, const std::string& reason) const {
    auto [code, log] = run(arguments);
    EXPECT_EQ(code, 1) << log;
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
    EXPECT_NE(log.find(reason), std::string::npos) << log;
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
  }

  std::filesystem::path folder_;
};

TEST_F(WarpCommand, WarpsTheSampleFrame) {
  auto [code, log] = run(str(kFrame, " --repeat 3"));
  EXPECT_EQ(code, 0) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3) << log;
  Image out = read_image(path("out.png"));
  EXPECT_EQ(out.width, kModelWidth);
  EXPECT_EQ(out.height, kModelHeight);
  EXPECT_EQ(out.channels, 3);
}

TEST_F(WarpCommand, RefusesBadPictures) {
  write_file(path("empty.png"), {});
  std::vector<uint8_t> good = read_file(kFrame, 1 << 24);
  write_file(path("cut.png"), std::span(good).first(good.size() / 2));
  write_file(path("text.png"), std::vector<uint8_t>{'h', 'e', 'l', 'l', 'o'});
  std::vector<uint8_t> flat = good;
  std::fill_n(flat.begin() + 16, 4, uint8_t{0});  // the width in IHDR
  write_file(path("flat.png"), flat);
  expect_refused(path("missing.png"), "No such file");
  expect_refused(path("empty.png"), "empty");
  expect_refused(path("cut.png"), "truncated");
  expect_refused(path("text.png"), "neither a PNG nor a JPEG");
  expect_refused(path("flat.png"), "PNG");
}

TEST_F(WarpCommand, RefusesBadMatrices) {
  expect_refused(str(kFrame, " --matrix 1 2 3 2 4 6 0 0 1"), "singular");
  expect_refused(str(kFrame, " --matrix 1 0 0 0 1 0 0 0 nan"), "finite");
  expect_refused(str(kFrame, " --matrix 1 0 0 0 1 0 0 0 0"), "singular");
}

TEST(Image, ReadsWhatItWrote) {
  std::mt19937 random(3);
  std::string path = (std::filesystem::temp_directory_path() / "loom-image-test.png").string();
  for (int64_t channels : {1, 3}) {
    Image image = random_image(random, 17, 5, channels);
    write_png(path, image);
    EXPECT_EQ(read_image(path).pixels, image.pixels);
  }
  std::filesystem::remove(path);
}

TEST(Image, EveryTruncationIsRefusedFuzz) {
  std::vector<uint8_t> good = read_file(kFrame, 1 << 24);
  std::mt19937 random(11);
  for (int i = 0; i < 60; i++) {
    size_t length = random() % (good.size() - 64);
    EXPECT_THROW(decode_image(std::span(good).first(length), "cut"), UserError) << length;
  }
}

TEST(Image, DamagedFilesNeverCrashFuzz) {
  std::mt19937 random(5);
  std::string path = (std::filesystem::temp_directory_path() / "loom-image-fuzz.png").string();
  write_png(path, random_image(random, 40, 30, 3));
  std::vector<uint8_t> good = read_file(path, 1 << 20);
  std::filesystem::remove(path);
  for (int i = 0; i < 2000; i++) {
    std::vector<uint8_t> bad = good;
    for (int k = 0; k < 3; k++) bad[random() % bad.size()] = static_cast<uint8_t>(random());
    try {
      Image image = decode_image(bad, "damaged");
      EXPECT_EQ(image.pixels.size(),
                static_cast<size_t>(image.width * image.height * image.channels));
    } catch (const UserError&) {
    }
  }
}

}  // namespace
}  // namespace loom::tools
