// Reductions along axes.
#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

Shape without(const Shape& shape, const std::vector<int64_t>& axes) {
  Shape kept = shape;
  for (int64_t axis : std::views::reverse(axes)) kept.erase(kept.begin() + axis);
  return kept;
}

int64_t count_along(const Tensor& x, const std::vector<int64_t>& axes) {
  int64_t count = 1;
  for (int64_t axis : axes) count *= x.shape()[axis];
  return count;
}

// What a reduction over no elements gives.
Number identity(std::string_view name, Op op, const Tensor& x) {
  if (op == Op::kAdd || op == Op::kOr) return 0;
  if (op == Op::kMul) return 1;
  if (op == Op::kAnd) return true;
  fail<UserError>(name, ": ", describe(x), " has no elements along the axes, expected some");
}

Tensor reduce(std::string_view name, Op op, const Tensor& x, const Axes& axes, bool keepdim) {
  const std::vector<int64_t> reduced = checked_axes(name, axes, x);
  Shape shape = x.shape();
  for (int64_t axis : reduced) shape[axis] = 1;
  const Shape result = keepdim ? shape : without(shape, reduced);
  if (count_along(x, reduced) == 0) {
    return constant_beside(x, result, identity(name, op, x), x.dtype());
  }
  if (x.shape() == shape) return x.reshape(result);
  std::vector<int64_t> arg{static_cast<int64_t>(op)};
  arg.insert(arg.end(), reduced.begin(), reduced.end());
  return make_tensor(name, x.dtype(), shape, {x},
                     [&](Graph& g, std::span<const Id> src) {
                       return g.add(Op::kReduce, x.dtype(), {src[0]}, g.ints(arg));
                     })
      .reshape(result);
}

// The dtype of sums: wide enough that small types don't overflow at once.
DType widened(DType dtype) {
  if (dtype.is_float() || dtype.bits() == 64) return dtype;
  return dtype.is_unsigned() ? kUInt64 : kInt64;
}

Tensor accumulate(std::string_view name, Op op, const Tensor& x, const Axes& axes, bool keepdim) {
  return in_single(x.cast(widened(x.dtype())),
                   [&](const Tensor& wide) { return reduce(name, op, wide, axes, keepdim); });
}

// Largest element first; the position counts down, so that the first of equals has the largest.
Tensor position_of_largest(std::string_view name, const Tensor& x, std::optional<int64_t> axis,
                           bool keepdim) {
  if (!axis) {
    const Tensor flat = position_of_largest(name, x.reshape({-1}), 0, false);
    return keepdim ? flat.reshape(Shape(x.shape().size(), 1)) : flat;
  }
  const int64_t along = checked_axis(name, *axis, x);
  const int64_t count = x.shape()[along];
  const Tensor largest = reduce(name, Op::kMax, x, along, true);
  Shape shape(x.shape().size(), 1);
  shape[along] = count;
  const DType narrow = count <= INT32_MAX ? kInt32 : kInt64;
  const Tensor countdown = (count - positions(count)).cast(narrow).reshape(shape);
  const Tensor found = where((x == largest) | x.isnan(), countdown, 0);
  return (count - reduce(name, Op::kMax, found, along, keepdim)).cast(kInt64);
}

// `fn` of x in a float type of single precision or more; of nothing it is nothing.
template <class F>
Tensor normalised(const Tensor& x, F&& fn) {
  const Tensor real = x.cast(real_dtype(x.dtype()));
  return real.numel() == 0 ? real : in_single(real, fn);
}

// x with its order reversed; NaN stays NaN.
Tensor reversed(const Tensor& x) { return x.dtype().is_float() ? -x : ~x; }

}  // namespace

Tensor Tensor::sum(const Axes& axes, bool keepdim) const {
  return accumulate("sum", Op::kAdd, *this, axes, keepdim);
}

Tensor Tensor::prod(const Axes& axes, bool keepdim) const {
  return accumulate("prod", Op::kMul, *this, axes, keepdim);
}

Tensor Tensor::max(const Axes& axes, bool keepdim) const {
  return reduce("max", Op::kMax, *this, axes, keepdim);
}

Tensor Tensor::min(const Axes& axes, bool keepdim) const {
  return reversed(reduce("min", Op::kMax, reversed(*this), axes, keepdim));
}

Tensor Tensor::any(const Axes& axes, bool keepdim) const {
  return reduce("any", Op::kOr, cast(kBool), axes, keepdim);
}

Tensor Tensor::all(const Axes& axes, bool keepdim) const {
  return reduce("all", Op::kAnd, cast(kBool), axes, keepdim);
}

Tensor Tensor::mean(const Axes& axes, bool keepdim) const {
  const auto count = static_cast<double>(count_along(*this, checked_axes("mean", axes, *this)));
  return in_single(*this, [&](const Tensor& x) {
    return x.sum(axes, keepdim).cast(real_dtype(x.dtype())) / count;
  });
}

Tensor Tensor::var(const Axes& axes, bool keepdim, int64_t correction) const {
  const int64_t count = count_along(*this, checked_axes("var", axes, *this));
  const auto divisor = static_cast<double>(std::max<int64_t>(count - correction, 0));
  return in_single(cast(real_dtype(dtype())), [&](const Tensor& x) {
    return (x - x.mean(axes, true)).square().sum(axes, keepdim) / divisor;
  });
}

Tensor Tensor::std(const Axes& axes, bool keepdim, int64_t correction) const {
  return in_single(*this, [&](const Tensor& x) { return x.var(axes, keepdim, correction).sqrt(); });
}

Tensor Tensor::argmax(std::optional<int64_t> axis, bool keepdim) const {
  return position_of_largest("argmax", *this, axis, keepdim);
}

Tensor Tensor::argmin(std::optional<int64_t> axis, bool keepdim) const {
  return position_of_largest("argmin", reversed(*this), axis, keepdim);
}

Tensor Tensor::softmax(int64_t axis) const {
  return normalised(*this, [&](const Tensor& x) {
    const Tensor powers = (x - x.max(axis, true)).exp();
    return powers / powers.sum(axis, true);
  });
}

Tensor Tensor::log_softmax(int64_t axis) const {
  return normalised(*this, [&](const Tensor& x) {
    const Tensor shifted = x - x.max(axis, true);
    return shifted - shifted.exp().sum(axis, true).log();
  });
}

}  // namespace loom
