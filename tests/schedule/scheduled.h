// Schedules a graph and compares what its kernels compute with what the tensors mean.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "base/str.h"
#include "schedule/schedule.h"
#include "tests/oracle/kernel_evaluator.h"
#include "tests/oracle/tensor_evaluator.h"

namespace loom::oracle {

inline size_t kernel_count(Graph& g, Id sink) { return g.src(schedule(g, sink).linear).size(); }

/// "" when every buffer of `memory` ends up as it should; else what differs.
inline std::string difference(Graph& g, Id sink, const Memory& memory) {
  const Memory expected = TensorEvaluator(g, memory).run(sink);
  const Memory got = run_schedule(g, schedule(g, sink).linear, memory);
  for (const auto& [slot, cells] : expected) {
    const Cells& found = got.at(slot);
    for (size_t k = 0; k < cells.size(); k++) {
      if (cells[k] == found[k]) continue;
      return str("buffer ", slot, "[", k, "] is ", found[k].bits, ", not ", cells[k].bits);
    }
  }
  return "";
}

/// Inputs with slots 0, 1, .. of these sizes, filled with small numbers, and room for outputs.
inline Memory filled_memory(const Graph& g, Id sink) {
  Memory memory;
  int64_t next = 1;
  for (const Id id : reachable(g, sink)) {
    if (g.op(id) != Op::kBuffer) continue;
    Cells& cells = memory[g.arg(id)];
    for (int64_t k = g.arg(g.src(id, 0)); k > 0; k--) {
      next = (next * 75 + 74) % 65537;
      const int64_t value = next % 19 - 9;
      cells.push_back(g.dtype(id).is_float()
                          ? Value::of_float(static_cast<double>(value))
                          : Value::of_int(g.dtype(id).is_bool() ? value > 0 : value));
    }
  }
  return memory;
}

/// Schedules, checks the values and gives the number of kernels.
inline size_t checked_kernel_count(Graph& g, Id sink) {
  EXPECT_EQ(difference(g, sink, filled_memory(g, sink)), "");
  return kernel_count(g, sink);
}

}  // namespace loom::oracle
