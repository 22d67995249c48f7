#include "codegen/separate_reduces.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "codegen/kernel.h"
#include "ir/build.h"

namespace loom {

std::vector<int> reduce_levels(const Graph& g, Id root) {
  std::vector<int> levels(root + 1);
  for (Id id : reachable(g, root)) {
    for (Id source : g.src(id)) levels[id] = std::max(levels[id], levels[source]);
    if (g.op(id) == Op::kReduce) levels[id]++;
  }
  return levels;
}

namespace {

/// What REDUCEs that one loop computes have in common: their level, the ranges that they close, and
/// those that they stay in.
using LoopKey = std::tuple<int, std::vector<Id>, std::vector<Id>>;

class Separator {
 public:
  Separator(Graph& g, Id sink)
      : g_(g), sink_(sink), levels_(reduce_levels(g, sink)), axis_(next_axis(g, sink)) {}

  /// Separates what it finds at first sight; true when it found something.
  bool run() {
    std::vector<Id> copies(sink_ + 1), src;
    bool has_changed = false;
    for (Id id : reachable(g_, sink_)) {
      src.clear();
      for (Id source : g_.src(id)) src.push_back(copies[source]);
      if (g_.op(id) == Op::kReduce) has_changed |= move_to_own_loop(id, src);
      copies[id] = with_sources(g_, id, src);
    }
    sink_ = copies[sink_];
    return has_changed;
  }

  Id sink() const { return sink_; }

 private:
  /// Replaces the ranges among the sources of `reduce` when they belong to another loop.
  bool move_to_own_loop(Id reduce, std::vector<Id>& src) {
    const std::vector<Id> closed(src.begin() + 1, src.end());
    const std::vector<Id>& own = loop_of(reduce, closed);
    if (own == closed) return false;
    src.assign(1, moved(src[0], closed, own));
    src.insert(src.end(), own.begin(), own.end());
    return true;
  }

  /// `value` with open ranges replaced; loops that are closed inside of it stay as they are.
  Id moved(Id value, std::vector<Id> from, std::vector<Id> to) {
    const std::vector<Id> old = from;
    for (Id id : reachable(g_, value)) {
      if (g_.op(id) != Op::kReduce) continue;
      if (std::ranges::any_of(old, [&](Id range) { return g_.depends_on(id, range); })) continue;
      from.push_back(id);
      to.push_back(id);
    }
    return substitute(g_, value, from, to);
  }

  const std::vector<Id>& loop_of(Id reduce, const std::vector<Id>& closed) {
    const std::span<const Id> outer = g_.ranges(reduce);
    const LoopKey key{levels_[reduce], closed, {outer.begin(), outer.end()}};
    const auto [entry, is_new] = loops_.try_emplace(key, closed);
    if (is_new) {
      for (Id& range : entry->second) {
        if (!taken_.insert(range).second) range = range_like(range);
      }
    }
    return entry->second;
  }

  Id range_like(Id range) {
    return loom::range(g_, g_.src(range, 0), axis_++, axis_type(g_, range));
  }

  Graph& g_;
  Id sink_;
  std::vector<int> levels_;
  int64_t axis_;
  std::map<LoopKey, std::vector<Id>> loops_;  // the ranges of each loop
  std::set<Id> taken_;                        // ranges that have a loop
};

}  // namespace

Id separate_reduces(Graph& g, Id sink) {
  // Copies of nested REDUCEs may share ranges again, one level further in.
  for (;;) {
    Separator separator(g, sink);
    const bool has_changed = separator.run();
    sink = separator.sink();
    if (!has_changed) return sink;
  }
}

}  // namespace loom
