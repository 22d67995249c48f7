// Sequences stored once: equal content gives an equal handle, and what a handle stands for never
// moves.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace loom {

template <class T>
class Pool {
 public:
  Pool() { intern({}); }  // handle 0 is the empty sequence
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  uint32_t intern(std::span<const T> values) {
    const auto found = handles_.find(key(values));
    if (found != handles_.end()) return found->second;
    const auto handle = static_cast<uint32_t>(items_.size());
    const std::vector<T>& item = items_.emplace_back(values.begin(), values.end());
    handles_.emplace(key(item), handle);
    return handle;
  }

  std::span<const T> operator[](int64_t handle) const {
    require(handle >= 0 && handle < static_cast<int64_t>(items_.size()),
            "no payload has the handle ", handle);
    return items_[static_cast<size_t>(handle)];
  }

  /// Memory that it takes, roughly.
  size_t bytes() const {
    constexpr size_t kOverhead = sizeof(std::vector<T>) + 48;  // and a node of the hash table
    size_t total = 0;
    for (const auto& item : items_) total += kOverhead + item.capacity() * sizeof(T);
    return total;
  }

 private:
  // The bytes of a sequence, which is what makes two sequences equal.
  static std::string_view key(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
  }

  std::deque<std::vector<T>> items_;
  std::unordered_map<std::string_view, uint32_t> handles_;
};

}  // namespace loom
