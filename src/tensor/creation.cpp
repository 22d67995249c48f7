// Tensors from data, from numbers and from positions.
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/error.h"
#include "engine/engine.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

// The dtype of a number when nobody says otherwise.
DType default_dtype(const Number& number) {
  if (number.is_float()) return kFloat32;
  const DType dtype = number.dtype();
  return dtype.is_bool() || dtype.bits() == 64 ? dtype : kInt32;
}

int64_t integer_steps(int64_t start, int64_t stop, int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                                     : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  return check_add(static_cast<int64_t>((distance - 1) / stride), 1, "arange: number of elements");
}

int64_t real_steps(double start, double stop, double step) {
  const double steps = std::ceil((stop - start) / step);
  if (!(steps < 0x1p62))
    fail<UserError>("arange: from ", start, " to ", stop, " by ", step, " is not finite");
  return steps > 0 ? static_cast<int64_t>(steps) : 0;
}

// One pseudo-random 64-bit word for each element: Threefry of its position, `stride` apart.
Tensor random_words(int64_t count, int64_t stride, int64_t offset, uint64_t seed) {
  const Tensor counter = positions(count).cast(kUInt64) * stride + offset;
  return make_tensor("rand", kUInt64, counter.shape(), {counter},
                     [&](Graph& g, std::span<const Id> src) {
                       const Id key = constant(g, kUInt64, static_cast<int64_t>(seed));
                       return binary(g, Op::kThreefry, src[0], key);
                     });
}

// As many of the highest bits as the type's fraction holds, over their number: [0, 1).
Tensor unit_interval(const Tensor& words, DType dtype) {
  if (!dtype.is_float()) fail<UserError>("rand: ", name(dtype), ", expected a float type");
  const int bits = dtype == kFloat64 ? 53 : dtype == kFloat32 ? 24 : dtype == kFloat16 ? 11 : 8;
  const Tensor fraction = words >> (64 - bits);
  const Tensor small = bits <= 31 ? fraction.cast(kInt32) : fraction.cast(kInt64);
  return small.cast(dtype) * std::ldexp(1.0, -bits);
}

}  // namespace

Tensor::Tensor() : Tensor(zeros({0})) {}

Tensor Tensor::from_bytes(std::span<const std::byte> bytes, DType dtype, Shape shape,
                          std::string_view device_name) {
  const int64_t count = element_count("Tensor", shape);
  const int64_t expected = check_mul(count, dtype.bytes(), "Tensor: number of bytes");
  if (std::ssize(bytes) != expected) {
    fail<UserError>("Tensor: ", std::ssize(bytes) / dtype.bytes(), " elements of ", name(dtype),
                    " do not fill shape ", shape, ", expected ", count);
  }
  if (count == 0) return zeros(std::move(shape), dtype).to(device_name);
  Tensor tensor = empty(std::move(shape), dtype, device_name);
  std::memcpy(engine().memory_of(tensor.data()->root).buffer->data(), bytes.data(), bytes.size());
  return tensor;
}

Tensor Tensor::empty(Shape shape, DType dtype, std::string_view device_name) {
  const int64_t count = element_count("empty", shape);
  if (count == 0) return zeros(std::move(shape), dtype).to(device_name);
  Device& home = engine().device(device_name);
  const int64_t bytes = check_mul(count, dtype.bytes(), "empty: number of bytes");
  auto buffer = std::make_shared<Buffer>(home, bytes);
  buffer->data();  // allocated now, while nobody shares it
  return tensor_of_memory(std::move(buffer), dtype, std::move(shape));
}

Tensor Tensor::full(Shape shape, const Number& value, std::optional<DType> dtype) {
  element_count("full", shape);
  const DType type = dtype.value_or(default_dtype(value));
  return constant_tensor("full", type, value).expand(std::move(shape));
}

Tensor Tensor::arange(const Number& start, const Number& stop, const Number& step,
                      std::optional<DType> dtype) {
  if (step.real() == 0) fail<UserError>("arange: the step is 0");
  const bool is_real = start.is_float() || stop.is_float() || step.is_float();
  const DType type = dtype.value_or(is_real ? kFloat32 : kInt64);
  const int64_t count = is_real ? real_steps(start.real(), stop.real(), step.real())
                                : integer_steps(start.integer(), stop.integer(), step.integer());
  if (!is_real) return (positions(count) * step + start).cast(type);
  return (positions(count).cast(kFloat64) * step + start).cast(type);
}

Tensor Tensor::linspace(double start, double stop, int64_t count, DType dtype) {
  if (count < 0) fail<UserError>("linspace: ", count, " numbers, expected 0 or more");
  if (count == 1) return full({1}, start, dtype);
  const Tensor position = positions(count);
  const double step = (stop - start) / static_cast<double>(count - 1);
  const Tensor even = position.cast(kFloat64) * step + start;
  return where(position == count - 1, stop, even).cast(dtype);
}

Tensor Tensor::eye(int64_t n, int64_t m, DType dtype) {
  if (m == -1) m = n;
  element_count("eye", {n, m});
  return (positions(n).reshape({n, 1}) == positions(m)).cast(dtype);
}

Tensor Tensor::rand(Shape shape, uint64_t seed, DType dtype) {
  const int64_t count = element_count("rand", shape);
  return unit_interval(random_words(count, 1, 0, seed), dtype).reshape(std::move(shape));
}

// Box-Muller: radius and angle of a point in the plane, of which we keep one coordinate.
Tensor Tensor::randn(Shape shape, uint64_t seed, DType dtype) {
  const int64_t count = element_count("randn", shape);
  const DType wide = is_half(dtype) ? kFloat32 : dtype;
  const Tensor radius =
      ((1 - unit_interval(random_words(count, 2, 0, seed), wide)).log() * -2).sqrt();
  const Tensor angle =
      unit_interval(random_words(count, 2, 1, seed), wide) * (2 * std::numbers::pi);
  return (radius * angle.sin()).cast(dtype).reshape(std::move(shape));
}

}  // namespace loom
