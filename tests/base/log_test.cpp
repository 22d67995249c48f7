#include "base/log.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

TEST(Paint, WrapsTextInTheCodesOfItsColour) {
  EXPECT_EQ(paint(Color::kRed, "x"), "\033[31mx\033[0m");
  EXPECT_EQ(paint(Color::kPlain, "x"), "x");
}

TEST(ProgressLine, WritesNothingWhereThereIsNoTerminal) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressLine line(file);
    line.show("half way");
  }
  EXPECT_EQ(std::ftell(file), 0);
  EXPECT_FALSE(use_color(file));
  EXPECT_EQ(paint_for(file, Color::kGreen, "x"), "x");
  std::fclose(file);
}

TEST(LogLine, WritesWholeLines) {
  testing::internal::CaptureStderr();
  log_line("one");
  log_warning("two");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "one\nloom: warning: two\n");
}

}  // namespace
}  // namespace loom
