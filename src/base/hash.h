#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace loom {

__extension__ typedef unsigned __int128 uint128;  // not ISO C++, hence the word before it

/// Mixes two words so that every bit of either moves every bit of the result: the two halves of
/// their product, folded. Both factors are offset, so that a zero does not swallow the other.
inline uint64_t mix(uint64_t a, uint64_t b) {
  uint128 product = static_cast<uint128>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd6e8feb86659fd93U);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// A 64-bit hash of bytes for tables in memory. It is the same on every run of one machine.
uint64_t hash_bytes(std::span<const uint8_t> bytes, uint64_t seed = 0);

inline uint64_t hash_string(std::string_view text, uint64_t seed = 0) {
  return hash_bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, seed);
}

/// Names content, for caches that outlive the process.
struct Hash128 {
  uint64_t low = 0, high = 0;

  bool operator==(const Hash128&) const = default;
};

/// The name of a list of texts; ("ab", "c") and ("a", "bc") differ. 128 bits make an accidental
/// clash unthinkable in a cache of any size. It is not cryptographic, because whoever could forge a
/// key could as well write the cache's file.
Hash128 content_hash(std::initializer_list<std::string_view> parts);

}  // namespace loom
