#include "base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>
#include <string>

#include "base/error.h"

namespace loom {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  FileTest() : folder_(fs::path(testing::TempDir()) / str("loom_file_", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FileTest() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  auto entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

TEST_F(FileTest, WhatIsWrittenIsReadBack) {
  for (size_t size : {0U, 1U, 1000U, 300'000U}) {
    std::vector<uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), uint8_t{0});
    write_file(path("a"), bytes);
    EXPECT_EQ(read_file(path("a"), 300'000), bytes);
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, AFileBeyondTheLimitIsRefused) {
  write_file(path("a"), std::vector<uint8_t>(101));
  EXPECT_THROW(read_file(path("a"), 100), UserError);
  EXPECT_THROW(read_file("/dev/zero", 100), UserError);
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  try {
    read_file(path("missing"), 100);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.what(), str("cannot read ", path("missing"), ": No such file or directory"));
  }
  EXPECT_THROW(read_file(folder_.string(), 100), UserError);
  EXPECT_THROW(write_file(path("no/folder"), {}), UserError);
}

TEST_F(FileTest, AFailedWriteLeavesNothingBehind) {
  fs::create_directory(path("taken"));
  EXPECT_THROW(write_file(path("taken"), std::vector<uint8_t>(10)), UserError);
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace loom
