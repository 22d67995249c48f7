#include "base/timing.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace loom {
namespace {

TEST(NowNs, NeverGoesBack) {
  int64_t last = now_ns();
  for (int i = 0; i < 1000; i++) {
    int64_t now = now_ns();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(Statistics, TheMedianIgnoresAnOutlier) {
  Statistics result = statistics(std::vector<double>{3, 1, 2, 1000, 2});
  EXPECT_EQ(result.median, 2);
  EXPECT_EQ(result.min, 1);
  EXPECT_EQ(result.max, 1000);
  EXPECT_EQ(statistics(std::vector<double>{1, 2, 3, 4}).median, 2.5);
}

TEST(Statistics, TheSpreadIsHalfTheDistanceOfTheQuartilesRelativeToTheMedian) {
  EXPECT_EQ(statistics(std::vector<double>{5, 5, 5}).spread, 0);
  EXPECT_EQ(statistics(std::vector<double>{8, 9, 10, 11, 12}).spread, 0.1);
  EXPECT_EQ(statistics(std::vector<double>{0, 0}).spread, 0);
}

TEST(Statistics, NoSamplesAreAnError) { EXPECT_THROW(statistics({}), UserError); }

}  // namespace
}  // namespace loom
