// Host memory for tensors: aligned, with freed blocks kept for the next allocation of their size.
#pragma once
#include <list>
#include <mutex>
#include <unordered_map>

#include "runtime/device.h"

namespace loom {

class HostAllocator : public Allocator {
 public:
  /// Keeps at most `cache_bytes` of freed memory, and drops what was freed longest ago.
  explicit HostAllocator(int64_t cache_bytes = default_cache_bytes());
  ~HostAllocator() override;
  HostAllocator(const HostAllocator&) = delete;
  HostAllocator& operator=(const HostAllocator&) = delete;

  void* allocate(int64_t bytes) override;
  void release(void* memory, int64_t bytes) noexcept override;

  /// Bytes handed out, and bytes kept for later.
  int64_t used_bytes() const;
  int64_t cached_bytes() const;

  /// A quarter of the machine's memory.
  static int64_t default_cache_bytes();

 private:
  struct Block {
    void* memory;
    int64_t bytes;
  };
  using Blocks = std::list<Block>;

  void* reuse(int64_t bytes);
  void shrink_cache(int64_t bytes) noexcept;

  mutable std::mutex mutex_;
  const int64_t cache_limit_;
  int64_t used_ = 0, cached_ = 0;
  Blocks cache_;  // freed last first
  std::unordered_multimap<int64_t, Blocks::iterator> by_size_;
};

}  // namespace loom
