// Elementwise operations as LLVM instructions.
#pragma once
#include <span>
#include <string>

#include "codegen/render/llvm_text.h"
#include "ir/graph.h"

namespace loom {

/// Writes the instructions of an ALU, CAST or BITCAST node whose sources have the names `operands`;
/// returns the name of its value. Throws InternalError for what the decompositions should have
/// removed.
std::string llvm_elementwise(LlvmLines& lines, const Graph& g, Id id,
                             std::span<const std::string> operands);

}  // namespace loom
