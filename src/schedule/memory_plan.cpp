#include "schedule/memory_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace loom {
namespace {

constexpr int64_t kAlignment = 64;

/// The free pieces of one arena, found by size and by place.
class Arena {
 public:
  int64_t allocate(int64_t bytes) {
    const auto fit = by_size.lower_bound({bytes, 0});
    if (fit == by_size.end()) return grow(bytes);
    const auto [size, offset] = *fit;
    remove(offset);
    if (size > bytes) insert(offset + bytes, size - bytes);
    return offset;
  }

  void release(int64_t offset, int64_t bytes) {
    auto next = by_offset.lower_bound(offset);
    if (next != by_offset.begin()) {
      const auto [before, size] = *std::prev(next);
      if (before + size == offset) {
        remove(before);
        offset = before, bytes += size;
      }
    }
    next = by_offset.lower_bound(offset);
    if (next != by_offset.end() && next->first == offset + bytes) {
      bytes += next->second;
      remove(next->first);
    }
    insert(offset, bytes);
  }

  int64_t bytes() const { return end; }

 private:
  /// Extends the arena; a gap at its end becomes part of the new piece.
  int64_t grow(int64_t bytes) {
    int64_t offset = end;
    if (!by_offset.empty()) {
      const auto [last, size] = *by_offset.rbegin();
      if (last + size == end) {
        offset = last;
        remove(last);
      }
    }
    end = offset + bytes;
    return offset;
  }

  void insert(int64_t offset, int64_t bytes) {
    by_offset[offset] = bytes;
    by_size.insert({bytes, offset});
  }

  void remove(int64_t offset) {
    by_size.erase({by_offset[offset], offset});
    by_offset.erase(offset);
  }

  std::map<int64_t, int64_t> by_offset;           // offset -> bytes
  std::set<std::pair<int64_t, int64_t>> by_size;  // (bytes, offset)
  int64_t end = 0;
};

struct Event {
  size_t time;
  bool is_release;  // at the same time, allocations come first: a kernel's inputs outlive its
                    // outputs' birth
  size_t which;
  auto operator<=>(const Event&) const = default;
};

int64_t aligned(int64_t bytes) {
  return std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes) {
  MemoryPlan plan;
  std::vector<Event> events;
  for (size_t k = 0; k < lifetimes.size(); k++) {
    const Lifetime& life = lifetimes[k];
    plan.temps.push_back({life.slot, life.device, life.bytes, 0});
    events.push_back({life.first, false, k});
    events.push_back({life.last, true, k});
  }
  std::ranges::sort(events);
  std::map<Id, Arena> arenas;
  for (const Event& event : events) {
    TempBuffer& temp = plan.temps[event.which];
    Arena& arena = arenas[temp.device];
    if (event.is_release) {
      arena.release(temp.offset, aligned(temp.bytes));
    } else {
      temp.offset = arena.allocate(aligned(temp.bytes));
      plan.arena_bytes = std::max(plan.arena_bytes, arena.bytes());
    }
  }
  return plan;
}

}  // namespace loom
