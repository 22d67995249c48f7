// The mixing step of our hashes.
#pragma once
#include <cstdint>

namespace loom {

/// Folds the 128-bit product of two words: every bit of either reaches about half the bits of the
/// result. A zero factor gives zero, so callers keep one factor an odd constant, or XOR it with
/// one.
inline uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace loom
