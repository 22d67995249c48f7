#include "base/error.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace loom {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Str, JoinsTextNumbersBoolsAndSequences) {
  EXPECT_EQ(str("a", 1, ' ', true, int8_t{-3}, uint8_t{200}), "a1 true-3200");
  EXPECT_EQ(str(std::vector<int64_t>{2, 3, 4}), "(2, 3, 4)");
  EXPECT_EQ(str(std::vector<int>{}), "()");
  EXPECT_EQ(str(std::vector<std::vector<int>>{{1}, {2, 3}}), "((1), (2, 3))");
}

TEST(Fail, ThrowsTheNamedErrorWithItsText) {
  try {
    fail<UserError>("shape ", std::vector<int>{2, 3}, " is wrong");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "shape (2, 3) is wrong");
  }
}

TEST(Require, ThrowsOnlyWhenTheConditionFails) {
  EXPECT_NO_THROW(require(true, "fine"));
  EXPECT_THROW(require(false, "broken"), InternalError);
}

TEST(CheckedArithmetic, NamesWhatOverflowed) {
  EXPECT_EQ(check_add(kMax - 1, 1, "size"), kMax);
  EXPECT_EQ(check_mul(kMax / 2, 2, "size"), kMax - 1);
  EXPECT_THROW(check_add(kMax, 1, "size"), UserError);
  try {
    check_mul(kMax, 2, "number of elements");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("number of elements overflows"), std::string::npos);
  }
}

TEST(CheckedArithmetic, AZeroDimensionMakesTheProductZeroEvenBesideHugeOnes) {
  EXPECT_EQ(check_product(std::vector<int64_t>{kMax, kMax, 0}, "size"), 0);
  EXPECT_EQ(check_product(std::vector<int64_t>{}, "size"), 1);
  EXPECT_THROW(check_product(std::vector<int64_t>{kMax, 2}, "size"), UserError);
}

}  // namespace
}  // namespace loom
