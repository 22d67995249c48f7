#include "codegen/simplify_ranges.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "codegen/kernel.h"
#include "ir/build.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

bool is_division(Op op) { return op == Op::kIDiv || op == Op::kMod; }

/// For each range that is divided by a constant that divides its size: the first such constant.
std::map<Id, int64_t> divisors(const Graph& g, Id sink) {
  std::map<Id, int64_t> divisors;
  for (Id id : reachable(g, sink)) {
    if (!is_division(g.op(id)) || g.op(g.src(id, 0)) != Op::kRange || !is_const(g, g.src(id, 1)))
      continue;
    const int64_t divisor = int_value(g, g.src(id, 1)), size = range_size(g, g.src(id, 0));
    if (divisor > 1 && divisor < size && size % divisor == 0)
      divisors.try_emplace(g.src(id, 0), divisor);
  }
  return divisors;
}

/// Splits ranges, all others keep their order: axis numbers are handed out anew.
Id split_divided_ranges(Graph& g, Id sink) {
  for (;;) {
    const std::map<Id, int64_t> divided = divisors(g, sink);
    if (divided.empty()) return sink;
    std::vector<RangeChange> changes;
    int64_t axis = 0;
    for (Id range : kernel_ranges(g, sink)) {
      const auto found = divided.find(range);
      const int64_t divisor = found == divided.end() ? 1 : found->second;
      const auto part = [&](Id size) { return loom::range(g, size, axis++, axis_type(g, range)); };
      if (divisor == 1) {
        const Id same = part(g.src(range, 0));
        changes.push_back({range, same, {same}});
        continue;
      }
      const Id outer = part(index_const(g, range_size(g, range) / divisor)),
               inner = part(index_const(g, divisor));
      changes.push_back(
          {range, add(g, mul(g, outer, index_const(g, divisor)), inner), {outer, inner}});
    }
    sink = simplify(g, change_ranges(g, sink, changes));
  }
}

/// Divisions that offsets and values depend on, and those that only gates do.
struct Divisions {
  size_t in_values = 0, in_gates = 0;
};

Divisions count_divisions(const Graph& g, Id sink) {
  const std::vector<Id> nodes = reachable(g, sink);
  std::vector<bool> is_value(sink + 1);
  is_value[sink] = true;
  Divisions count;
  for (Id id : std::views::reverse(nodes)) {
    const std::span<const Id> src = g.src(id);
    if (is_division(g.op(id))) (is_value[id] ? count.in_values : count.in_gates)++;
    for (size_t k = 0; k < src.size(); k++) {
      if (is_value[id] && !(g.op(id) == Op::kIndex && k == 2)) is_value[src[k]] = true;
    }
  }
  return count;
}

/// Do the same ENDs and REDUCEs close both ranges?
bool are_closed_together(const Graph& g, Id sink, Id a, Id b) {
  return std::ranges::all_of(reachable(g, sink), [&](Id id) {
    if (!closes_ranges(g.op(id))) return true;
    const std::span<const Id> closed = g.src(id).subspan(1);
    const auto has = [&](Id range) { return std::ranges::find(closed, range) != closed.end(); };
    return has(a) == has(b);
  });
}

bool may_merge(const Graph& g, Id sink, Id outer, Id inner) {
  return axis_type(g, outer) == axis_type(g, inner) && range_size(g, outer) != 0 &&
         range_size(g, inner) != 0 && are_closed_together(g, sink, outer, inner);
}

/// The kernel with one range in place of two.
Id merged(Graph& g, Id sink, Id outer, Id inner) {
  const int64_t inner_size = range_size(g, inner);
  const Id both =
      range(g, range_size(g, outer) * inner_size, range_axis(g.arg(outer)), axis_type(g, outer));
  const Id size = index_const(g, inner_size);
  const RangeChange changes[] = {{outer, binary(g, Op::kIDiv, both, size), {both}},
                                 {inner, binary(g, Op::kMod, both, size), {both}}};
  return simplify(g, change_ranges(g, sink, changes));
}

/// Are rows of this length worse for vectors than one long row, although gates must then find out
/// where in it they are?
bool gains_from_long_rows(const Graph& g, Id sink, Id row, const Target& target) {
  constexpr int64_t kElementBits = 32;
  const bool is_output = axis_type(g, row) == AxisType::kLoop;
  const bool is_ragged = range_size(g, row) % (target.vector_bits / kElementBits) != 0;
  return is_output && is_ragged && !kernel_ranges(g, sink, AxisType::kReduce).empty();
}

/// Merges from the innermost pair outwards; the merged range may merge again with the next one.
Id merge_adjacent_ranges(Graph& g, Id sink, const Target& target) {
  Divisions before = count_divisions(g, sink);
  for (size_t place = kernel_ranges(g, sink).size(); place-- > 1;) {
    const std::vector<Id> ranges = kernel_ranges(g, sink);
    const Id outer = ranges[place - 1], inner = ranges[place];
    if (!may_merge(g, sink, outer, inner)) continue;
    const Id candidate = merged(g, sink, outer, inner);
    const Divisions now = count_divisions(g, candidate);
    if (now.in_values > before.in_values) continue;
    if (now.in_gates > before.in_gates && !gains_from_long_rows(g, sink, inner, target)) continue;
    sink = candidate;
    before = now;
  }
  return sink;
}

}  // namespace

Id drop_single_ranges(Graph& g, Id sink) {
  std::vector<RangeChange> changes;
  for (Id range : kernel_ranges(g, sink)) {
    if (range_size(g, range) == 1) changes.push_back({range, index_const(g, 0), {}});
  }
  return change_ranges(g, sink, changes);
}

Id simplify_ranges(Graph& g, Id sink, const Target& target) {
  sink = simplify(g, drop_single_ranges(g, sink));
  return merge_adjacent_ranges(g, split_divided_ranges(g, sink), target);
}

}  // namespace loom
