// Tensors: lazy n-dimensional arrays. Building one only adds nodes to a graph; reading it
// (`to_vector`, `item`, printing) or `realize` compiles and runs what is still missing.
//
// A Tensor is a cheap handle to an immutable value: copying it copies a pointer, operations make
// new tensors, and a tensor never changes because another one does. The one exception is `assign`
// (and `set`), which gives this tensor, and with it every copy of this handle, a new value in its
// own memory.
//
// Names and rules are NumPy's and PyTorch's:
//   - Axes count from the end when negative. Shapes broadcast from the right.
//   - Two tensors compute in `promote(a, b)`; a C++ number takes the dtype of the tensor it meets.
//     A float number and an integer tensor give float32, an integer number and a bool tensor int32.
//   - `/` and `mean` of integers give float32. `sum` and `prod` of bool and small integers widen
//     to int64 or uint64; of float16 and bfloat16 they accumulate in float32. `argmax` and `argmin`
//     give int64.
//   - Integers wrap at their width. floor_div and mod round towards minus infinity; by 0, they are
//   0
//     for integers.
// What makes no sense (shapes that do not fit, an axis that is not there) throws UserError where it
// is built.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "loom/arguments.h"
#include "loom/dtype.h"
#include "loom/error.h"

namespace loom {

class Operand;
class Tensor;
struct IndexItem;
struct TensorData;

using Index = std::vector<IndexItem>;

class Tensor {
 public:
  // --- Creation. `device` "" is the default device of the settings. ---

  /// Empty: float32 of shape (0).
  Tensor();
  /// A scalar of shape () and the dtype of T.
  template <Arithmetic T>
  explicit Tensor(T value) : Tensor(full({}, value, dtype_of<T>())) {}
  /// Data in row-major order; without a shape it is a vector.
  template <Arithmetic T>
  Tensor(std::initializer_list<T> values, std::optional<Shape> shape = {},
         std::string_view device = {})
      : Tensor(std::span<const T>(values.begin(), values.size()), std::move(shape), device) {}
  template <Arithmetic T>
  explicit Tensor(const std::vector<T>& values, std::optional<Shape> shape = {},
                  std::string_view device = {});
  template <Arithmetic T>
  explicit Tensor(std::span<const T> values, std::optional<Shape> shape = {},
                  std::string_view device = {})
      : Tensor(from_bytes(std::as_bytes(values), dtype_of<T>(),
                          shape ? *std::move(shape) : Shape{static_cast<int64_t>(values.size())},
                          device)) {}
  /// Data of any dtype, as it lies in memory. It is copied now.
  static Tensor from_bytes(std::span<const std::byte> bytes, DType dtype, Shape shape,
                           std::string_view device = {});

  /// Memory that holds nothing in particular yet.
  static Tensor empty(Shape shape, DType dtype = kFloat32, std::string_view device = {});
  /// Without a dtype: bool, int32 (int64 for 64-bit numbers) or float32, by the kind of number.
  static Tensor full(Shape shape, const Number& value, std::optional<DType> dtype = {});
  static Tensor zeros(Shape shape, DType dtype = kFloat32) {
    return full(std::move(shape), 0, dtype);
  }
  static Tensor ones(Shape shape, DType dtype = kFloat32) {
    return full(std::move(shape), 1, dtype);
  }
  /// start, start + step, ... below stop. int64 when all numbers are integers, else float32.
  static Tensor arange(const Number& start, const Number& stop, const Number& step = 1,
                       std::optional<DType> dtype = {});
  static Tensor arange(const Number& stop) { return arange(0, stop); }
  /// `count` numbers from start to stop, both included.
  static Tensor linspace(double start, double stop, int64_t count, DType dtype = kFloat32);
  /// Ones on the diagonal of an (n, m) matrix; m -1 is n.
  static Tensor eye(int64_t n, int64_t m = -1, DType dtype = kFloat32);
  /// Uniform in [0, 1), a pure function of seed and position (Threefry).
  static Tensor rand(Shape shape, uint64_t seed, DType dtype = kFloat32);
  /// Normally distributed, mean 0 and variance 1.
  static Tensor randn(Shape shape, uint64_t seed, DType dtype = kFloat32);

