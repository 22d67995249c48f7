#include "schedule/merge_loops.h"

#include <algorithm>

#include "ir/build.h"

namespace loom {
namespace {

/// How a node depends on the two loops: outer * factor_i + inner * factor_j + something else.
struct Factors {
  int64_t outer = 0, inner = 0;
};

/// Looks at all uses of a pair of loops, sources before users.
class PairCheck {
 public:
  PairCheck(const Graph& graph, Id outer_loop, Id inner_loop)
      : g(graph), outer(outer_loop), inner(inner_loop), size(int_value(g, g.src(inner_loop, 0))) {}

  bool may_merge(std::span<const Id> nodes) {
    factors.assign(nodes.back() + 1, {});
    return std::ranges::all_of(nodes, [&](Id id) { return visit(id); });
  }

 private:
  bool visit(Id id) {
    if (id == outer) factors[id] = {1, 0};
    if (id == inner) factors[id] = {0, 1};
    const std::span<const Id> src = g.src(id);
    switch (g.op(id)) {
      case Op::kAdd: return g.dtype(id) == kIndex ? add_up(id, src) : are_whole(src);
      case Op::kMul:
        return g.dtype(id) == kIndex && is_const(g, src[1]) ? scale(id, src) : are_whole(src);
      case Op::kEnd:
      case Op::kReduce: return are_whole(src.first(1));
      default: return are_whole(src);
    }
  }

  bool add_up(Id id, std::span<const Id> src) {
    const Factors &a = factors[src[0]], &b = factors[src[1]];
    return !__builtin_add_overflow(a.outer, b.outer, &factors[id].outer) &&
           !__builtin_add_overflow(a.inner, b.inner, &factors[id].inner);
  }

  bool scale(Id id, std::span<const Id> src) {
    const Factors& a = factors[src[0]];
    const int64_t by = int_value(g, src[1]);
    return !__builtin_mul_overflow(a.outer, by, &factors[id].outer) &&
           !__builtin_mul_overflow(a.inner, by, &factors[id].inner);
  }

  /// Both loops or neither occur in each of them, as one.
  bool are_whole(std::span<const Id> src) const {
    return std::ranges::all_of(src, [&](Id id) {
      int64_t expected = 0;
      return !__builtin_mul_overflow(factors[id].inner, size, &expected) &&
             factors[id].outer == expected;
    });
  }

  const Graph& g;
  const Id outer, inner;
  const int64_t size;
  std::vector<Factors> factors;
};

/// One after the other in the ranges of an END or REDUCE.
using Nest = std::vector<Id>;

std::vector<Nest> loop_nests(const Graph& g, std::span<const Id> nodes) {
  std::vector<Nest> nests;
  for (const Id id : nodes) {
    if (g.op(id) != Op::kEnd && g.op(id) != Op::kReduce) continue;
    const std::span<const Id> ranges = g.src(id).subspan(1);
    if (ranges.size() > 1) nests.emplace_back(ranges.begin(), ranges.end());
  }
  return nests;
}

bool is_countable(const Graph& g, Id range) { return is_const(g, g.src(range, 0)); }

/// Puts one loop in the place of two: the inner one runs over both, the outer one does not move any
/// more.
Id merge(Graph& g, Id sink, Id outer, Id& inner) {
  const int64_t total = int_value(g, g.src(outer, 0)) * int_value(g, g.src(inner, 0));
  const int64_t arg = g.arg(inner);
  const Id merged = range(g, total, range_axis(arg), range_type(arg));
  const Id from[] = {outer, inner}, to[] = {index_const(g, 0), merged};
  inner = merged;
  return substitute(g, sink, from, to);
}

}  // namespace

Id merge_loops(Graph& g, Id sink) {
  std::vector<Id> nodes = reachable(g, sink);
  for (Nest& nest : loop_nests(g, nodes)) {
    std::ranges::sort(nest, {}, [&](Id range) { return range_axis(g.arg(range)); });
    for (size_t k = nest.size() - 1; k-- > 0;) {
      const Id outer = nest[k];
      Id& inner = nest[k + 1];
      if (is_countable(g, outer) && is_countable(g, inner) &&
          PairCheck(g, outer, inner).may_merge(nodes)) {
        sink = merge(g, sink, outer, inner);
        nodes = reachable(g, sink);
        nest[k] = inner;
      }
    }
  }
  return sink;
}

}  // namespace loom
