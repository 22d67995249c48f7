// Windows along the last axes, as views: what convolutions and poolings are made of.
//
// Along one axis of n elements, k rows that each begin `dilation` further are wanted. Repeating the
// axis and reading it again in rows of n * turns + dilation elements does it: row j begins at
// j * (n * turns + dilation), which is j * dilation modulo n. The division and modulo that
// the views stand for cancel, and position o of row j becomes o * stride + j * dilation.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

struct Window {
  int64_t kernel, stride, dilation;
};

int64_t positions_of(const Window& window, const Tensor& x, int64_t axis) {
  if (window.kernel < 1 || window.stride < 1 || window.dilation < 1) {
    fail<UserError>("windows: kernel ", window.kernel, ", stride ", window.stride, ", dilation ",
                    window.dilation, ", expected 1 or more");
  }
  const int64_t reach =
      check_add(check_mul(window.kernel - 1, window.dilation, "windows: reach"), 1, "windows");
  const int64_t room = x.shape()[axis] - reach;
  if (room < 0) {
    fail<UserError>("windows: ", reach, " elements do not fit on axis ", axis, " of ", describe(x));
  }
  return room / window.stride + 1;
}

constexpr int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Keeps the first `length` elements of an axis.
Tensor first_of_axis(const Tensor& x, int64_t axis, int64_t length) {
  std::vector<std::pair<int64_t, int64_t>> limits;
  for (int64_t dim : x.shape()) limits.emplace_back(0, dim);
  limits[axis].second = length;
  return x.shrink(limits);
}

Tensor split_axis(const Tensor& x, int64_t axis, int64_t outer, int64_t inner) {
  Shape shape = x.shape();
  shape[axis] = outer;
  shape.insert(shape.begin() + axis + 1, inner);
  return x.reshape(shape);
}

Tensor repeat_axis(const Tensor& x, int64_t axis, int64_t times) {
  std::vector<int64_t> repeats(x.shape().size(), 1);
  repeats[axis] = times;
  return x.repeat(repeats);
}

// Axis n becomes (kernel, positions).
Tensor along_axis(const Tensor& x, int64_t axis, const Window& window) {
  const int64_t count = positions_of(window, x, axis);
  const int64_t n = x.shape()[axis], needed = count * window.stride;
  const int64_t turns = std::max<int64_t>(divide_up(needed - window.dilation, n), 1);
  const int64_t row = n * turns + window.dilation;
  const Tensor repeated = repeat_axis(x, axis, divide_up(window.kernel * row, n));
  const Tensor rows =
      split_axis(first_of_axis(repeated, axis, window.kernel * row), axis, window.kernel, row);
  const Tensor steps =
      split_axis(first_of_axis(rows, axis + 1, needed), axis + 1, count, window.stride);
  return first_of_axis(steps, axis + 2, 1).squeeze(axis + 2);
}

}  // namespace

Tensor Tensor::windows(const std::vector<int64_t>& kernel, const std::vector<int64_t>& stride,
                       const std::vector<int64_t>& dilation) const {
  const auto count = std::ssize(kernel);
  if (count > ndim() || std::ssize(stride) != count || std::ssize(dilation) != count) {
    fail<UserError>("windows: kernel ", kernel, ", stride ", stride, ", dilation ", dilation,
                    " for ", describe(*this), ", expected equally many, one for each axis at most");
  }
  const int64_t kept = ndim() - count;
  Tensor x = *this;
  for (int64_t k = 0; k < count; k++) {
    x = along_axis(x, kept + 2 * k, {kernel[k], stride[k], dilation[k]});
  }
  std::vector<int64_t> order(static_cast<size_t>(kept));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (int64_t first : {1, 0}) {  // positions, then places in the kernel
    for (int64_t k = 0; k < count; k++) order.push_back(kept + 2 * k + first);
  }
  return x.permute(order);
}

}  // namespace loom