  // --- What it is. ---

  const Shape& shape() const;
  DType dtype() const;
  /// The device that its data lies on, or that it will be computed on.
  std::string device() const;
  int64_t ndim() const { return static_cast<int64_t>(shape().size()); }
  int64_t size(int64_t axis) const;
  int64_t numel() const;

  // --- Running and reading. None of these works on a value that a Jit is capturing. ---

  /// Computes the value now. Afterwards it lies in memory and its history is forgotten.
  Tensor& realize();
  /// All elements in row-major order, converted to T.
  template <Arithmetic T>
  std::vector<T> to_vector() const;
  /// The only element, converted to T.
  template <Arithmetic T>
  T item() const;
  /// The elements as they lie in memory, converted to `dtype`; `out` has exactly their size.
  void read(DType dtype, std::span<std::byte> out) const;
  /// As NumPy prints: aligned, 8 digits at most, the middle of large tensors as "...".
  std::string to_string() const;

  // --- Changing. ---

  /// Gives this tensor another value (broadcast to its shape, converted to its dtype), in its own
  /// memory.
  Tensor& assign(const Operand& value);
  /// Assigns to the part that `index` selects: numbers, slices, Ellipsis; not tensors.
  Tensor& set(const Index& index, const Operand& value);

  // --- Views. They cost nothing: they become index arithmetic. ---

  /// One dimension may be -1: what is left.
  Tensor reshape(Shape shape) const;
  /// Merges the axes first..last.
  Tensor flatten(int64_t first = 0, int64_t last = -1) const;
  /// Output axis i is input axis order[i].
  Tensor permute(std::vector<int64_t> order) const;
  Tensor transpose(int64_t a = -2, int64_t b = -1) const;
  /// The transposed matrix.
  Tensor t() const { return transpose(); }
  /// Repeats axes of size 1, and adds axes in front; -1 keeps an axis.
  Tensor expand(Shape shape) const;
  Tensor broadcast_to(Shape shape) const { return expand(std::move(shape)); }
  Tensor flip(const Axes& axes) const;
  /// Adds (before, after) elements of `value` to each axis; negative numbers cut.
  Tensor pad(const std::vector<std::pair<int64_t, int64_t>>& amounts,
             const Number& value = 0) const;
  /// Keeps begin <= i < end of each axis.
  Tensor shrink(const std::vector<std::pair<int64_t, int64_t>>& limits) const;
  /// Drops axes of size 1: those given, or all.
  Tensor squeeze(const Axes& axes = {}) const;
  Tensor unsqueeze(int64_t axis) const;
  /// The tensor, repeats[i] times along axis i (NumPy's tile).
  Tensor repeat(std::vector<int64_t> repeats) const;
  /// Windows of `kernel` elements along the last axes: shape (..., output positions..., kernel...).
  Tensor windows(const std::vector<int64_t>& kernel, const std::vector<int64_t>& stride,
                 const std::vector<int64_t>& dilation) const;
  /// Pieces of `length` along an axis, the last one perhaps shorter.
  std::vector<Tensor> split(int64_t length, int64_t axis = 0) const;
  std::vector<Tensor> split(const std::vector<int64_t>& lengths, int64_t axis = 0) const;

  /// t.index({1, Slice(2, -1, 2), None, Ellipsis, tensor}): NumPy's basic and advanced indexing.
  /// Integer tensors gather (negative numbers count from the end; outside the axis reads zero),
  /// several of them broadcast together.
  Tensor index(const Index& index) const;
  Tensor operator[](const IndexItem& item) const;
  /// out[i][j] = x[index[i][j]][j] for axis 0, like PyTorch's gather.
  Tensor gather(int64_t axis, const Tensor& index) const;

  // --- Memory and types. ---

