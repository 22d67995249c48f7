// Which memory stands behind the BUFFER nodes of the session's graph. Used under the session's
// lock.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/device.h"

namespace loom {

class BufferTable {
 public:
  static constexpr uint32_t kNobody = UINT32_MAX;

  /// Gives the memory a slot. `owner` is the place of the root that may be assigned to in place.
  int64_t add(std::shared_ptr<Buffer> buffer, uint32_t owner);
  const std::shared_ptr<Buffer>& at(int64_t slot) const { return entries_.at(slot).buffer; }
  uint32_t owner(int64_t slot) const { return entries_.at(slot).owner; }
  void set_owner(int64_t slot, uint32_t owner) { entries_.at(slot).owner = owner; }

  /// What the next memory will get; older memory has smaller slots.
  int64_t next_slot() const { return next_slot_; }
  /// All memory with a smaller slot.
  std::vector<std::pair<const Buffer*, int64_t>> before(int64_t slot) const;
  /// Lets go of the memory of all other slots.
  void keep_only(std::span<const int64_t> slots);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::shared_ptr<Buffer> buffer;
    uint32_t owner = kNobody;
    uint64_t generation = 0;  // of the last keep_only that named it
  };
  std::unordered_map<int64_t, Entry> entries_;
  int64_t next_slot_ = 1;
  uint64_t generation_ = 0;
};

}  // namespace loom
