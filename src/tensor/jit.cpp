#include "loom/jit.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "base/error.h"
#include "engine/replay.h"
#include "tensor/assign.h"
#include "tensor/data.h"

namespace loom {
namespace {

struct Signature {
  DType dtype;
  Shape shape;
  std::string device;
  bool operator==(const Signature&) const = default;
};

Signature signature_of(const Tensor& tensor) {
  return {tensor.dtype(), tensor.shape(), tensor.device()};
}

std::string text(const Signature& signature) {
  return str(name(signature.dtype), " ", signature.shape, " on ", signature.device);
}

// Memory of the tensor's own, in which a caller sees what the function assigns.
Memory own_memory(Tensor& tensor) {
  if (tensor.numel() == 0) return {};
  Memory memory = engine().memory_of(tensor.data()->root);
  if (memory.buffer != nullptr && owns_memory(tensor)) return memory;
  tensor.realize();
  if (!owns_memory(tensor)) tensor.assign(tensor).realize();
  return engine().memory_of(tensor.data()->root);
}

}  // namespace

struct JitProgram::State {
  explicit State(JitOptions o) : options(o) {}

  std::vector<Memory> prepare(FlatTensors& inputs, bool separate) const;
  void check(const FlatTensors& inputs);
  FlatTensors capture(const FlatTensors& inputs, const std::vector<Memory>& memory,
                      Function function);
  void settle_outputs(FlatTensors& outputs, const Capture& capture) const;
  void keep(const Capture& capture, const std::vector<Memory>& inputs, const FlatTensors& outputs);
  FlatTensors replay_with(const std::vector<Memory>& inputs);