  /// The same value with memory of its own.
  Tensor contiguous() const;
  Tensor to(std::string_view device) const;
  /// Converts values. Floats to integers truncate, saturate and turn NaN into 0.
  Tensor cast(DType dtype) const;
  /// The same bits as another type of equal width.
  Tensor bitcast(DType dtype) const;

  // --- Element-wise. Functions with real results turn integers into float32. ---

  Tensor operator-() const;
  Tensor operator~() const;
  Tensor logical_not() const;
  Tensor abs() const;
  Tensor sign() const;
  Tensor square() const;
  Tensor reciprocal() const;
  Tensor exp() const;
  Tensor exp2() const;
  Tensor log() const;
  Tensor log2() const;
  Tensor sqrt() const;
  Tensor rsqrt() const;
  Tensor sin() const;
  Tensor cos() const;
  Tensor tan() const;
  Tensor tanh() const;
  Tensor sigmoid() const;
  Tensor relu() const;
  Tensor silu() const;
  /// By the tanh formula.
  Tensor gelu() const;
  Tensor floor() const;
  Tensor ceil() const;
  /// Halves go to the even neighbour.
  Tensor round() const;
  Tensor trunc() const;
  Tensor isnan() const;
  Tensor isinf() const;
  Tensor isfinite() const;
  Tensor clip(std::optional<Number> low, std::optional<Number> high) const;
  Tensor pow(const Operand& exponent) const;
  Tensor floor_div(const Operand& divisor) const;
  Tensor mod(const Operand& divisor) const;

  // --- Reductions. `keepdim` leaves the reduced axes with size 1. ---

  Tensor sum(const Axes& axes = {}, bool keepdim = false) const;
  Tensor prod(const Axes& axes = {}, bool keepdim = false) const;
  Tensor max(const Axes& axes = {}, bool keepdim = false) const;
  Tensor min(const Axes& axes = {}, bool keepdim = false) const;
  Tensor any(const Axes& axes = {}, bool keepdim = false) const;
  Tensor all(const Axes& axes = {}, bool keepdim = false) const;
  Tensor mean(const Axes& axes = {}, bool keepdim = false) const;
  /// Mean squared distance from the mean, divided by count - correction (PyTorch's default; NumPy's
  /// is 0).
  Tensor var(const Axes& axes = {}, bool keepdim = false, int64_t correction = 1) const;
  Tensor std(const Axes& axes = {}, bool keepdim = false, int64_t correction = 1) const;
  /// Position of the first largest element; NaN counts as largest. Without an axis: in the
  /// flattened tensor.
  Tensor argmax(std::optional<int64_t> axis = {}, bool keepdim = false) const;
  Tensor argmin(std::optional<int64_t> axis = {}, bool keepdim = false) const;
  Tensor softmax(int64_t axis = -1) const;
  Tensor log_softmax(int64_t axis = -1) const;

  // --- Linear algebra. ---

  /// NumPy's matmul: vectors, matrices and broadcast stacks of matrices.
  Tensor matmul(const Tensor& other) const;
  Tensor dot(const Tensor& other) const { return matmul(other); }

  /// For the rooms of Rangeloom (src/tensor/data.h).
  explicit Tensor(std::shared_ptr<TensorData> data) : data_(std::move(data)) {}
  const std::shared_ptr<TensorData>& data() const { return data_; }

 private:
  std::shared_ptr<TensorData> data_;
};

/// A tensor, or a number that takes the dtype of the tensor it meets.
class Operand {
 public:
  Operand(Tensor tensor) : value_(std::move(tensor)) {}  // NOLINT(google-explicit-constructor)
  Operand(Number number) : value_(number) {}             // NOLINT(google-explicit-constructor)
  template <Arithmetic T>
  Operand(T number) : value_(Number(number)) {}  // NOLINT(google-explicit-constructor)
  const Tensor* tensor() const { return std::get_if<Tensor>(&value_); }
  const Number* number() const { return std::get_if<Number>(&value_); }

