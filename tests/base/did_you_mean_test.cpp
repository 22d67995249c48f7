#include "base/did_you_mean.h"

#include <gtest/gtest.h>

#include <vector>

namespace loom {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("warp", "warp"), 0U);
  EXPECT_EQ(edit_distance("warp", "wrap"), 1U);
  EXPECT_EQ(edit_distance("warp", "war"), 1U);
  EXPECT_EQ(edit_distance("warp", "wasp"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("cpu", "CPU"), 0U);
}

TEST(DidYouMean, NamesTheClosestCandidate) {
  std::vector<std::string> devices{"CPU", "INTERP"};
  EXPECT_EQ(did_you_mean("INTRP", devices), ", did you mean \"INTERP\"?");
  EXPECT_EQ(did_you_mean("cpu", devices), ", did you mean \"CPU\"?");
}

TEST(DidYouMean, SaysNothingWhenNothingIsClose) {
  std::vector<std::string_view> words{"CPU", "INTERP"};
  EXPECT_EQ(did_you_mean("toaster", words), "");
  EXPECT_EQ(did_you_mean("", words), "");
  EXPECT_EQ(did_you_mean("CPU", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace loom
