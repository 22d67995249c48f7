#include "base/error.h"

#include <algorithm>

namespace loom {

int64_t check_add(int64_t a, int64_t b, std::string_view what) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    fail<UserError>(what, " overflows a 64-bit integer: ", a, " + ", b);
  }
  return result;
}

int64_t check_mul(int64_t a, int64_t b, std::string_view what) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    fail<UserError>(what, " overflows a 64-bit integer: ", a, " * ", b);
  }
  return result;
}

int64_t check_product(std::span<const int64_t> factors, std::string_view what) {
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  int64_t result = 1;
  for (int64_t factor : factors) result = check_mul(result, factor, what);
  return result;
}

}  // namespace loom
