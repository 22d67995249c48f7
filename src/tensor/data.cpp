#include "tensor/data.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/settings.h"
#include "engine/capture.h"
#include "engine/memory_nodes.h"
#include "tensor/rules.h"

namespace loom {
namespace {

Device* common_device(std::string_view op, std::span<const Tensor> sources) {
  Device* common = nullptr;
  for (const Tensor& source : sources) {
    Device* device = source.data()->device;
    if (common == nullptr) common = device;
    if (device != nullptr && device != common) {
      fail<UserError>(op, ": tensors on ", common->name(), " and ", device->name(),
                      ", expected one device");
    }
  }
  return common;
}

// A constant of any shape: RESHAPE to ones, EXPAND.
Id zeros_node(Graph& g, DType dtype, const Shape& shape) {
  const Id zero = constant(g, dtype, 0);
  std::vector<Id> ones{zero}, dims;
  for (int64_t dim : shape) {
    ones.push_back(index_const(g, 1));
    dims.push_back(index_const(g, dim));
  }
  dims.insert(dims.begin(), g.add(Op::kReshape, dtype, ones));
  return g.add(Op::kExpand, dtype, dims);
}

Tensor tensor_of_root(Root root, DType dtype, Shape shape, Device* device) {
  return Tensor(std::make_shared<TensorData>(std::move(root), dtype, std::move(shape), device));
}

bool fits(DType dtype, const Number& number) {
  if (dtype.is_float() || dtype.is_bool() || dtype.scalar == Scalar::kIndex) return true;
  const bool is_large = number.dtype() == kUInt64 && number.integer() < 0;  // above INT64_MAX
  if (dtype == kUInt64) return is_large || number.integer() >= 0 || number.dtype().is_bool();
  return !is_large && number.integer() >= dtype.min_value() &&
         number.integer() <= dtype.max_value();
}

}  // namespace

Tensor make_tensor(std::string_view op, DType dtype, Shape shape, std::span<const Tensor> sources,
                   NodeBuilder build) {
  Device* device = common_device(op, sources);
  const bool is_empty = std::ranges::find(shape, 0) != shape.end();
  Session::Access access = engine().access();
  std::vector<Id> src;
  for (const Tensor& source : sources) src.push_back(access[source.data()->root]);
  const Id node = is_empty ? zeros_node(access.graph(), dtype, shape) : build(access.graph(), src);
  return tensor_of_root(access.root(node), dtype, std::move(shape), device);
}

Tensor same_value(const Tensor& x) {
  return make_tensor("copy", x.dtype(), x.shape(), {x},
                     [](Graph&, std::span<const Id> src) { return src[0]; });
}

Tensor tensor_of_memory(std::shared_ptr<Buffer> buffer, DType dtype, Shape shape) {
  Device* device = &buffer->device();
  Root root = engine().add_buffer(std::move(buffer), dtype, shape);
  return tensor_of_root(std::move(root), dtype, std::move(shape), device);
}

Id constant_node(std::string_view op, Graph& graph, DType dtype, const Number& number) {
  if (number.is_float()) return constant(graph, dtype, number.real());
  if (!fits(dtype, number)) {
    fail<UserError>(op, ": ", number.integer(), " is not a number of ", loom::name(dtype),
                    ", expected one (or cast the tensor first)");
  }
  if (number.dtype() == kUInt64 && dtype.is_float()) return constant(graph, dtype, number.real());
  return constant(graph, dtype, number.integer());
}

Tensor constant_tensor(std::string_view op, DType dtype, const Number& number) {
  return make_tensor(
      op, dtype, {}, std::initializer_list<Tensor>{},
      [&](Graph& g, std::span<const Id>) { return constant_node(op, g, dtype, number); });
}

Tensor constant_beside(const Tensor& x, Shape shape, const Number& value, DType dtype) {
  Tensor constant = Tensor::full(std::move(shape), value, dtype);
  constant.data()->device = x.data()->device.load();
  return constant;
}

Tensor positions(int64_t count) {
  return make_tensor(
      "positions", kIndex, {count}, std::initializer_list<Tensor>{},
      [&](Graph& g, std::span<const Id>) { return range(g, count, 0, AxisType::kLoop); });
}

std::string describe(const Tensor& tensor) {
  return str(name(tensor.dtype()), " ", tensor.shape());
}

// --- What a tensor is. ---

const Shape& Tensor::shape() const { return data_->shape; }
DType Tensor::dtype() const { return data_->dtype; }
std::string Tensor::device() const {
  const Device* device = data_->device;
  return device == nullptr ? settings()->device : device->name();
}
int64_t Tensor::size(int64_t axis) const { return shape()[checked_axis("size", axis, *this)]; }
int64_t Tensor::numel() const { return element_count("numel", shape()); }

Tensor Tensor::contiguous() const {
  return make_tensor(
      "contiguous", dtype(), shape(), {*this},
      [&](Graph& g, std::span<const Id> src) { return g.add(Op::kContiguous, dtype(), src); });
}

Tensor Tensor::to(std::string_view device_name) const {
  Device* target = &engine().device(device_name);
  const bool is_there = data_->device == nullptr || data_->device == target;
  Tensor moved =
      is_there
          ? same_value(*this)
          : make_tensor("to", dtype(), shape(), {*this}, [&](Graph& g, std::span<const Id> src) {
              const Id node = g.add(Op::kDevice, kVoid, {}, g.text(target->name()));
              return g.add(Op::kCopy, dtype(), {src[0], node});
            });
  moved.data_->device = target;
  return moved;
}

}  // namespace loom
