// Memory for the arrays of large graphs, in pages of 2 MiB where the system has them. Such an array
// is filled once and dropped; with pages of 4 KiB, the page faults took longer than all of the
// interning.
#pragma once
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace loom {

template <class T>
struct LargePageAllocator {
  using value_type = T;
  static constexpr size_t kPage = size_t{2} << 20;
  static constexpr std::align_val_t kAlignment{alignof(T)};

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < kPage) return static_cast<T*>(::operator new(bytes, kAlignment));
    const size_t whole = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, whole);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(memory, whole, MADV_HUGEPAGE);  // a wish: without it the memory works as well
#endif
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, size_t count) {
    if (count * sizeof(T) < kPage) return ::operator delete(memory, kAlignment);
    std::free(memory);
  }

  bool operator==(const LargePageAllocator&) const = default;
};

/// A vector for one entry per node.
template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace loom
