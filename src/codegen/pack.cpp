#include "codegen/pack.h"

#include <algorithm>

#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {
namespace {

class Packer {
 public:
  Packer(Graph& g, Id sink, Id range, int64_t param)
      : g_(g), sink_(sink), range_(range), param_(param), axis_(next_axis(g, sink)) {}

  Id run() {
    std::vector<Id> loads, panels;
    for (Id id : reachable(g_, sink_)) {
      if (g_.op(id) == Op::kDefineLocal) number_ = std::max(number_, g_.arg(id) + 1);
      if (is_served(id)) loads.push_back(id);
    }
    for (Id load : loads) panels.push_back(staged(load));
    return substitute(g_, sink_, loads, panels);
  }

 private:
  bool is_inner(Id range) const {
    const AxisType type = axis_type(g_, range);
    return type != AxisType::kLoop && type != AxisType::kThread;
  }

  bool is_served(Id id) const {
    if (g_.op(id) != Op::kLoad || g_.depends_on(id, range_)) return false;
    const Id memory = g_.src(g_.src(id, 0), 0);
    if (g_.op(memory) != Op::kParam || g_.arg(memory) != param_) return false;
    bool is_reduced = false;
    for (Id range : g_.ranges(id)) {
      if (!is_inner(range)) continue;
      if (range_size(g_, range) == 0) return false;
      is_reduced |= axis_type(g_, range) == AxisType::kReduce;
    }
    return is_reduced;
  }

  /// The ranges that the panel runs over, outermost first; lanes are next to each other.
  std::vector<Id> ranges_of_panel(Id load) const {
    std::vector<Id> ranges(g_.ranges(load).begin(), g_.ranges(load).end());
    std::erase_if(ranges, [&](Id range) { return !is_inner(range); });
    sort_by_nesting(g_, ranges);
    std::ranges::stable_partition(
        ranges, [&](Id range) { return axis_type(g_, range) != AxisType::kVector; });
    return ranges;
  }

  /// A loop, or copies, that fill the panel along `range`.
  Id filling(Id range) {
    const AxisType type = axis_type(g_, range);
    return loom::range(g_, g_.src(range, 0), axis_++,
                       type == AxisType::kReduce   ? AxisType::kLoop
                       : type == AxisType::kUnroll ? AxisType::kUpcast
                                                   : type);
  }

  Id place(const std::vector<Id>& ranges) {
    Id place = index_const(g_, 0);
    for (Id range : ranges) place = add(g_, mul(g_, place, g_.src(range, 0)), range);
    return place;
  }

  Id staged(Id load) {
    const std::vector<Id> reading = ranges_of_panel(load);
    std::vector<Id> writing;
    int64_t size = 1;
    for (Id range : reading) {
      writing.push_back(filling(range));
      size *= range_size(g_, range);
    }
    const Id panel = g_.add(Op::kDefineLocal, g_.dtype(load), {index_const(g_, size)}, number_++);
    Id filled =
        store(g_, index(g_, panel, place(writing)), substitute(g_, load, reading, writing));
    for (; !writing.empty(); writing.pop_back())
      filled = g_.add(Op::kEnd, kVoid, {filled, writing.back()});
    const Id ready = g_.add(Op::kAfter, g_.dtype(panel), {panel, filled});
    return loom::load(g_, index(g_, ready, place(reading)));
  }

  Graph& g_;
  Id sink_, range_;
  int64_t param_;
  int64_t axis_;        // of the next new range
  int64_t number_ = 0;  // of the next panel
};

}  // namespace

Id pack(Graph& g, Id sink, Id range, int64_t param) { return Packer(g, sink, range, param).run(); }

}  // namespace loom
