// What a Tensor handle points to, and how every operation makes a new one.
#pragma once
#include <atomic>
#include <string>

#include "engine/engine.h"
#include "ir/build.h"
#include "ir/session.h"
#include "loom/function_ref.h"
#include "loom/tensor.h"

namespace loom {

struct TensorData {
  TensorData(Root r, DType t, Shape s, Device* d)
      : root(std::move(r)), dtype(t), shape(std::move(s)), device(d) {}

  const Root root;  // its expression in the session's graph
  const DType dtype;
  const Shape shape;
  std::atomic<Device*> device;  // null: an expression of constants, at home on every device
  std::atomic<bool> owns_memory =
      false;  // is known to: its value is, or will be, in memory of its own
};

/// Makes the node of a new tensor from the nodes of its sources; runs under the session's lock.
using NodeBuilder = function_ref<Id(Graph&, std::span<const Id>)>;

/// The tensor that `build` makes of `sources`. They must lie on one device; `op` is for the error
/// that says they don't. A tensor without elements is a constant: nothing below ever meets one.
Tensor make_tensor(std::string_view op, DType dtype, Shape shape, std::span<const Tensor> sources,
                   NodeBuilder build);
inline Tensor make_tensor(std::string_view op, DType dtype, Shape shape,
                          std::initializer_list<Tensor> sources, NodeBuilder build) {
  return make_tensor(op, dtype, std::move(shape), std::span(sources.begin(), sources.size()),
                     build);
}

/// A new tensor with the value of `x`.
Tensor same_value(const Tensor& x);
/// The tensor whose elements lie in the buffer, which it owns.
Tensor tensor_of_memory(std::shared_ptr<Buffer> buffer, DType dtype, Shape shape);

/// The constant as a node; the number must fit the dtype, or UserError names `op`.
Id constant_node(std::string_view op, Graph& graph, DType dtype, const Number& number);
/// A scalar constant of shape ().
Tensor constant_tensor(std::string_view op, DType dtype, const Number& number);
/// A constant of that shape which is at home where `x` is: what an operation on `x` gives when the
/// answer does not depend on its elements, or when it has none.
Tensor constant_beside(const Tensor& x, Shape shape, const Number& value, DType dtype);
/// 0, 1, .., count - 1 as a vector of dtype index.
Tensor positions(int64_t count);

/// "float32 (2, 3)".
std::string describe(const Tensor& tensor);

}  // namespace loom
