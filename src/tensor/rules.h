// What all operations agree on: axes, broadcasting and which dtype two operands meet in.
#pragma once
#include <string_view>
#include <vector>

#include "loom/tensor.h"

namespace loom {

/// The axis counted from the front, or UserError naming `op`.
int64_t checked_axis(std::string_view op, int64_t axis, const Tensor& tensor);
/// The same for several, ascending; none means all. One given twice is an error.
std::vector<int64_t> checked_axes(std::string_view op, const Axes& axes, const Tensor& tensor);

/// Number of elements of a shape without negative dimensions, or UserError naming `op`.
int64_t element_count(std::string_view op, const Shape& shape);

/// The dtype in which operands compute: `promote` for tensors, the tensor's own beside a number.
DType common_dtype(const Operand& a, const Operand& b);

/// Widens `shape` to what both broadcast to; false when they do not fit together.
bool broadcast_into(Shape& shape, const Shape& other);
/// x expanded to the shape. A scalar constant stays as it is: element-wise nodes broadcast it.
Tensor spread(const Tensor& x, const Shape& shape);

/// The operand as a tensor of `dtype`.
Tensor as_tensor(std::string_view op, const Operand& operand, DType dtype);

/// Both operands in `dtype` and broadcast to one shape.
struct Pair {
  Tensor a, b;
  Shape shape;
};
Pair meet(std::string_view op, const Operand& a, const Operand& b, DType dtype);
inline Pair meet(std::string_view op, const Operand& a, const Operand& b) {
  return meet(op, a, b, common_dtype(a, b));
}

/// float32 for integers and bool, else the dtype itself: what functions with real results compute
/// in.
constexpr DType real_dtype(DType dtype) { return dtype.is_float() ? dtype : kFloat32; }
constexpr bool is_half(DType dtype) { return dtype == kFloat16 || dtype == kBFloat16; }

/// `fn` of x in float32 where x is half precision: for formulas of several steps, so that only the
/// result is rounded.
template <class F>
Tensor in_single(const Tensor& x, F&& fn) {
  return is_half(x.dtype()) ? fn(x.cast(kFloat32)).cast(x.dtype()) : fn(x);
}

}  // namespace loom
