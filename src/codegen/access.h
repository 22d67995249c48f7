// How a kernel walks through memory: what the heuristic knows of its loads and stores.
#pragma once
#include <vector>

#include "ir/graph.h"

namespace loom {

/// The step of an offset per step of a range: 0, a number of elements, or `kIrregular`.
inline constexpr int64_t kIrregular = INT64_MIN;

/// One LOAD or STORE.
struct Access {
  Id id = 0;
  bool is_store = false;
  bool is_gated = false;
  int64_t element_bytes = 0;
  std::vector<int64_t> strides;  // by position of the range in nesting order
};

/// Roughly how many instructions fill a vector of `lanes` elements that lie `stride` apart.
double instructions_to_load(int64_t stride, int64_t lanes);

/// The accesses of a kernel body in kernel form, in id order. `ranges` are its ranges.
std::vector<Access> find_accesses(const Graph& g, Id sink, const std::vector<Id>& ranges);

}  // namespace loom
