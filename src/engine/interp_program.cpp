#include "engine/interp_program.h"

#include <algorithm>

#include "base/error.h"
#include "ir/build.h"

namespace loom {
namespace {

class Flattener {
 public:
  explicit Flattener(const LoweredKernel& kernel)
      : kernel_(kernel), g_(kernel.graph), slot_(g_.size()), memory_(g_.size()), step_(g_.size()) {}

  InterpProgram flatten() {
    for (Id id : reachable(g_, kernel_.linear)) give_slots(id);
    for (Id id : g_.src(kernel_.linear)) add_step(id);
    return std::move(program_);
  }

 private:
  void give_slots(Id id) {
    const Node& node = g_[id];
    if (node.scalar == Scalar::kVoid || node.op == Op::kIndex || node.op == Op::kAfter) return;
    slot_[id] = static_cast<uint32_t>(program_.slots.size());
    program_.slots.resize(slot_[id] + node.lanes);
    switch (node.op) {
      case Op::kConst:
      case Op::kLanes: set_constant(id); break;
      case Op::kParam:
      case Op::kDefineReg:
      case Op::kDefineLocal: add_memory(id); break;
      case Op::kVariable: program_.variables.push_back({slot_[id], variable_position(id)}); break;
      case Op::kSpecial: program_.thread_slots.push_back(slot_[id]); break;
      default: break;
    }
  }

  void set_constant(Id id) {
    for (int lane = 0; lane < g_.dtype(id).lanes; ++lane)
      program_.slots[slot_[id] + lane] = {g_.op(id) == Op::kConst ? g_.arg(id) : lane};
  }

  void add_memory(Id id) {
    memory_[id] = static_cast<uint32_t>(program_.memory.size());
    InterpMemory memory;
    memory.node = id;
    memory.dtype = g_.dtype(id);
    memory.size = operand(g_.src(id, 0));
    if (g_.op(id) == Op::kParam) {
      memory.param = g_.arg(id);
    } else {
      memory.cells = program_.cell_count;
      program_.cell_count +=
          static_cast<uint32_t>(int_value(g_, g_.src(id, 0)) * g_.dtype(id).lanes);
    }
    program_.memory.push_back(memory);
  }

  size_t variable_position(Id id) const {
    const auto& all = kernel_.variables;
    const auto found = std::find(all.begin(), all.end(), g_.text_of(g_.arg(id)));
    require(found != all.end(), "variable ", g_.text_of(g_.arg(id)), " is not among the kernel's");
    return static_cast<size_t>(found - all.begin());
  }

  Id settled(Id id) const {
    while (g_.op(id) == Op::kAfter) id = g_.src(id, 0);
    return id;
  }

  InterpOperand operand(Id id) const {
    const Id value = settled(id);
    return {slot_[value], g_.dtype(value).lanes};
  }

  InterpAccess access(Id index) const {
    const auto src = g_.src(index);
    InterpAccess result{memory_[settled(src[0])], operand(src[1]), {}, src.size() == 3};
    if (result.gated) result.gate = operand(src[2]);
    return result;
  }

  void add_operands(InterpStep& step, std::span<const Id> src) {
    require(src.size() <= 3, "node ", step.node, " (", name(step.op), ") has too many operands");
    for (Id id : src) step.src[step.src_count++] = operand(id);
  }

  void add_step(Id id) {
    InterpStep step;
    step.node = id;
    step.op = g_.op(id);
    step.dtype = g_.dtype(id);
    step.result = {slot_[id], step.dtype.lanes};
    const auto position = static_cast<uint32_t>(program_.steps.size());
    switch (step.op) {
      case Op::kConst:
      case Op::kLanes:
      case Op::kParam:
      case Op::kDefineReg:
      case Op::kDefineLocal:
      case Op::kVariable:
      case Op::kSpecial:
      case Op::kIndex:
      case Op::kAfter:
      case Op::kGroup: return;
      case Op::kVectorize: return add_lanes(step);
      case Op::kRange:
      case Op::kIf: add_operands(step, g_.src(id)); break;
      case Op::kEnd: close(step, g_.src(id, 1)); break;
      case Op::kEndIf: return close(step, g_.src(id, 0));
      case Op::kLoad:
      case Op::kStore: add_access(step); break;
      case Op::kLane:
        step.src[0] = {slot_[settled(g_.src(id, 0))] + static_cast<uint32_t>(g_.arg(id)), 1};
        break;
      default: add_elementwise(step); break;
    }
    step_[id] = position;
    program_.steps.push_back(step);
  }

  /// One copy for each lane; the operation is then LANE.
  void add_lanes(InterpStep step) {
    const auto src = g_.src(step.node);
    step.op = Op::kLane;
    for (uint32_t lane = 0; lane < step.dtype.lanes; ++lane) {
      step.src[0] = operand(src[src.size() == 1 ? 0 : lane]);
      step.result = {slot_[step.node] + lane, 1};
      program_.steps.push_back(step);
    }
  }

  /// The end of a RANGE or IF, which now knows where to jump.
  void close(InterpStep& end, Id opener) {
    const bool is_loop = end.op == Op::kEnd;
    require(g_.op(opener) == (is_loop ? Op::kRange : Op::kIf), "node ", end.node,
            " closes nothing");
    InterpStep& begin = program_.steps[step_[opener]];
    end.jump = step_[opener] + 1;
    end.result = begin.result;
    end.src[0] = begin.src[0];
    begin.jump = static_cast<uint32_t>(program_.steps.size()) + (is_loop ? 1 : 0);
  }

  void add_access(InterpStep& step) {
    step.access = access(g_.src(step.node, 0));
    add_operands(step, g_.src(step.node).subspan(1));
    if (step.op == Op::kLoad) return;
    step.dtype = g_.dtype(g_.src(step.node, 1));
    step.dtype.lanes = std::max(step.dtype.lanes, step.access.offset.lanes);
  }

  void add_elementwise(InterpStep& step) {
    require(is_elementwise(step.op), "the interpreter does not know ", name(step.op));
    add_operands(step, g_.src(step.node));
    step.operand = g_.dtype(g_.src(step.node, step.op == Op::kWhere ? 1 : 0)).element();
  }

  const LoweredKernel& kernel_;
  const Graph& g_;
  InterpProgram program_;
  std::vector<uint32_t> slot_, memory_, step_;  // of each node
};

}  // namespace

InterpProgram flatten(const LoweredKernel& kernel) { return Flattener(kernel).flatten(); }

}  // namespace loom
