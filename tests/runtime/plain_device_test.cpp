// The device that docs/adding-a-device.md shows: it works, and the page shows it as it is.
#include "tests/runtime/plain_device.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/runtime/kernels.h"

namespace loom {
namespace {

TEST(PlainDevice, IsOneLineOfRegistrationAway) {
  register_device("PLAIN", open_plain);
  Device& plain = device("PLAIN");
  const auto program = plain.load(plain.compile(kThreadNumbers, "numbers"), "numbers");
  Buffer out(plain, 8 * sizeof(int64_t));
  void* const buffers[] = {out.data()};
  const int64_t first = 10;
  LaunchDims dims;
  dims.threads = 8;
  program->launch(buffers, {&first, 1}, dims);
  for (int64_t k = 0; k < 8; ++k) EXPECT_EQ(static_cast<int64_t*>(out.data())[k], 10 + k);
}

TEST(PlainDevice, IsShownInTheBookAsItIs) {
  const std::string root = LOOM_SOURCE_DIR;
  const auto read = [&](const char* path) {
    const auto bytes = read_file(root + path, 1 << 20);
    return std::string(bytes.begin(), bytes.end());
  };
  EXPECT_NE(read("/docs/adding-a-device.md").find(read("/tests/runtime/plain_device.h")),
            std::string::npos);
}

}  // namespace
}  // namespace loom
