#include "base/hash.h"

#include <cstring>

namespace loom {
namespace {

uint64_t load_word(const uint8_t* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

uint64_t hash_bytes(std::span<const uint8_t> bytes, uint64_t seed) {
  constexpr size_t kStep = 16;
  uint64_t hash = mix(seed, bytes.size());
  while (bytes.size() >= kStep) {
    hash = mix(load_word(bytes.data()) ^ hash, load_word(bytes.data() + 8) + seed);
    bytes = bytes.subspan(kStep);
  }
  uint8_t tail[kStep] = {};  // the size, mixed in above, tells zeros at the end from none
  if (!bytes.empty()) std::memcpy(tail, bytes.data(), bytes.size());
  return mix(load_word(tail) ^ hash, load_word(tail + 8) + seed);
}

Hash128 content_hash(std::initializer_list<std::string_view> parts) {
  Hash128 hash{0x243f6a8885a308d3U, 0x13198a2e03707344U};
  for (std::string_view part : parts) {
    hash.low = hash_string(part, hash.low);
    hash.high = hash_string(part, ~hash.high);
  }
  return hash;
}

}  // namespace loom