 private:
  std::variant<Tensor, Number> value_;
};

/// One position of an index: a number, a Slice, None, Ellipsis or an integer tensor.
struct IndexItem : std::variant<int64_t, Slice, NewAxis, AllAxes, Tensor> {
  // NOLINTBEGIN(google-explicit-constructor): any of these is a position of an index.
  template <std::integral T>
  IndexItem(T position) : variant(static_cast<int64_t>(position)) {}
  IndexItem(Slice slice) : variant(slice) {}
  IndexItem(NewAxis axis) : variant(axis) {}
  IndexItem(AllAxes axes) : variant(axes) {}
  IndexItem(Tensor positions) : variant(std::move(positions)) {}
  // NOLINTEND(google-explicit-constructor)
};

Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
/// True division.
Tensor operator/(const Operand& a, const Operand& b);
/// Has the sign of the divisor, like Python's.
Tensor operator%(const Operand& a, const Operand& b);
Tensor operator&(const Operand& a, const Operand& b);
Tensor operator|(const Operand& a, const Operand& b);
Tensor operator^(const Operand& a, const Operand& b);
Tensor operator<<(const Operand& a, const Operand& b);
Tensor operator>>(const Operand& a, const Operand& b);
Tensor operator==(const Operand& a, const Operand& b);
Tensor operator!=(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);
/// NaN wins.
Tensor maximum(const Operand& a, const Operand& b);
Tensor minimum(const Operand& a, const Operand& b);
Tensor logical_and(const Operand& a, const Operand& b);
Tensor logical_or(const Operand& a, const Operand& b);
Tensor logical_xor(const Operand& a, const Operand& b);
Tensor where(const Tensor& condition, const Operand& a, const Operand& b);
inline Tensor matmul(const Tensor& a, const Tensor& b) { return a.matmul(b); }

/// Joins tensors along an axis that exists.
Tensor cat(std::span<const Tensor> tensors, int64_t axis = 0);
inline Tensor cat(std::initializer_list<Tensor> tensors, int64_t axis = 0) {
  return cat(std::span<const Tensor>(tensors.begin(), tensors.size()), axis);
}
/// Joins tensors of equal shape along a new axis.
Tensor stack(std::span<const Tensor> tensors, int64_t axis = 0);
inline Tensor stack(std::initializer_list<Tensor> tensors, int64_t axis = 0) {
  return stack(std::span<const Tensor>(tensors.begin(), tensors.size()), axis);
}
/// The shape that all the shapes broadcast to.
Shape broadcast_shapes(std::span<const Shape> shapes);

/// Computes several tensors together, sharing what they share.
void realize(std::span<const Tensor> tensors);
inline void realize(std::initializer_list<Tensor> tensors) {
  realize(std::span<const Tensor>(tensors.begin(), tensors.size()));
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

template <Arithmetic T>
Tensor::Tensor(const std::vector<T>& values, std::optional<Shape> shape, std::string_view device) {
  if constexpr (std::same_as<T, bool>) {
    const std::vector<char> bytes(values.begin(), values.end());  // std::vector<bool> is packed
    if (!shape) shape = Shape{static_cast<int64_t>(bytes.size())};
    *this = from_bytes(std::as_bytes(std::span(bytes)), kBool, *std::move(shape), device);
  } else {
    *this = Tensor(std::span<const T>(values), std::move(shape), device);
  }
}

template <Arithmetic T>
std::vector<T> Tensor::to_vector() const {
  std::vector<std::conditional_t<std::same_as<T, bool>, char, T>> values(
      static_cast<size_t>(numel()));
  read(dtype_of<T>(), std::as_writable_bytes(std::span(values)));
  if constexpr (std::same_as<T, bool>)
    return {values.begin(), values.end()};
  else
    return values;
}

template <Arithmetic T>
T Tensor::item() const {
  if (numel() != 1)
    throw UserError("item: the tensor has " + std::to_string(numel()) + " elements, expected 1");
  return to_vector<T>()[0];
}

}  // namespace loom
