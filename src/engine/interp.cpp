#include "engine/interp.h"

#include <cstring>

#include "base/error.h"
#include "engine/interp_program.h"
#include "runtime/host_allocator.h"

namespace loom {
namespace {

/// One run of a program by one thread: the values of its slots and its own memory.
class Run {
 public:
  Run(const InterpProgram& program, const std::string& kernel, std::span<void* const> buffers,
      std::span<const int64_t> variables, int64_t thread)
      : program_(program),
        kernel_(kernel),
        buffers_(buffers),
        slots_(program.slots),
        cells_(program.cell_count) {
    for (const InterpVariable& variable : program.variables)
      slots_[variable.slot] = Value::of_int(variables[variable.position]);
    for (uint32_t slot : program.thread_slots) slots_[slot] = Value::of_int(thread);
  }

  void run() {
    const auto end = static_cast<uint32_t>(program_.steps.size());
    for (uint32_t position = 0; position < end;)
      position = execute(program_.steps[position], position + 1);
  }

 private:
  /// Returns the position of the step to go on with.
  uint32_t execute(const InterpStep& step, uint32_t next) {
    switch (step.op) {
      case Op::kRange: return begin_loop(step, next);
      case Op::kEnd: return end_loop(step, next);
      case Op::kIf: return value(step.src[0], 0).as_int() != 0 ? next : step.jump;
      case Op::kLoad: load(step); return next;
      case Op::kStore: store(step); return next;
      case Op::kLane: slots_[step.result.slot] = value(step.src[0], 0); return next;
      default: elementwise(step); return next;
    }
  }

  Value value(const InterpOperand& operand, uint32_t lane) const {
    return slots_[operand.lane(lane)];
  }

  uint32_t begin_loop(const InterpStep& step, uint32_t next) {
    slots_[step.result.slot] = Value::of_int(0);
    return value(step.src[0], 0).as_int() > 0 ? next : step.jump;
  }

  uint32_t end_loop(const InterpStep& step, uint32_t next) {
    Value& counter = slots_[step.result.slot];
    counter = Value::of_int(counter.as_int() + 1);
    return counter.as_int() < value(step.src[0], 0).as_int() ? step.jump : next;
  }

  void elementwise(const InterpStep& step) {
    Value operands[3];
    for (uint32_t lane = 0; lane < step.dtype.lanes; ++lane) {
      for (int k = 0; k < step.src_count; ++k) operands[k] = value(step.src[k], lane);
      slots_[step.result.slot + lane] =
          evaluate(step.op, step.dtype.element(), step.operand, {operands, step.src_count});
    }
  }

  bool is_open(const InterpStep& step, uint32_t lane) const {
    return !step.access.gated || value(step.access.gate, lane).as_int() != 0;
  }

  /// Position of one lane in its memory, counted in scalars.
  int64_t scalar_position(const InterpStep& step, uint32_t lane) const {
    const InterpMemory& memory = program_.memory[step.access.memory];
    const bool contiguous = step.access.offset.lanes == 1;
    const int64_t position =
        value(step.access.offset, lane).as_int() * memory.dtype.lanes + (contiguous ? lane : 0);
    const int64_t size = value(memory.size, 0).as_int() * memory.dtype.lanes;
    require(position >= 0 && position < size, "kernel ", kernel_, ": node ", step.node, " (",
            name(step.op), ") accesses element ", position, " of node ", memory.node,
            ", which has ", size);
    return position;
  }

  uint8_t* address(const InterpMemory& memory, int64_t position) const {
    return static_cast<uint8_t*>(buffers_[static_cast<size_t>(memory.param)]) +
           position * memory.dtype.element().bytes();
  }

  Value read(const InterpMemory& memory, int64_t position) const {
    if (memory.param < 0) return cells_[memory.cells + position];
    const DType dtype = memory.dtype.element();
    uint64_t bits = 0;
    std::memcpy(&bits, address(memory, position), static_cast<size_t>(dtype.bytes()));
    return from_memory_bits(dtype, bits);
  }

  void write(const InterpMemory& memory, int64_t position, Value value) {
    if (memory.param < 0) {
      cells_[memory.cells + position] = value;
      return;
    }
    const DType dtype = memory.dtype.element();
    const uint64_t bits = memory_bits(dtype, value);
    std::memcpy(address(memory, position), &bits, static_cast<size_t>(dtype.bytes()));
  }

  void load(const InterpStep& step) {
    const InterpMemory& memory = program_.memory[step.access.memory];
    for (uint32_t lane = 0; lane < step.dtype.lanes; ++lane) {
      Value& result = slots_[step.result.slot + lane];
      if (is_open(step, lane))
        result = read(memory, scalar_position(step, lane));
      else
        result = step.src_count == 0 ? Value{} : value(step.src[0], lane);
    }
  }

  void store(const InterpStep& step) {
    const InterpMemory& memory = program_.memory[step.access.memory];
    for (uint32_t lane = 0; lane < step.dtype.lanes; ++lane)
      if (is_open(step, lane)) write(memory, scalar_position(step, lane), value(step.src[0], lane));
  }

  const InterpProgram& program_;
  const std::string& kernel_;
  std::span<void* const> buffers_;
  std::vector<Value> slots_, cells_;
};

class InterpretedProgram : public Program {
 public:
  explicit InterpretedProgram(const LoweredKernel& kernel)
      : name_(kernel.name), program_(flatten(kernel)) {}

  void launch(std::span<void* const> buffers, std::span<const int64_t> variables,
              const LaunchDims& dims) const override {
    for (int64_t thread = 0; thread < dims.threads; ++thread)
      Run(program_, name_, buffers, variables, thread).run();
  }

 private:
  std::string name_;
  InterpProgram program_;
};

/// Nothing special, so that kernels stay close to the loops they come from.
Target plain_target() {
  Target target;
  target.arch = target.cpu = "interpreter";
  target.has_fma = true;
  return target;
}

class Interpreter : public Device {
 public:
  const std::string& name() const override { return name_; }
  const Target& target() const override { return target_; }
  Allocator& allocator() override { return allocator_; }
  std::string_view language() const override { return ""; }

  std::vector<uint8_t> compile(std::string_view, std::string_view entry) override {
    fail<DeviceError>("INTERP runs linear programs as they are: it cannot compile ", entry);
  }
  std::unique_ptr<Program> load(std::span<const uint8_t>, std::string_view entry) override {
    fail<DeviceError>("INTERP runs linear programs as they are: it cannot load ", entry);
  }

 private:
  const std::string name_ = "INTERP";
  const Target target_ = plain_target();
  HostAllocator allocator_;
};

}  // namespace

std::unique_ptr<Program> make_interpreted(const LoweredKernel& kernel) {
  return std::make_unique<InterpretedProgram>(kernel);
}

std::unique_ptr<Device> open_interpreter() { return std::make_unique<Interpreter>(); }

}  // namespace loom
