#include "engine/buffer_table.h"

#include <utility>

namespace loom {

int64_t BufferTable::add(std::shared_ptr<Buffer> buffer, uint32_t owner) {
  const int64_t slot = next_slot_++;
  entries_[slot] = {std::move(buffer), owner, generation_};
  return slot;
}

std::vector<std::pair<const Buffer*, int64_t>> BufferTable::before(int64_t slot) const {
  std::vector<std::pair<const Buffer*, int64_t>> older;
  for (const auto& [other, entry] : entries_) {
    if (other < slot) older.emplace_back(entry.buffer.get(), other);
  }
  return older;
}

void BufferTable::keep_only(std::span<const int64_t> slots) {
  generation_++;
  for (int64_t slot : slots) entries_.at(slot).generation = generation_;
  std::erase_if(entries_,
                [&](const auto& entry) { return entry.second.generation != generation_; });
}

}  // namespace loom
