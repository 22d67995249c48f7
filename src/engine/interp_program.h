// A linear program as a flat list of steps over numbered slots: what the interpreter runs.
//
// In:  a LoweredKernel.
// Out: steps in execution order with their jumps resolved, and the slots as they are at the start.
#pragma once
#include <vector>

#include "codegen/codegen.h"
#include "ir/evaluate.h"

namespace loom {

/// Where a value lies: `lanes` consecutive slots.
struct InterpOperand {
  uint32_t slot = 0;
  uint16_t lanes = 1;

  /// The slot of one lane; a scalar has the same value in every lane.
  uint32_t lane(uint32_t k) const { return lanes == 1 ? slot : slot + k; }
};

struct InterpMemory {
  Id node = 0;         // PARAM, DEFINE_REG or DEFINE_LOCAL
  DType dtype;         // of one element as its INDEX nodes count
  InterpOperand size;  // in elements
  int64_t param = -1;  // the slot of a PARAM
  uint32_t cells = 0;  // otherwise: its first cell
};

struct InterpAccess {
  uint32_t memory = 0;  // position in InterpProgram::memory
  InterpOperand offset, gate;
  bool gated = false;
};

struct InterpStep {
  Id node = 0;
  Op op = Op::kNone;
  DType dtype;    // of the result; of the value for STORE
  DType operand;  // elementwise: what evaluate() calls the operand's type
  InterpOperand result;
  // Elementwise: operands; LOAD: alternative; STORE: value; RANGE, END: size; IF: condition.
  InterpOperand src[3];
  uint8_t src_count = 0;
  InterpAccess access;  // LOAD, STORE
  uint32_t jump = 0;    // RANGE, IF: past their end; END: behind its RANGE
};

/// A slot that the launch fills with one of its variables.
struct InterpVariable {
  uint32_t slot = 0;
  size_t position = 0;
};

struct InterpProgram {
  std::vector<InterpStep> steps;
  std::vector<Value> slots;  // as they are before the first step
  std::vector<InterpMemory> memory;
  uint32_t cell_count = 0;  // of DEFINE_REG and DEFINE_LOCAL together, one value each
  std::vector<InterpVariable> variables;
  std::vector<uint32_t> thread_slots;
};

/// Throws InternalError for a kernel that is not in linear form.
InterpProgram flatten(const LoweredKernel& kernel);

}  // namespace loom
