#include "base/lru_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace loom {
namespace {

using Cache = LruCache<std::string, std::shared_ptr<int>>;

std::shared_ptr<int> number(int value) { return std::make_shared<int>(value); }

TEST(LruCache, DropsWhatWasNotAskedForLongest) {
  Cache cache(30);
  cache.put("a", number(1), 10);
  cache.put("b", number(2), 10);
  cache.put("c", number(3), 10);
  EXPECT_EQ(*cache.get("a"), 1);
  cache.put("d", number(4), 10);
  EXPECT_EQ(cache.get("b"), nullptr);
  EXPECT_EQ(*cache.get("a"), 1);
  EXPECT_EQ(cache.bytes(), 30);
  EXPECT_EQ(cache.size(), 3U);
}

TEST(LruCache, ReplacingAValueReplacesItsSize) {
  Cache cache(30);
  cache.put("a", number(1), 20);
  cache.put("a", number(2), 5);
  EXPECT_EQ(cache.bytes(), 5);
  EXPECT_EQ(*cache.get("a"), 2);
}

TEST(LruCache, AValueLargerThanTheCacheIsNotKept) {
  Cache cache(30);
  cache.put("small", number(1), 10);
  cache.put("large", number(2), 31);
  EXPECT_EQ(cache.get("large"), nullptr);
  EXPECT_NE(cache.get("small"), nullptr);
}

TEST(LruCache, AValueHandedOutOutlivesItsEntry) {
  Cache cache(10);
  cache.put("a", number(1), 10);
  std::shared_ptr<int> held = cache.get("a");
  cache.put("b", number(2), 10);
  EXPECT_EQ(*held, 1);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0);
  EXPECT_EQ(cache.size(), 0U);
}

}  // namespace
}  // namespace loom
