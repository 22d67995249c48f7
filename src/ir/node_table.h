// The hash table behind hash-consing: from the hash of a node to the ids that may be it.
//
// A program is built and rewritten place by place: a node that is looked up was mostly made next to
// its sources. A table that scatters its entries pays a cache miss for each lookup; this one first
// looks in a bucket chosen by a source's id, which was touched a moment ago, and only when that is
// full in the buckets that the hash chooses. A bucket is one cache line. Nothing is ever removed,
// so a bucket with a free slot ends a search.
#pragma once
#include <bit>
#include <cstdint>

#include "ir/large_pages.h"

namespace loom {

class NodeTable {
 public:
  using Id = uint32_t;

  struct Key {
    Id near = 0;  // keys that are close together here share buckets
    uint32_t hash = 0;
  };
  /// Where an entry is, or would be put.
  struct Place {
    uint32_t bucket = 0, slot = 0;
    Id id = 0;            // 0: there is none yet
    uint32_t probes = 0;  // buckets looked at
  };

  /// For so many entries without growing.
  explicit NodeTable(size_t entries)
      : buckets_(std::bit_ceil(entries / kMeanLoad + 1)),
        mask_(static_cast<uint32_t>(buckets_.size() - 1)),
        capacity_(buckets_.size() * kMeanLoad) {}

  /// The entry whose id `is_equal(id)` accepts among those whose keys may be this one.
  template <class F>
  [[gnu::always_inline]] Place find(Key key, const F& is_equal) const {
    uint32_t place = (key.near / 8 + (key.hash & 1)) & mask_;
    for (uint32_t probes = 1;; probes++) {
      const Bucket& bucket = buckets_[place];
      for (uint64_t slots = slots_with(bucket, tag_of(key)); slots != 0; slots &= slots - 1) {
        const Id id = bucket.ids[first_of(slots)];
        if (is_equal(id)) return {place, first_of(slots), id, probes};
      }
      if (bucket.ids[kSlots - 1] == 0) return {place, first_of(slots_with(bucket, 0)), 0, probes};
      // Growing steps: they come to every bucket, and soon leave a run of full ones.
      place = (probes == 1 ? key.hash >> 1 : place + probes) & mask_;
    }
  }

  /// Puts an entry where `find` has not found it.
  void put(Place place, Key key, Id id) {
    Bucket& bucket = buckets_[place.bucket];
    bucket.tags[place.slot % 2] |= tag_of(key) << place.slot / 2 * 8;
    bucket.ids[place.slot] = id;
  }

  bool is_full(size_t entries) const { return entries > capacity_; }
  size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

 private:
  static constexpr uint32_t kSlots = 12, kMeanLoad = 6;

  struct alignas(64) Bucket {
    uint64_t tags[2] = {0, 0};  // slot i: byte i / 2 of word i % 2; 0 when the slot is free
    Id ids[kSlots] = {};
  };

  static uint64_t tag_of(Key key) { return key.hash >> 24 | 1; }

  // The slots with this tag as a set, slot i as bit 4 * i. One after such a slot may be in it by
  // mistake, with a tag that is one off.
  static uint64_t slots_with(const Bucket& bucket, uint64_t tag) {
    constexpr uint64_t kOnes = 0x010101010101, kHigh = kOnes << 7;
    const uint64_t even = bucket.tags[0] ^ tag * kOnes, odd = bucket.tags[1] ^ tag * kOnes;
    return ((even - kOnes) & ~even & kHigh) >> 7 | ((odd - kOnes) & ~odd & kHigh) >> 3;
  }
  static uint32_t first_of(uint64_t slots) {
    return static_cast<uint32_t>(std::countr_zero(slots)) / 4;
  }

  LargeVector<Bucket> buckets_;
  uint32_t mask_;
  size_t capacity_;
};

}  // namespace loom
