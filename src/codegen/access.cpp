#include "codegen/access.h"

#include <algorithm>
#include <cstdlib>

#include "codegen/strided_load.h"
#include "ir/build.h"

namespace loom {
namespace {

/// The strides of every index expression: one sweep, a row of numbers for each node that depends on
/// a range.
class Strides {
 public:
  Strides(const Graph& g, Id root, const std::vector<Id>& ranges)
      : g_(g), count_(ranges.size()), rows_(root + 1, kNone) {
    for (size_t k = 0; k < count_; k++) row_of(ranges[k])[k] = 1;
  }

  void visit(Id id) {
    if (rows_[id] != kNone) return;
    const std::span<const Id> src = g_.src(id);
    if (std::ranges::all_of(src, [&](Id source) { return rows_[source] == kNone; })) return;
    const size_t row = new_row(id);
    for (size_t k = 0; k < count_; k++) table_[row + k] = combine(id, k);
  }

  std::vector<int64_t> of(Id id) const {
    std::vector<int64_t> strides(count_);
    for (size_t k = 0; k < count_; k++) strides[k] = at(id, k);
    return strides;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t new_row(Id id) {
    rows_[id] = table_.size();
    table_.resize(table_.size() + count_);
    return rows_[id];
  }
  int64_t* row_of(Id id) { return &table_[new_row(id)]; }
  int64_t at(Id id, size_t k) const { return rows_[id] == kNone ? 0 : table_[rows_[id] + k]; }

  int64_t combine(Id id, size_t k) const {
    const std::span<const Id> src = g_.src(id);
    if (std::ranges::all_of(src, [&](Id source) { return at(source, k) == 0; })) return 0;
    if (std::ranges::any_of(src, [&](Id source) { return at(source, k) == kIrregular; }))
      return kIrregular;
    switch (g_.op(id)) {
      case Op::kAdd: return at(src[0], k) + at(src[1], k);
      case Op::kSub: return at(src[0], k) - at(src[1], k);
      case Op::kMul:
        if (is_const(g_, src[1])) return at(src[0], k) * int_value(g_, src[1]);
        if (is_const(g_, src[0])) return at(src[1], k) * int_value(g_, src[0]);
        return kIrregular;
      default: return kIrregular;
    }
  }

  const Graph& g_;
  size_t count_;
  std::vector<size_t> rows_;  // by node: where its strides are in `table_`
  std::vector<int64_t> table_;
};

}  // namespace

double instructions_to_load(int64_t stride, int64_t lanes) {
  constexpr double kGatherLane = 2.5;
  if (stride == 0 || stride == 1) return 1;
  if (!is_small_stride(stride)) return kGatherLane * static_cast<double>(lanes);
  return static_cast<double>(2 * std::abs(stride));  // loads, and picking lanes from them
}

std::vector<Access> find_accesses(const Graph& g, Id sink, const std::vector<Id>& ranges) {
  Strides strides(g, sink, ranges);
  std::vector<Access> accesses;
  for (Id id : reachable(g, sink)) {
    strides.visit(id);
    if (g.op(id) != Op::kLoad && g.op(id) != Op::kStore) continue;
    const std::span<const Id> address = g.src(g.src(id, 0));
    const int64_t bytes = g.dtype(address[0]).bytes();
    accesses.push_back(
        {id, g.op(id) == Op::kStore, address.size() == 3, bytes, strides.of(address[1])});
  }
  return accesses;
}

}  // namespace loom
