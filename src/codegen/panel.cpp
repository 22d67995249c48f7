#include "codegen/panel.h"

#include <algorithm>

#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {
namespace {

/// Loops around whatever a work-group does: a panel lives for one turn.
bool is_around_kernel(AxisType type) {
  return type == AxisType::kLoop || type == AxisType::kThread;
}

/// Puts values into panels of one kernel.
class Stager {
 public:
  Stager(Graph& g, Id sink) : g_(g), axis_(next_axis(g, sink)) {
    for (Id id : reachable(g, sink))
      if (g.op(id) == Op::kDefineLocal) number_ = std::max(number_, g.arg(id) + 1);
  }

  /// `value`, read from a panel over its inner ranges. Loops that fill the panel along a reduced
  /// range are of type `filling`.
  Id staged(Id value, AxisType filling) {
    const std::vector<Id> reading = ranges_of_panel(value);
    std::vector<Id> writing;
    int64_t size = 1;
    for (Id range : reading) {
      writing.push_back(filling_range(range, filling));
      size *= range_size(g_, range);
    }
    const Id panel = g_.add(Op::kDefineLocal, g_.dtype(value), {index_const(g_, size)}, number_++);
    Id filled =
        store(g_, index(g_, panel, place(writing)), substitute(g_, value, reading, writing));
    for (; !writing.empty(); writing.pop_back())
      filled = g_.add(Op::kEnd, kVoid, {filled, writing.back()});
    const Id ready = g_.add(Op::kAfter, g_.dtype(panel), {panel, filled});
    return load(g_, index(g_, ready, place(reading)));
  }

 private:
  /// Outermost first: loops, then copies, and lanes next to each other.
  std::vector<Id> ranges_of_panel(Id value) const {
    std::vector<Id> ranges(g_.ranges(value).begin(), g_.ranges(value).end());
    std::erase_if(ranges, [&](Id range) { return is_around_kernel(axis_type(g_, range)); });
    sort_by_nesting(g_, ranges);
    std::ranges::stable_sort(ranges, {}, [&](Id range) {
      const AxisType type = axis_type(g_, range);
      return type == AxisType::kVector                                ? 2
             : type == AxisType::kUpcast || type == AxisType::kUnroll ? 1
                                                                      : 0;
    });
    return ranges;
  }

  Id filling_range(Id range, AxisType filling) {
    const AxisType type = axis_type(g_, range);
    return loom::range(g_, g_.src(range, 0), axis_++,
                       type == AxisType::kReduce   ? filling
                       : type == AxisType::kUnroll ? AxisType::kUpcast
                                                   : type);
  }

  Id place(const std::vector<Id>& ranges) {
    Id place = index_const(g_, 0);
    for (Id range : ranges) place = add(g_, mul(g_, place, g_.src(range, 0)), range);
    return place;
  }

  Graph& g_;
  int64_t axis_;        // of the next new range
  int64_t number_ = 0;  // of the next panel
};

/// Can a panel serve this LOAD of parameter `param` for all turns of `turns`?
bool is_served(const Graph& g, Id load, Id turns, int64_t param) {
  if (g.op(load) != Op::kLoad || g.depends_on(load, turns)) return false;
  const Id memory = g.src(g.src(load, 0), 0);
  if (g.op(memory) != Op::kParam || g.arg(memory) != param) return false;
  bool is_reduced = false;
  for (Id range : g.ranges(load)) {
    const AxisType type = axis_type(g, range);
    if (is_around_kernel(type)) continue;
    if (range_size(g, range) == 0) return false;
    is_reduced |= type == AxisType::kReduce;
  }
  return is_reduced;
}

}  // namespace

Id pack(Graph& g, Id sink, Id range, int64_t param) {
  Stager stager(g, sink);
  std::vector<Id> loads, panels;
  for (Id id : reachable(g, sink))
    if (is_served(g, id, range, param)) loads.push_back(id);
  for (Id load : loads) panels.push_back(stager.staged(load, AxisType::kLoop));
  return substitute(g, sink, loads, panels);
}

Id group(Graph& g, Id sink, Id item) {
  Stager stager(g, sink);
  std::vector<Id> copies(sink + 1), src;
  for (Id id : reachable(g, sink)) {
    src.clear();
    for (Id source : g.src(id)) src.push_back(copies[source]);
    const bool is_grouped = g.op(id) == Op::kReduce && std::erase(src, item) > 0;
    copies[id] = with_sources(g, id, src);
    if (!is_grouped) continue;
    const Id part = stager.staged(copies[id], AxisType::kLocal);
    copies[id] = reduce(g, reduce_op(g, id), part, std::span(&item, 1));
  }
  return copies[sink];
}

}  // namespace loom
