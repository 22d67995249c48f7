#include "base/did_you_mean.h"

#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace loom {
namespace {

bool same_letter(char a, char b) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b);
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i of the table holds the distances from the first i letters of a to every beginning of b; a
  // row needs only the two rows above it.
  std::vector<size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); i++) {
    std::swap(two_up, up);
    std::swap(up, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t replace = up[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, replace});
      bool swapped =
          i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
  }
  return row[b.size()];
}

bool is_near_miss(std::string_view word, size_t distance) {
  return distance <= std::max<size_t>(1, word.size() / 3) && distance < word.size();
}

}  // namespace loom
