// Random programs of tensors: a list of steps that is a program whatever is left out of it, so that
// a failing one can be made smaller.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "loom/loom.h"

namespace loom::testing {

/// One step: which operation, on which earlier tensors, with which numbers. Everything is taken
/// modulo what is possible; a step that does not suit its operands does nothing.
struct Step {
  uint32_t op = 0;
  uint32_t a = 0, b = 0;
  uint64_t random = 0;
};

struct RandomProgram {
  std::vector<Step> steps;
  uint64_t seed = 0;
};

/// A tensor of the program and what is known of its values.
struct Known {
  Tensor tensor;
  double bound = 0;      // no value is larger
  bool is_exact = true;  // integers, in floats too: no rounding anywhere
};

RandomProgram random_program(uint64_t seed);

/// Values for its inputs, realized; `variant` chooses others of the same shapes.
std::vector<Known> random_inputs(const RandomProgram& program, const std::string& device,
                                 uint64_t variant = 0);
/// The program on these inputs; the result has them first. `names` gets a line for each tensor.
std::vector<Known> build_on(const RandomProgram& program, const std::vector<Known>& inputs,
                            const std::string& device, std::vector<std::string>* names = nullptr);
/// Both in one.
std::vector<Known> build(const RandomProgram& program, const std::string& device,
                         std::vector<std::string>* names = nullptr);

}  // namespace loom::testing
