// Views: other shapes of the same elements. Each is one node that becomes index arithmetic.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

using Limits = std::vector<std::pair<int64_t, int64_t>>;

// (x, numbers...) with the numbers as index constants.
Tensor view(std::string_view name, Op op, const Tensor& x, Shape shape,
            const std::vector<int64_t>& numbers, int64_t arg = 0) {
  return make_tensor(name, x.dtype(), std::move(shape), {x},
                     [&](Graph& g, std::span<const Id> src) {
                       std::vector<Id> sources{src[0]};
                       for (int64_t number : numbers) sources.push_back(index_const(g, number));
                       return g.add(op, x.dtype(), sources, arg);
                     });
}

// The dimension that -1 stands for.
void resolve_unknown(Shape& shape, const Tensor& x) {
  const auto unknown = std::ranges::find(shape, -1);
  if (unknown == shape.end()) return;
  Shape known = shape;
  std::erase(known, -1);
  if (known.size() + 1 != shape.size()) fail<UserError>("reshape: more than one -1 in ", shape);
  const int64_t rest = element_count("reshape", known);
  if (rest == 0 || x.numel() % rest != 0) {
    fail<UserError>("reshape: the ", x.numel(), " elements of ", describe(x),
                    " leave no whole number for the -1 in ", shape);
  }
  *unknown = x.numel() / rest;
}

void check_rank(std::string_view op, const Tensor& x, size_t given) {
  if (std::ssize(x.shape()) == static_cast<int64_t>(given)) return;
  fail<UserError>(op, ": ", given, " entries for ", describe(x), ", expected one for each axis");
}

// Only the positive amounts: zeros around.
Tensor pad_zeros(const Tensor& x, const Limits& amounts) {
  Shape shape = x.shape();
  std::vector<int64_t> before, after;
  for (size_t axis = 0; axis < shape.size(); axis++) {
    before.push_back(std::max<int64_t>(amounts[axis].first, 0));
    after.push_back(std::max<int64_t>(amounts[axis].second, 0));
    shape[axis] = check_add(shape[axis], check_add(before.back(), after.back(), "pad"), "pad");
  }
  element_count("pad", shape);
  if (x.numel() == 0) return constant_beside(x, shape, 0, x.dtype());
  before.insert(before.end(), after.begin(), after.end());
  return view("pad", Op::kPad, x, shape, before);
}

bool is_zero(const Number& number) { return number.real() == 0 && !std::signbit(number.real()); }

}  // namespace

Tensor Tensor::reshape(Shape shape) const {
  resolve_unknown(shape, *this);
  const int64_t count = element_count("reshape", shape);
  if (count != numel()) {
    fail<UserError>("reshape: ", describe(*this), " to ", shape,
                    " changes the number of elements from ", numel(), " to ", count);
  }
  if (shape == this->shape()) return same_value(*this);
  return view("reshape", Op::kReshape, *this, shape, shape);
}

Tensor Tensor::flatten(int64_t first, int64_t last) const {
  if (ndim() == 0) return reshape({1});
  first = checked_axis("flatten", first, *this);
  last = checked_axis("flatten", last, *this);
  if (first > last) fail<UserError>("flatten: axis ", first, " lies behind axis ", last);
  Shape merged(shape().begin(), shape().begin() + first);
  merged.push_back(std::accumulate(shape().begin() + first, shape().begin() + last + 1, int64_t{1},
                                   std::multiplies<>()));
  merged.insert(merged.end(), shape().begin() + last + 1, shape().end());
  return reshape(merged);
}

Tensor Tensor::permute(std::vector<int64_t> order) const {
  check_rank("permute", *this, order.size());
  Shape permuted;
  for (int64_t& axis : order) {
    axis = checked_axis("permute", axis, *this);
    permuted.push_back(shape()[axis]);
  }
  std::vector<int64_t> sorted = order;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    fail<UserError>("permute: ", order, " names an axis twice");
  }
  if (order == sorted) return same_value(*this);
  return make_tensor("permute", dtype(), permuted, {*this}, [&](Graph& g, std::span<const Id> src) {
    return g.add(Op::kPermute, dtype(), {src[0]}, g.ints(order));
  });
}

Tensor Tensor::transpose(int64_t a, int64_t b) const {
  std::vector<int64_t> order(shape().size());
  std::iota(order.begin(), order.end(), int64_t{0});
  a = checked_axis("transpose", a, *this);
  b = checked_axis("transpose", b, *this);
  std::swap(order[a], order[b]);
  return permute(order);
}

