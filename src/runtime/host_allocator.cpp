#include "runtime/host_allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace loom {
namespace {

constexpr int64_t kCacheLine = 64, kPage = 4096, kHugePage = 2 << 20;

int64_t machine_bytes() { return int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE); }

/// What a block of `bytes` really takes, so that nearly equal sizes can share blocks.
int64_t block_size(int64_t bytes) {
  const int64_t unit = bytes <= kPage ? kCacheLine : kPage;
  return std::max((bytes + unit - 1) / unit * unit, kCacheLine);
}

/// Null when the system has no such block.
void* system_allocate(int64_t bytes) {
  void* memory = nullptr;
  const bool is_huge = bytes >= kHugePage;
  if (posix_memalign(&memory, static_cast<size_t>(is_huge ? kHugePage : kCacheLine),
                     static_cast<size_t>(bytes)) != 0)
    return nullptr;
  if (is_huge) madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return memory;
}

}  // namespace

int64_t HostAllocator::default_cache_bytes() { return machine_bytes() / 4; }

HostAllocator::HostAllocator(int64_t cache_bytes) : cache_limit_(cache_bytes) {}

HostAllocator::~HostAllocator() { shrink_cache(0); }

void* HostAllocator::allocate(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  // The system promises more memory than it has and kills who takes the promise at its word.
  if (bytes < 0 || bytes > machine_bytes() - used_) {
    fail<DeviceError>("out of memory: ", bytes, " bytes wanted, ", used_,
                      " in use, the machine has ", machine_bytes());
  }
  const int64_t size = block_size(bytes);
  void* memory = reuse(size);
  if (!memory) memory = system_allocate(size);
  if (!memory) {
    shrink_cache(0);
    memory = system_allocate(size);
  }
  if (!memory)
    fail<DeviceError>("out of memory: the system refuses ", bytes, " bytes, ", used_,
                      " are in use");
  used_ += size;
  return memory;
}

void HostAllocator::release(void* memory, int64_t bytes) noexcept {
  if (!memory) return;
  const int64_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  used_ -= size;
  try {
    cache_.push_front({memory, size});
    by_size_.emplace(size, cache_.begin());
    cached_ += size;
  } catch (const std::bad_alloc&) {
    std::free(memory);
  }
  shrink_cache(cache_limit_);
}

int64_t HostAllocator::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

int64_t HostAllocator::cached_bytes() const {
  const std::lock_guard lock(mutex_);
  return cached_;
}

void* HostAllocator::reuse(int64_t bytes) {
  const auto found = by_size_.find(bytes);
  if (found == by_size_.end()) return nullptr;
  void* memory = found->second->memory;
  cache_.erase(found->second);
  by_size_.erase(found);
  cached_ -= bytes;
  return memory;
}

void HostAllocator::shrink_cache(int64_t bytes) noexcept {
  while (cached_ > bytes) {
    const auto oldest = std::prev(cache_.end());
    const auto [first, last] = by_size_.equal_range(oldest->bytes);
    by_size_.erase(
        std::find_if(first, last, [&](const auto& entry) { return entry.second == oldest; }));
    cached_ -= oldest->bytes;
    std::free(oldest->memory);
    cache_.pop_back();
  }
}

}  // namespace loom
