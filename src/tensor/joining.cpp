// Joining tensors to one and splitting one into several.
#include <ranges>

#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

void check_joinable(const Tensor& first, const Tensor& other, int64_t axis) {
  Shape expected = first.shape();
  if (other.ndim() == first.ndim()) expected[axis] = other.shape()[axis];
  if (other.shape() != expected) {
    fail<UserError>("cat: ", describe(first), " and ", describe(other),
                    ", expected equal sizes on every axis but ", axis);
  }
}

// `x` at `begin` on an axis of `total` elements, zeros around it.
Tensor placed(const Tensor& x, int64_t axis, int64_t begin, int64_t total) {
  std::vector<std::pair<int64_t, int64_t>> amounts(x.shape().size());
  amounts[axis] = {begin, total - begin - x.shape()[axis]};
  return x.pad(amounts);
}

}  // namespace

// Each element lies in one of the tensors: of those before the first boundary the first, and so on.
Tensor cat(std::span<const Tensor> tensors, int64_t axis) {
  if (tensors.empty()) fail<UserError>("cat: no tensors, expected one or more");
  axis = checked_axis("cat", axis, tensors[0]);
  DType dtype = tensors[0].dtype();
  int64_t total = 0;
  for (const Tensor& tensor : tensors) {
    check_joinable(tensors[0], tensor, axis);
    dtype = promote(dtype, tensor.dtype());
    total = check_add(total, tensor.shape()[axis], "cat: size of the axis");
  }
  Shape along(tensors[0].shape().size(), 1);
  along[axis] = total;
  const Tensor position = positions(total).reshape(along);
  std::optional<Tensor> result;
  int64_t begin = total;
  for (const Tensor& tensor : std::views::reverse(tensors)) {
    const int64_t end = begin;
    begin -= tensor.shape()[axis];
    if (begin == end) continue;
    const Tensor part = placed(tensor.cast(dtype), axis, begin, total);
    result = result ? where(position < end, part, *result) : part;
  }
  return result ? *result : tensors[0].cast(dtype);
}

Tensor stack(std::span<const Tensor> tensors, int64_t axis) {
  if (tensors.empty()) fail<UserError>("stack: no tensors, expected one or more");
  std::vector<Tensor> widened;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != tensors[0].shape()) {
      fail<UserError>("stack: ", describe(tensors[0]), " and ", describe(tensor),
                      ", expected equal shapes");
    }
    widened.push_back(tensor.unsqueeze(axis));
  }
  return cat(widened, axis);
}

std::vector<Tensor> Tensor::split(int64_t length, int64_t axis) const {
  if (length <= 0) fail<UserError>("split: pieces of ", length, " elements, expected 1 or more");
  const int64_t total = size(axis);
  std::vector<int64_t> lengths(total / length, length);
  if (total % length != 0) lengths.push_back(total % length);
  return split(lengths, axis);
}

std::vector<Tensor> Tensor::split(const std::vector<int64_t>& lengths, int64_t axis) const {
  axis = checked_axis("split", axis, *this);
  int64_t total = 0;
  for (int64_t length : lengths) total = check_add(total, length, "split: sum of lengths");
  if (total != shape()[axis]) {
    fail<UserError>("split: lengths ", lengths, " of axis ", axis, " of ", describe(*this),
                    " add up to ", total, ", expected ", shape()[axis]);
  }
  std::vector<Tensor> pieces;
  std::vector<std::pair<int64_t, int64_t>> limits;
  for (int64_t dim : shape()) limits.emplace_back(0, dim);
  limits[axis].second = 0;
  for (int64_t length : lengths) {
    limits[axis] = {limits[axis].second, limits[axis].second + length};
    pieces.push_back(shrink(limits));
  }
  return pieces;
}

}  // namespace loom
