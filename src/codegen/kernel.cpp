#include "codegen/kernel.h"

#include <algorithm>

#include "ir/build.h"

namespace loom {

int64_t range_size(const Graph& g, Id range) {
  const Id size = g.src(range, 0);
  return is_const(g, size) ? int_value(g, size) : 0;
}

void sort_by_nesting(const Graph& g, std::vector<Id>& ranges) {
  std::ranges::sort(ranges, {}, [&](Id id) { return range_axis(g.arg(id)); });
}

std::vector<Id> kernel_ranges(const Graph& g, Id sink) {
  std::vector<Id> ranges;
  for (Id id : reachable(g, sink)) {
    if (g.op(id) == Op::kRange) ranges.push_back(id);
  }
  sort_by_nesting(g, ranges);
  return ranges;
}

std::vector<Id> kernel_ranges(const Graph& g, Id sink, AxisType type) {
  std::vector<Id> ranges = kernel_ranges(g, sink);
  std::erase_if(ranges, [&](Id range) { return axis_type(g, range) != type; });
  return ranges;
}

int64_t next_axis(const Graph& g, Id sink) {
  const std::vector<Id> ranges = kernel_ranges(g, sink);
  return ranges.empty() ? 0 : range_axis(g.arg(ranges.back())) + 1;
}

Id with_sources(Graph& g, Id id, std::span<const Id> src) {
  if (std::ranges::equal(src, g.src(id))) return id;
  const Node node = g[id];
  return g.add(node.op, node.dtype(), src, node.arg);
}

bool is_in_place(const Graph& g, Id sink) {
  std::vector<int64_t> loaded, stored;
  for (Id id : reachable(g, sink)) {
    const Op op = g.op(id);
    if (op != Op::kLoad && op != Op::kStore) continue;
    const Id memory = g.src(g.src(id, 0), 0);
    if (g.op(memory) != Op::kParam) continue;
    (op == Op::kLoad ? loaded : stored).push_back(g.arg(memory));
  }
  return std::ranges::find_first_of(loaded, stored) != loaded.end();
}

namespace {

class RangeChanger {
 public:
  RangeChanger(Graph& g, Id sink, std::span<const RangeChange> changes)
      : g_(g), changes_(changes), change_of_(sink + 1), copies_(sink + 1) {
    for (uint32_t k = 0; k < changes.size(); k++) change_of_[changes[k].range] = k + 1;
  }

  Id run(Id sink) {
    for (Id id : reachable(g_, sink))
      copies_[id] = change_of_[id] != 0 ? change(id)->value : copy(id);
    return copies_[sink];
  }

 private:
  const RangeChange* change(Id id) const {
    return change_of_[id] == 0 ? nullptr : &changes_[change_of_[id] - 1];
  }

  Id copy(Id id) {
    const std::span<const Id> old = g_.src(id);
    src_.clear();
    for (size_t k = 0; k < old.size(); k++) {
      if (k > 0 && closes_ranges(g_.op(id))) {
        close(old[k]);
      } else {
        src_.push_back(copies_[old[k]]);
      }
    }
    if (closes_ranges(g_.op(id)) && src_.size() == 1) return src_[0];  // over nothing
    return with_sources(g_, id, src_);
  }

  void close(Id range) {
    const RangeChange* changed = change(range);
    if (changed == nullptr) return close_one(copies_[range]);
    for (Id loop : changed->loops) close_one(loop);
  }

  void close_one(Id loop) {
    if (std::find(src_.begin() + 1, src_.end(), loop) == src_.end()) src_.push_back(loop);
  }

  Graph& g_;
  std::span<const RangeChange> changes_;
  std::vector<uint32_t> change_of_;  // by node: 1 + place in `changes_`, or 0
  std::vector<Id> copies_;
  std::vector<Id> src_;
};

}  // namespace

Id change_ranges(Graph& g, Id sink, std::span<const RangeChange> changes) {
  return changes.empty() ? sink : RangeChanger(g, sink, changes).run(sink);
}

}  // namespace loom
