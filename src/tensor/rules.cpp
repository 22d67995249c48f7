#include "tensor/rules.h"

#include <algorithm>

#include "base/error.h"
#include "tensor/data.h"

namespace loom {

int64_t checked_axis(std::string_view op, int64_t axis, const Tensor& tensor) {
  const int64_t rank = tensor.ndim();
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  if (rank == 0) fail<UserError>(op, ": axis ", axis, " of a scalar, which has no axes");
  fail<UserError>(op, ": axis ", axis, " is not an axis of ", describe(tensor), ", expected ",
                  -rank, " to ", rank - 1);
}

std::vector<int64_t> checked_axes(std::string_view op, const Axes& axes, const Tensor& tensor) {
  std::vector<int64_t> result;
  result.reserve(axes.list.size());
  for (int64_t axis : axes.list) result.push_back(checked_axis(op, axis, tensor));
  std::ranges::sort(result);
  if (std::ranges::adjacent_find(result) != result.end()) {
    fail<UserError>(op, ": an axis is named twice in ", axes.list, " for ", describe(tensor));
  }
  if (axes.list.empty()) {
    for (int64_t axis = 0; axis < tensor.ndim(); axis++) result.push_back(axis);
  }
  return result;
}

int64_t element_count(std::string_view op, const Shape& shape) {
  for (int64_t dim : shape) {
    if (dim < 0) fail<UserError>(op, ": shape ", shape, " has a negative dimension");
  }
  return check_product(shape, str(op, ": number of elements of shape ", shape));
}

namespace {

DType beside(DType tensor, const Number& number) {
  if (number.is_float()) return real_dtype(tensor);
  return tensor.is_bool() && !number.dtype().is_bool() ? kInt32 : tensor;
}

}  // namespace

bool broadcast_into(Shape& shape, const Shape& other) {
  if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
  const size_t skip = shape.size() - other.size();
  for (size_t axis = 0; axis < other.size(); axis++) {
    int64_t& dim = shape[skip + axis];
    if (dim == 1) dim = other[axis];
    if (dim != other[axis] && other[axis] != 1) return false;
  }
  return true;
}

Tensor spread(const Tensor& x, const Shape& shape) {
  const bool is_scalar_constant = x.ndim() == 0 && x.data()->device == nullptr;
  return is_scalar_constant || x.shape() == shape ? x : x.expand(shape);
}

Shape broadcast_shapes(std::span<const Shape> shapes) {
  Shape result;
  for (const Shape& shape : shapes) {
    if (!broadcast_into(result, shape)) {
      fail<UserError>("broadcast: shapes ", shapes, " do not fit together");
    }
  }
  return result;
}

DType common_dtype(const Operand& a, const Operand& b) {
  if (a.tensor() && b.tensor()) return promote(a.tensor()->dtype(), b.tensor()->dtype());
  if (a.tensor()) return beside(a.tensor()->dtype(), *b.number());
  if (b.tensor()) return beside(b.tensor()->dtype(), *a.number());
  return promote(a.number()->dtype(), b.number()->dtype());
}

Tensor as_tensor(std::string_view op, const Operand& operand, DType dtype) {
  return operand.tensor() ? operand.tensor()->cast(dtype)
                          : constant_tensor(op, dtype, *operand.number());
}

Pair meet(std::string_view op, const Operand& a, const Operand& b, DType dtype) {
  Tensor x = as_tensor(op, a, dtype);
  Tensor y = as_tensor(op, b, dtype);
  Shape shape = x.shape();
  if (!broadcast_into(shape, y.shape())) {
    fail<UserError>(op, ": ", describe(x), " and ", describe(y),
                    " do not broadcast: from the right, dimensions must be equal or 1");
  }
  return {spread(x, shape), spread(y, shape), shape};
}

}  // namespace loom
