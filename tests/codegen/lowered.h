// Lowers a kernel and compares what the linear program computes with what the kernel form means.
#pragma once
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "codegen/codegen.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/oracle/kernel_evaluator.h"
#include "tests/oracle/run_linear.h"

namespace loom::testing {

/// A machine with 512-bit vectors and two threads, whatever we run on.
inline Target wide_target() {
  Target target = generic_x86_64();
  target.vector_bits = 512;
  target.vector_registers = 32;
  target.has_fma = true;
  target.threads = 2;
  return target;
}

/// One with 256-bit vectors.
inline Target middle_target() {
  Target target = wide_target();
  target.vector_bits = 256;
  target.vector_registers = 16;
  target.threads = 5;
  return target;
}

/// One with work-groups.
inline Target group_target() {
  Target target = wide_target();
  target.has_local = true;
  target.local_bytes = 48 << 10;
  return target;
}

/// Small integers, which all types hold exactly, in every buffer of the kernel.
inline oracle::Memory filled_memory(const Graph& g, Id sink, uint64_t seed) {
  std::mt19937_64 random(seed);
  oracle::Memory memory;
  for (Id id : reachable(g, sink)) {
    if (g.op(id) != Op::kParam) continue;
    oracle::Cells& cells = memory[g.arg(id)];
    for (int64_t n = g.bounds(g.src(id, 0)).hi; n > 0; n--) {
      const int number = static_cast<int>(random() % 9) - 4;
      const Value value = g.dtype(id).is_float() ? Value::of_float(number) : Value::of_int(number);
      cells.push_back(evaluate(Op::kCast, g.dtype(id), g.dtype(id), std::span(&value, 1)));
    }
  }
  return memory;
}

using Variables = std::map<std::string, int64_t>;

/// The memory after the kernel as its form defines it.
inline oracle::Memory meaning(const Graph& g, Id sink, const oracle::Memory& before,
                              const Variables& variables = {}) {
  std::vector<oracle::KernelEvaluator::Buffer> buffers(before.empty() ? 0
                                                                      : before.rbegin()->first + 1);
  std::vector<oracle::KernelEvaluator::Buffer*> params;
  for (const auto& [slot, cells] : before) buffers[slot].assign(cells.begin(), cells.end());
  for (auto& buffer : buffers) params.push_back(&buffer);
  oracle::KernelEvaluator(g, params, variables).run(sink);
  oracle::Memory after;
  for (const auto& [slot, cells] : before) {
    for (const std::optional<Value>& value : buffers[slot]) after[slot].push_back(*value);
  }
  return after;
}

/// Lowers the kernel, verifies the list, runs it, and compares all of its memory with its meaning.
inline LoweredKernel expect_right(const Graph& g, Id sink, const CodegenOptions& options = {},
                                  const Target& target = wide_target(),
                                  const Variables& variables = {}) {
  SCOPED_TRACE(print(g, sink));
  oracle::Memory memory = filled_memory(g, sink, 1);
  const oracle::Memory expected = meaning(g, sink, memory, variables);
  LoweredKernel kernel;
  try {
    kernel = lower_kernel(g, sink, target, options);
    verify(kernel.graph, kernel.linear, Stage::kLinear);
  } catch (const InternalError& error) {
    ADD_FAILURE() << error.what();
    return kernel;
  }
  oracle::run_linear(kernel.graph, kernel.linear, kernel.threads, memory, variables);
  std::string opts;
  for (const Opt& opt : kernel.opts) opts += " " + name(opt);
  for (const auto& [slot, cells] : expected) {
    for (size_t k = 0; k < cells.size(); k++) {
      if (memory[slot][k] == cells[k]) continue;
      ADD_FAILURE() << kernel.name << opts << ": element " << k << " of buffer " << slot
                    << " is wrong";
      return kernel;
    }
  }
  return kernel;
}

inline int count_ops(const LoweredKernel& kernel, Op op) {
  int count = 0;
  for (Id id : kernel.graph.src(kernel.linear)) count += kernel.graph.op(id) == op;
  return count;
}

/// Nodes of the list in the body of its innermost loop, the first one of those that are equally
/// deep.
inline std::vector<Id> innermost_body(const LoweredKernel& kernel) {
  std::vector<Id> body, deepest;
  size_t depth = 0, most = 0;
  for (Id id : kernel.graph.src(kernel.linear)) {
    if (kernel.graph.op(id) == Op::kRange) {
      depth++;
      body.clear();
    } else if (kernel.graph.op(id) == Op::kEnd) {
      if (depth > most) deepest = body;
      most = std::max(most, depth--);
      body.clear();
    } else {
      body.push_back(id);
    }
  }
  return deepest;
}

}  // namespace loom::testing
