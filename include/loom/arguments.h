// What functions of tensors take besides tensors: numbers, shapes, axes and slices.
#pragma once
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "loom/dtype.h"

namespace loom {

using Shape = std::vector<int64_t>;

/// A C++ number of any arithmetic type, kept exactly.
class Number {
 public:
  template <Arithmetic T>
  constexpr Number(T value)  // NOLINT(google-explicit-constructor): a number is a Number
      : dtype_(dtype_of<T>()),
        integer_(is_float() ? 0 : static_cast<int64_t>(value)),
        real_(static_cast<double>(value)) {}

  /// The dtype of its C++ type.
  constexpr DType dtype() const { return dtype_; }
  constexpr bool is_float() const { return dtype_.is_float(); }
  /// Value of an integer or bool (uint64 as its bits).
  constexpr int64_t integer() const { return integer_; }
  constexpr double real() const { return real_; }

 private:
  DType dtype_;
  int64_t integer_;
  double real_;
};

/// Axes of a reduction: `1`, `{0, -1}`, or none for all of them.
struct Axes {
  Axes() = default;
  Axes(int64_t axis) : list{axis} {}  // NOLINT(google-explicit-constructor)
  Axes(std::initializer_list<int64_t> axes) : list(axes) {}
  Axes(std::vector<int64_t> axes) : list(std::move(axes)) {}  // NOLINT(google-explicit-constructor)
  std::vector<int64_t> list;
};

/// `start:stop:step` of NumPy. Left out: the whole axis in the direction of step.
struct Slice {
  Slice() = default;
  Slice(std::optional<int64_t> first, std::optional<int64_t> last, int64_t stride = 1)
      : start(first), stop(last), step(stride) {}
  std::optional<int64_t> start, stop;
  int64_t step = 1;
};
struct NewAxis {};
struct AllAxes {};
// NOLINTBEGIN(readability-identifier-naming): as Python calls them
/// A new axis of size 1.
inline constexpr NewAxis None;
/// As many whole axes as are left.
inline constexpr AllAxes Ellipsis;
// NOLINTEND(readability-identifier-naming)

}  // namespace loom
