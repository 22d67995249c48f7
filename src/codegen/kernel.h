// What the passes over a kernel body share: its ranges in nesting order, and how ranges are
// replaced.
#pragma once
#include <span>
#include <vector>

#include "ir/graph.h"

namespace loom {

inline AxisType axis_type(const Graph& g, Id range) { return range_type(g.arg(range)); }

/// The size of a range, or 0 where it is only known at launch.
int64_t range_size(const Graph& g, Id range);

/// The op of a REDUCE.
inline Op reduce_op(const Graph& g, Id reduce) {
  return static_cast<Op>(g.ints_of(g.arg(reduce))[0]);
}

/// END and REDUCE: the sources after the first are ranges that the node closes.
inline bool closes_ranges(Op op) { return op == Op::kEnd || op == Op::kReduce; }

/// Sorts ranges by their axis numbers, outermost first.
void sort_by_nesting(const Graph& g, std::vector<Id>& ranges);

/// RANGE nodes below `sink`, outermost first.
std::vector<Id> kernel_ranges(const Graph& g, Id sink);

/// Ranges of `type` among the kernel's, outermost first.
std::vector<Id> kernel_ranges(const Graph& g, Id sink, AxisType type);

/// The axis number of a range that goes inside all others of the kernel.
int64_t next_axis(const Graph& g, Id sink);

/// The node `id` with other sources: itself when they are the same.
Id with_sources(Graph& g, Id id, std::span<const Id> src);

/// Does the kernel read a buffer that it writes? Then no element may be computed twice.
bool is_in_place(const Graph& g, Id sink);

/// One range of a kernel becomes other ranges: `value` stands where its number stood, and whoever
/// closed it closes `loops` instead.
struct RangeChange {
  Id range = 0;
  Id value = 0;
  std::vector<Id> loops;
};

/// The kernel after all `changes` at once: one linear sweep.
Id change_ranges(Graph& g, Id sink, std::span<const RangeChange> changes);

}  // namespace loom
