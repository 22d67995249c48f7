// Where laziness ends: realizing, reading and assigning.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "engine/capture.h"
#include "engine/memory_nodes.h"
#include "ir/evaluate.h"
#include "tensor/assign.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

// Fills `out` when all elements are one constant; false when they are not.
bool read_constant(const Tensor& tensor, std::span<std::byte> out) {
  const Session::Access access = engine().access();
  const Graph& graph = access.graph();
  const Id id = uniform_constant(graph, access[tensor.data()->root]);
  if (id == 0) return false;
  const auto bits = memory_bits(tensor.dtype(), Value{graph.arg(id)});
  const size_t width = static_cast<size_t>(tensor.dtype().bytes());
  for (size_t at = 0; at < out.size(); at += width) std::memcpy(&out[at], &bits, width);
  return true;
}

void refuse_captured(const Tensor& tensor, const Memory& memory) {
  const Capture* capture = Capture::current();
  if (capture == nullptr || (memory.buffer != nullptr && capture->is_fixed(memory.slot))) return;
  fail<UserError>("item, to_vector and printing of ", describe(tensor),
                  " inside a Jit: its value changes with the inputs; return it instead");
}

Memory computed_memory(Tensor& tensor) {
  Memory memory = engine().memory_of(tensor.data()->root);
  refuse_captured(tensor, memory);
  while (memory.buffer == nullptr) {
    tensor.realize();
    memory = engine().memory_of(tensor.data()->root);
  }
  return memory;
}

}  // namespace

void realize(std::span<const Tensor> tensors) {
  std::vector<RealizeTarget> targets;
  for (const Tensor& tensor : tensors) {
    targets.push_back({tensor.data()->root.place(), tensor.data()->device});
  }
  engine().realize(targets);
  // What was at home everywhere has come to lie somewhere.
  for (const Tensor& tensor : tensors) {
    if (tensor.data()->device != nullptr) continue;
    const Memory memory = engine().memory_of(tensor.data()->root);
    if (memory.buffer != nullptr) tensor.data()->device = &memory.buffer->device();
  }
}

Tensor& Tensor::realize() {
  loom::realize({*this});
  return *this;
}

void Tensor::read(DType as, std::span<std::byte> out) const {
  Tensor tensor = cast(as);
  if (std::ssize(out) != numel() * as.bytes()) {
    fail<UserError>("read: ", out.size(), " bytes for ", describe(tensor), ", expected ",
                    numel() * as.bytes());
  }
  if (out.empty() || read_constant(tensor, out)) return;
  const Memory memory = computed_memory(tensor);
  engine().read_memory([&] { std::memcpy(out.data(), memory.buffer->data(), out.size()); });
}

// --- Assigning. A tensor that has memory of its own keeps it. ---

bool owns_memory(const Tensor& tensor) {
  if (tensor.data()->owns_memory) return true;
  const Session::Access access = engine().access();
  const Root& root = tensor.data()->root;
  const Id buffer = own_buffer(access.graph(), access[root]);
  const bool owns =
      buffer != 0 && engine().buffers().owner(access.graph().arg(buffer)) == root.place();
  if (owns) tensor.data()->owns_memory = true;
  return owns;
}

namespace {

// Memory for a tensor that has none yet; what it holds does not matter.
void give_memory(const Tensor& x) {
  auto buffer =
      std::make_shared<Buffer>(engine().device(x.device()), x.numel() * x.dtype().bytes());
  Session::Access access = engine().access();
  const Root& root = x.data()->root;
  access.set(root,
             engine().buffer_node(access, std::move(buffer), x.dtype(), x.shape(), root.place()));
  x.data()->owns_memory = true;
}

}  // namespace

Tensor& store_into(Tensor& x, const Tensor& view, const Tensor& value) {
  Session::Access access = engine().access();
  Graph& graph = access.graph();
  const Root& root = x.data()->root;
  const Id source = access[value.data()->root];
  const Id store = graph.add(Op::kStore, kVoid, {access[view.data()->root], source});
  access.set(root, graph.add(Op::kAfter, x.dtype(), {access[root], store}));
  engine().note_assignment(root.place());
  return x;
}

Tensor& Tensor::assign(const Operand& operand) {
  const Tensor value = as_tensor("assign", operand, dtype()).expand(shape());
  if (numel() == 0) return *this;
  Device& home = engine().device(device());
  Device* other = value.data()->device;
  if (other != nullptr && other != &home) {
    fail<UserError>("assign: a value on ", other->name(), " to a tensor on ", home.name(),
                    ", expected one device");
  }
  data_->device = &home;
  if (!owns_memory(*this)) give_memory(*this);
  return store_into(*this, same_value(*this), value);
}

}  // namespace loom
