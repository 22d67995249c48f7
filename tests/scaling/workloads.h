// Passes over graphs of any size, whose work the tests count.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "ir/graph.h"

namespace loom::testing {

/// `prepare` makes the input for a size; `work` is what is counted, on that graph and root.
struct Workload {
  std::string_view name;
  int size;  // the smaller one; the other is ten times that
  Id (*prepare)(Graph& g, int size);
  void (*work)(Graph& g, Id root);
};

std::span<const Workload> workloads();

}  // namespace loom::testing
