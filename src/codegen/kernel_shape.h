// The heuristic's view of a kernel: axes with sizes, and the memory accesses and arithmetic that
// run over them.
#pragma once
#include <vector>

#include "codegen/access.h"
#include "ir/graph.h"

namespace loom {

/// A set of axes: bit k is the k-th in nesting order.
using AxisSet = uint64_t;
constexpr AxisSet axis_bit(size_t axis) { return AxisSet{1} << axis; }

struct Axis {
  Id range = 0;
  int64_t size = 0;       // an upper bound where it is only known at launch
  bool is_fixed = true;   // known at compile time
  bool is_output = true;  // LOOP; otherwise reduced
};

/// A LOAD or STORE, or arithmetic operations, that run over the same axes.
struct Work {
  AxisSet axes = 0;       // that it depends on
  AxisSet runs_over = 0;  // and those that it is repeated for as well, because a reduction is
  bool in_reduce = false;
  double count = 1;
};

struct MemoryWork : Work {
  Access access;
};

struct KernelShape {
  std::vector<Axis> axes;  // outermost first
  std::vector<MemoryWork> memory;
  std::vector<Work> arithmetic;
  std::vector<AxisSet> reduces;  // by REDUCE: the axes that its result depends on
  std::vector<AxisSet> values;   // the sets of axes that some value depends on, each once
  int64_t element_bytes = 1;     // of the widest type that the kernel computes with
  AxisSet outputs = 0;           // the axes of the kernel that are not reduced
  bool is_in_place = false;      // it reads a buffer that it writes

  bool has_reduce() const { return !reduces.empty(); }
  /// How often something happens that runs over `axes`.
  double trips(AxisSet axes) const;
  /// Is a PADTO of the axis to blocks of this size free of masks?
  bool can_overlap(int axis, int64_t block) const;
};

KernelShape shape_of_kernel(const Graph& g, Id sink);

}  // namespace loom
