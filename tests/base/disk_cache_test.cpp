#include "base/disk_cache.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"

namespace loom {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMegabyte = 1 << 20;

class DiskCacheTest : public testing::Test {
 protected:
  DiskCacheTest()
      : folder_(fs::path(testing::TempDir()) / str("loom_disk_cache_", ::getpid())),
        path_((folder_ / "cache.db").string()) {
    fs::remove_all(folder_);
  }
  ~DiskCacheTest() override { fs::remove_all(folder_); }

  void write_garbage() {
    fs::create_directories(folder_);
    std::ofstream(path_) << std::string(100'000, 'x');
  }

  fs::path folder_;
  std::string path_;
};

Hash128 key(int i) { return content_hash({str("key ", i)}); }

std::vector<uint8_t> value(int i, size_t size = 100) {
  return std::vector<uint8_t>(size, static_cast<uint8_t>(i));
}

TEST_F(DiskCacheTest, KeepsEntriesFromOneUseToTheNext) {
  {
    DiskCache cache(path_, "objects", kMegabyte);
    EXPECT_EQ(cache.get(key(1)), std::nullopt);
    cache.put(key(1), value(1));
    cache.put(key(1), value(2));
    cache.put(key(3), {});
  }
  DiskCache cache(path_, "objects", kMegabyte);
  EXPECT_EQ(cache.get(key(1)), value(2));
  EXPECT_EQ(cache.get(key(2)), std::nullopt);
  EXPECT_EQ(cache.get(key(3)), std::vector<uint8_t>{});
}

TEST_F(DiskCacheTest, TablesDoNotShareEntries) {
  DiskCache objects(path_, "objects", kMegabyte), timings(path_, "timings", kMegabyte);
  objects.put(key(1), value(1));
  EXPECT_EQ(timings.get(key(1)), std::nullopt);
  EXPECT_EQ(objects.get(key(1)), value(1));
}

TEST_F(DiskCacheTest, TheFolderIsMadeForTheUserAlone) {
  DiskCache(path_, "objects", kMegabyte).put(key(1), value(1));
  EXPECT_EQ(fs::status(folder_).permissions(), fs::perms::owner_all);
}

TEST_F(DiskCacheTest, DropsTheOldestEntriesBeyondItsLimit) {
  DiskCache cache(path_, "objects", 10'000);
  for (int i = 0; i < 200; i++) cache.put(key(i), value(i, 1000));
  int kept = 0;
  for (int i = 0; i < 200; i++) kept += cache.get(key(i)).has_value() ? 1 : 0;
  EXPECT_GE(kept, 8);
  EXPECT_LE(kept, 10);
  EXPECT_EQ(cache.get(key(199)), value(199, 1000));
  cache.put(key(0), value(0, 10'001));
  EXPECT_EQ(cache.get(key(0)), std::nullopt);
}

TEST_F(DiskCacheTest, ADamagedFileIsReplacedForTheNextProcess) {
  write_garbage();
  DiskCache broken(path_, "objects", kMegabyte);
  broken.put(key(1), value(1));
  EXPECT_EQ(broken.get(key(1)), std::nullopt);
  DiskCache fresh(path_, "objects", kMegabyte);
  fresh.put(key(1), value(1));
  EXPECT_EQ(fresh.get(key(1)), value(1));
}

TEST_F(DiskCacheTest, ADamagedEntryIsAMiss) {
  {
    DiskCache(path_, "objects", kMegabyte).put(key(1), value(7, 50'000));
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes(fs::file_size(path_), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  size_t at = bytes.find(std::string(1000, '\7'));
  ASSERT_NE(at, std::string::npos);
  file.seekp(static_cast<std::streamoff>(at + 500));
  file.put('\1');
  file.close();
  EXPECT_EQ(DiskCache(path_, "objects", kMegabyte).get(key(1)), std::nullopt);
}

TEST_F(DiskCacheTest, WithoutAPlaceToWriteItIsEmpty) {
  fs::create_directories(path_);  // a folder where the file should be
  for (const std::string& path : {path_, std::string("/proc/no/such/place.db"), std::string()}) {
    DiskCache cache(path, "objects", kMegabyte);
    cache.put(key(1), value(1));
    EXPECT_EQ(cache.get(key(1)), std::nullopt);
  }
}

TEST_F(DiskCacheTest, ALockedFileIsStillRead) {
  DiskCache cache(path_, "objects", kMegabyte);
  cache.put(key(1), value(1));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  cache.put(key(2), value(2));
  EXPECT_EQ(cache.get(key(2)), std::nullopt);
  EXPECT_EQ(cache.get(key(1)), value(1));
  sqlite3_close(other);
  cache.put(key(2), value(2));
  EXPECT_EQ(cache.get(key(2)), value(2));
}

TEST_F(DiskCacheTest, SeveralProcessesShareOneFile) {
  constexpr int kProcesses = 4, kEntries = 25;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; process++) {
    pid_t child = fork();
    if (child == 0) {
      DiskCache cache(path_, "objects", kMegabyte);
      for (int i = 0; i < kEntries; i++) cache.put(key(i), value(i));
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  DiskCache cache(path_, "objects", kMegabyte);
  for (int i = 0; i < kEntries; i++) EXPECT_EQ(cache.get(key(i)), value(i));
}

}  // namespace
}  // namespace loom