Tensor Tensor::expand(Shape target) const {
  const auto refuse = [&] {
    fail<UserError>("expand: ", describe(*this), " to ", target, ", expected ", ndim(),
                    " or more axes, equal where the tensor's is not 1");
  };
  if (target.size() < shape().size()) refuse();
  const size_t added = target.size() - shape().size();
  Shape aligned = shape();
  aligned.insert(aligned.begin(), added, 1);
  for (size_t axis = 0; axis < target.size(); axis++) {
    if (target[axis] == -1 && axis >= added) target[axis] = aligned[axis];
    if (target[axis] < 0 || (aligned[axis] != 1 && aligned[axis] != target[axis])) refuse();
  }
  element_count("expand", target);
  if (aligned == target) return reshape(target);
  return view("expand", Op::kExpand, reshape(aligned), target, target);
}

Tensor Tensor::flip(const Axes& axes) const {
  int64_t mask = 0;
  for (int64_t axis : checked_axes("flip", axes, *this)) mask |= int64_t{1} << axis;
  if (mask == 0) return same_value(*this);
  return view("flip", Op::kFlip, *this, shape(), {}, mask);
}

Tensor Tensor::pad(const Limits& amounts, const Number& value) const {
  check_rank("pad", *this, amounts.size());
  Limits kept;  // what negative amounts leave
  for (size_t axis = 0; axis < amounts.size(); axis++) {
    const auto [before, after] = amounts[axis];
    const int64_t size = shape()[axis];
    const auto cut = [&](int64_t amount) { return amount < 0 ? -std::max(amount, -size - 1) : 0; };
    kept.emplace_back(cut(before), size - cut(after));
    if (kept.back().first > kept.back().second) {
      fail<UserError>("pad: (", before, ", ", after, ") cuts more than axis ", axis, " of ",
                      describe(*this), " has");
    }
  }
  const Tensor rest = shrink(kept);
  Tensor padded = pad_zeros(rest, amounts);
  if (is_zero(value)) return padded;
  return where(pad_zeros(full(rest.shape(), true), amounts), padded,
               constant_tensor("pad", dtype(), value));
}

Tensor Tensor::shrink(const Limits& limits) const {
  check_rank("shrink", *this, limits.size());
  Shape sizes;
  std::vector<int64_t> numbers;
  for (size_t axis = 0; axis < limits.size(); axis++) {
    const auto [begin, end] = limits[axis];
    if (begin < 0 || begin > end || end > shape()[axis]) {
      fail<UserError>("shrink: (", begin, ", ", end, ") of axis ", axis, " of ", describe(*this),
                      ", expected 0 <= begin <= end <= ", shape()[axis]);
    }
    numbers.push_back(begin);
    sizes.push_back(end - begin);
  }
  if (sizes == shape()) return same_value(*this);
  numbers.insert(numbers.end(), sizes.begin(), sizes.end());
  return view("shrink", Op::kShrink, *this, sizes, numbers);
}

Tensor Tensor::squeeze(const Axes& axes) const {
  Shape kept = shape();
  const bool all = axes.list.empty();
  const std::vector<int64_t> chosen = checked_axes("squeeze", axes, *this);
  for (int64_t axis : std::views::reverse(chosen)) {
    if (kept[axis] == 1) {
      kept.erase(kept.begin() + axis);
    } else if (!all) {
      fail<UserError>("squeeze: axis ", axis, " of ", describe(*this), " is not 1");
    }
  }
  return reshape(kept);
}

Tensor Tensor::unsqueeze(int64_t axis) const {
  const int64_t rank = ndim() + 1;
  if (axis < -rank || axis >= rank) {
    fail<UserError>("unsqueeze: axis ", axis, " for ", describe(*this), ", expected ", -rank,
                    " to ", rank - 1);
  }
  Shape widened = shape();
  widened.insert(widened.begin() + (axis < 0 ? axis + rank : axis), 1);
  return reshape(widened);
}

// Each axis d becomes (1, d), is expanded to (r, d) and merged again.
Tensor Tensor::repeat(std::vector<int64_t> repeats) const {
  if (repeats.size() < shape().size()) check_rank("repeat", *this, repeats.size());
  Shape aligned = shape();
  aligned.insert(aligned.begin(), repeats.size() - aligned.size(), 1);
  Shape split, expanded, merged;
  for (size_t axis = 0; axis < repeats.size(); axis++) {
    split.insert(split.end(), {1, aligned[axis]});
    expanded.insert(expanded.end(), {repeats[axis], aligned[axis]});
    merged.push_back(check_mul(repeats[axis], aligned[axis], "repeat"));
  }
  element_count("repeat", merged);
  return reshape(split).expand(expanded).reshape(merged);
}

}  // namespace loom
