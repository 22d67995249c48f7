#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>

#include "loom/error.h"
#include "runtime/host_allocator.h"

namespace loom {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(HostAllocator, AlignsEveryBlockTo64Bytes) {
  HostAllocator allocator;
  for (int64_t bytes :
       {int64_t{0}, int64_t{1}, int64_t{63}, int64_t{65}, int64_t{4097}, 3 * kMiB}) {
    void* memory = allocator.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u) << bytes;
    std::memset(memory, 1, static_cast<size_t>(bytes));
    allocator.release(memory, bytes);
  }
}

TEST(HostAllocator, GivesAFreedBlockToTheNextOfItsSize) {
  HostAllocator allocator;
  void* first = allocator.allocate(1000);
  void* other = allocator.allocate(1000);
  EXPECT_NE(first, other);
  allocator.release(first, 1000);
  EXPECT_EQ(allocator.allocate(1000), first);
  allocator.release(first, 1000);
  allocator.release(other, 1000);
}

TEST(HostAllocator, KeepsNoMoreThanItsLimitAndDropsTheOldestFirst) {
  HostAllocator allocator(3 * kMiB);
  void* blocks[4];
  for (void*& block : blocks) block = allocator.allocate(kMiB);
  EXPECT_EQ(allocator.used_bytes(), 4 * kMiB);
  for (void* block : blocks) allocator.release(block, kMiB);
  EXPECT_EQ(allocator.used_bytes(), 0);
  EXPECT_EQ(allocator.cached_bytes(), 3 * kMiB);
}

TEST(HostAllocator, KeepsNothingWithoutALimit) {
  HostAllocator allocator(0);
  allocator.release(allocator.allocate(100), 100);
  EXPECT_EQ(allocator.cached_bytes(), 0);
}

TEST(HostAllocator, SaysHowMuchWasWantedWhenThereIsNoSuchMemory) {
  HostAllocator allocator;
  for (int64_t bytes : {int64_t{-1}, int64_t{1} << 50, INT64_MAX}) {
    try {
      allocator.allocate(bytes);
      FAIL() << bytes;
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(bytes)), std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(allocator.used_bytes(), 0);
}

TEST(HostAllocator, ServesSeveralThreads) {
  HostAllocator allocator(kMiB);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&allocator, t] {
      for (int k = 0; k < 1000; ++k) {
        const int64_t bytes = (k * 37 + t) % 5000 + 1;
        auto* memory = static_cast<uint8_t*>(allocator.allocate(bytes));
        memory[0] = memory[bytes - 1] = static_cast<uint8_t>(t);
        EXPECT_EQ(memory[bytes - 1], t);
        allocator.release(memory, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allocator.used_bytes(), 0);
}

}  // namespace
}  // namespace loom