  JitOptions options;
  std::mutex mutex;
  bool has_run = false;
  std::vector<Signature> inputs;
  std::vector<size_t> input_sizes;
  std::vector<Signature> outputs;
  std::vector<size_t> output_sizes;
  std::optional<Replay> replay;
  std::vector<bool> is_assigned;        // by input
  std::vector<int64_t> assigned_slots;  // of other memory that was there before
  bool assigns = false;                 // to any of them
};

JitProgram::JitProgram(JitOptions options) : state_(std::make_unique<State>(options)) {}
JitProgram::JitProgram(JitProgram&&) noexcept = default;
JitProgram& JitProgram::operator=(JitProgram&&) noexcept = default;
JitProgram::~JitProgram() = default;

size_t JitProgram::launch_count() const {
  return state_->replay ? state_->replay->launch_count() : 0;
}

FlatTensors JitProgram::call(FlatTensors inputs, Function function) {
  if (Capture::current() != nullptr) return function(inputs);  // part of what another one captures
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.check(inputs);
  if (state.replay) return state.replay_with(state.prepare(inputs, state.assigns));
  const std::vector<Memory> memory = state.prepare(inputs, true);
  FlatTensors outputs;
  if (state.has_run) {
    outputs = state.capture(inputs, memory, function);
  } else {
    outputs = function(inputs);
    for (Tensor& output : outputs.tensors) output = same_value(output);
    realize(outputs.tensors);
    engine().realize_assigned();
    for (const Tensor& input : inputs.tensors) state.inputs.push_back(signature_of(input));
    state.input_sizes = inputs.sizes;
    state.has_run = true;
  }
  return outputs;
}

void JitProgram::State::check(const FlatTensors& given) {
  if (!has_run) return;
  if (given.tensors.size() != inputs.size() || given.sizes != input_sizes) {
    fail<UserError>("Jit: ", given.tensors.size(), " tensors in lists of ", given.sizes,
                    ", expected ", inputs.size(), " in lists of ", input_sizes);
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    const Signature signature = signature_of(given.tensors[i]);
    if (signature != inputs[i]) {
      fail<UserError>("Jit: argument ", i, " is ", text(signature), ", expected ", text(inputs[i]));
    }
  }
}

// Each input in memory of its own. Where one is passed twice, the second gets a copy if `separate`.
std::vector<Memory> JitProgram::State::prepare(FlatTensors& given, bool separate) const {
  engine().realize_assigned();
  std::vector<Memory> memory;
  std::unordered_set<int64_t> taken;
  for (Tensor& input : given.tensors) {
    memory.push_back(own_memory(input));
    if (memory.back().buffer == nullptr || taken.insert(memory.back().slot).second || !separate)
      continue;
    input = input.contiguous().realize();
    memory.back() = own_memory(input);
  }
  return memory;
}

FlatTensors JitProgram::State::capture(const FlatTensors& given, const std::vector<Memory>& memory,
                                       Function function) {
  std::vector<int64_t> slots;
  slots.reserve(memory.size());
  for (const Memory& input : memory) slots.push_back(input.slot);
  const Capture capture(slots);
  FlatTensors results = function(given);
  for (Tensor& output : results.tensors) output = same_value(output);
  realize(results.tensors);
  engine().realize_assigned();
  settle_outputs(results, capture);
  keep(capture, memory, results);
  return results;
}

// Each output must be in memory that this capture made and wrote, and no other output may share it.
void JitProgram::State::settle_outputs(FlatTensors& results, const Capture& capture) const {
  const CapturedProgram program(capture);
  std::unordered_set<int64_t> taken;
  for (Tensor& output : results.tensors) {
    if (output.numel() == 0) continue;
    const Memory memory = engine().memory_of(output.data()->root);
    const uint32_t number = memory.buffer ? program.number_of(memory.buffer.get()) : UINT32_MAX;
    const bool is_new = number != UINT32_MAX && program.memory[number].is_written &&
                        memory.slot >= capture.first_slot() && owns_memory(output);
    if (!is_new || !taken.insert(memory.slot).second) output = output.contiguous().realize();
  }
}

void JitProgram::State::keep(const Capture& capture, const std::vector<Memory>& given,
                             const FlatTensors& results) {
  CapturedProgram program(capture);
  std::vector<bool> changing(program.memory.size());
  std::vector<std::shared_ptr<Buffer>> input_buffers, output_buffers;
  const auto number_of = [&](const std::shared_ptr<Buffer>& buffer) {
    return buffer == nullptr ? UINT32_MAX : program.number_of(buffer.get());
  };
  is_assigned.clear();
  for (const Memory& input : given) {
    const uint32_t number = number_of(input.buffer);
    if (number != UINT32_MAX) changing[number] = true;
    is_assigned.push_back(number != UINT32_MAX && program.memory[number].is_written);
    input_buffers.push_back(input.buffer);
  }
  outputs.clear();
  for (const Tensor& output : results.tensors) {
    output_buffers.push_back(engine().memory_of(output.data()->root).buffer);
    const uint32_t number = number_of(output_buffers.back());
    if (number != UINT32_MAX) changing[number] = true;
    outputs.push_back(signature_of(output));
  }
  assigned_slots.clear();
  for (const auto& [buffer, slot] : engine().slots_before(capture.first_slot())) {
    const uint32_t number = program.number_of(buffer);
    if (number == UINT32_MAX || !program.memory[number].is_written) continue;
    const bool is_input =
        std::ranges::any_of(given, [&](const Memory& m) { return m.slot == slot; });
    if (!is_input) assigned_slots.push_back(slot);
    changing[number] = true;
  }
  assigns = !assigned_slots.empty() || std::ranges::find(is_assigned, true) != is_assigned.end();
  if (options.prune) prune(program, changing);
  output_sizes = results.sizes;
  replay.emplace(program, input_buffers, output_buffers);
}

FlatTensors JitProgram::State::replay_with(const std::vector<Memory>& given) {
  std::vector<void*> addresses, results;
  std::vector<int64_t> slots = assigned_slots;
  for (size_t i = 0; i < given.size(); i++) {
    addresses.push_back(given[i].buffer ? given[i].buffer->data() : nullptr);
    if (is_assigned[i]) slots.push_back(given[i].slot);
  }
  std::vector<std::shared_ptr<Buffer>> made;
  for (const Signature& output : outputs) {
    const int64_t count = check_product(output.shape, "Jit: number of elements");
    made.push_back(
        std::make_shared<Buffer>(engine().device(output.device), count * output.dtype.bytes()));
    results.push_back(count == 0 ? nullptr : made.back()->data());
  }
  const auto launch = [&] { replay->run(addresses, results); };
  if (assigns)
    engine().overwrite(slots, launch);
  else
    engine().read_memory(launch);
  FlatTensors flat{{}, output_sizes};
  for (size_t i = 0; i < made.size(); i++) {
    const Signature& output = outputs[i];
    flat.add(results[i] == nullptr
                 ? Tensor::empty(output.shape, output.dtype, output.device)
                 : tensor_of_memory(std::move(made[i]), output.dtype, output.shape));
  }
  return flat;
}

}  // namespace loom
