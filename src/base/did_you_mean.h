#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace loom {

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn one
/// word into the other, upper and lower case being the same.
size_t edit_distance(std::string_view a, std::string_view b);

/// Whether a word so far from a candidate may be a slip of the finger: about one letter in three.
bool is_near_miss(std::string_view word, size_t distance);

/// For the end of an error message: `, did you mean "CPU"?` with the candidate closest to `word`,
/// or nothing when none is close. Candidates are any range of strings.
template <class Candidates>
std::string did_you_mean(std::string_view word, const Candidates& candidates) {
  std::string_view best;
  size_t least = word.size() + 1;
  for (const auto& candidate : candidates) {
    size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  if (best.empty() || !is_near_miss(word, least)) return {};
  return ", did you mean \"" + std::string(best) + "\"?";
}

}  // namespace loom
