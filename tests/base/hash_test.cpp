#include "base/hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace loom {
namespace {

TEST(Mix, EveryInputBitMovesAboutHalfOfTheResult) {
  for (uint64_t start : {uint64_t{0}, uint64_t{1}, uint64_t{0x0123456789abcdef}, ~uint64_t{0}}) {
    int total = 0;
    for (int bit = 0; bit < 64; bit++) {
      uint64_t flipped = start ^ uint64_t { 1 } << bit;
      int moved = std::popcount(mix(start, 7) ^ mix(flipped, 7));
      EXPECT_GT(moved, 8) << start << " bit " << bit;
      total += moved;
    }
    EXPECT_NEAR(total / 64.0, 32, 4);
  }
}

TEST(HashString, SmallDifferencesGiveDifferentHashes) {
  std::set<uint64_t> seen;
  for (size_t length = 0; length < 100; length++)
    seen.insert(hash_string(std::string(length, '\0')));
  for (int i = 0; i < 10'000; i++) seen.insert(hash_string(str("node ", i)));
  EXPECT_EQ(seen.size(), 10'100U);
  EXPECT_NE(hash_string("a", 1), hash_string("a", 2));
}

TEST(HashString, LowBitsSpreadOverATable) {
  // What a power-of-two table sees of consecutive names: chains close to those of a random
  // function.
  std::vector<int> slots(1024);
  for (int i = 0; i < 1024; i++) slots[hash_string(str(i)) % 1024]++;
  EXPECT_LT(*std::max_element(slots.begin(), slots.end()), 9);
}

TEST(ContentHash, TellsWhereOnePartEndsAndTheNextBegins) {
  EXPECT_EQ(content_hash({"ab", "c"}), content_hash({"ab", "c"}));
  EXPECT_NE(content_hash({"ab", "c"}), content_hash({"a", "bc"}));
  EXPECT_NE(content_hash({"ab"}), content_hash({"ab", ""}));
  Hash128 hash = content_hash({"x"});
  EXPECT_NE(hash.low, hash.high);
}

}  // namespace
}  // namespace loom
