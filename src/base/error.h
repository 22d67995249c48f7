#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/str.h"
#include "loom/error.h"

namespace loom {

/// Throws E with a text made of the parts: fail<UserError>("reshape: ", from, " does not fit ",
/// to).
template <class E, class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw E(str(parts...));
}

/// Throws InternalError, with the parts as its text, unless the condition holds. For rules the
/// compiler itself must keep.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    fail<InternalError>(parts...);
}

/// a + b, or a UserError that says which quantity left the range of int64.
int64_t check_add(int64_t a, int64_t b, std::string_view what);

/// a * b, or a UserError that says which quantity left the range of int64.
int64_t check_mul(int64_t a, int64_t b, std::string_view what);

/// The product of all factors (1 if there are none), or a UserError that says which quantity left
/// the range of int64. A zero among the factors makes the product zero, whatever the others are.
int64_t check_product(std::span<const int64_t> factors, std::string_view what);

}  // namespace loom
