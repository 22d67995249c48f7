#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <unordered_map>
#include <utility>

namespace loom {

/// A map that holds at most so many bytes and drops what was not asked for longest. Several threads
/// need a lock around it. Values are handed out as copies, so they should be cheap to copy (a
/// shared_ptr), and live on with whoever holds one after they were dropped.
template <class Key, class Value, class Hash = std::hash<Key>>
class LruCache {
 public:
  explicit LruCache(int64_t max_bytes) : max_bytes_(max_bytes) {}

  /// The value, which counts as just used, or a default-constructed one.
  Value get(const Key& key) {
    auto found = entries_.find(key);
    if (found == entries_.end()) return Value{};
    order_.splice(order_.begin(), order_, found->second);
    return found->second->value;
  }

  /// Adds or replaces a value. One that alone is larger than the cache is not kept.
  void put(const Key& key, Value value, int64_t bytes) {
    erase(key);
    if (bytes > max_bytes_) return;
    while (bytes_ + bytes > max_bytes_) erase(order_.back().key);
    order_.push_front({key, std::move(value), bytes});
    entries_.emplace(key, order_.begin());
    bytes_ += bytes;
  }

  void erase(const Key& key) {
    auto found = entries_.find(key);
    if (found == entries_.end()) return;
    auto entry = found->second;
    bytes_ -= entry->bytes;
    entries_.erase(found);
    order_.erase(entry);
  }

  void clear() {
    entries_.clear();
    order_.clear();
    bytes_ = 0;
  }

  int64_t bytes() const { return bytes_; }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Key key;
    Value value;
    int64_t bytes;
  };

  int64_t max_bytes_;
  int64_t bytes_ = 0;
  std::list<Entry> order_;  // most recently used first
  std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> entries_;
};

}  // namespace loom
