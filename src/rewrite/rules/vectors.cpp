// An operation on broadcasts is done once, on the scalars; lanes of what was put together come
// apart again.
#include <algorithm>

#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

Id operate_on_scalars(Match& m) {
  Graph& g = m.graph();
  const Node node = g[m.root()];
  std::array<Id, 3> src{};
  for (size_t i = 0; i < node.src_count; i++) src[i] = g.src(node.src[i], 0);
  const Id scalar =
      g.add(node.op, m.dtype().element(), std::span(src).first(node.src_count), node.arg);
  return g.add(Op::kVectorize, m.dtype(), {scalar});
}

Id lane_of_vector(Match& m) {
  Graph& g = m.graph();
  const Id vector = g.src(m.root(), 0);
  const int64_t lane = g.arg(m.root());
  if (g.op(vector) == Op::kLanes) return constant(g, m.dtype(), lane);
  const std::span<const Id> elements = g.src(vector);
  if (elements.size() == 1) return elements[0];
  return lane < std::ssize(elements) ? elements[lane] : 0;
}

// VECTORIZE(a, a, ..) -> VECTORIZE(a), and of the lanes 0, 1, .. of one vector that vector.
Id gather_lanes(Match& m) {
  Graph& g = m.graph();
  const std::vector<Id> elements = m[pattern::rest];
  if (elements.size() == 1) return m.dtype().lanes == 1 ? elements[0] : 0;
  if (std::ranges::count(elements, elements[0]) == std::ssize(elements)) {
    return g.add(Op::kVectorize, m.dtype(), {elements[0]});
  }
  const Id vector = g.op(elements[0]) == Op::kLane ? g.src(elements[0], 0) : 0;
  if (vector == 0 || g.dtype(vector) != m.dtype()) return 0;
  for (size_t i = 0; i < elements.size(); i++) {
    const bool is_in_place = g.op(elements[i]) == Op::kLane && g.src(elements[i], 0) == vector &&
                             g.arg(elements[i]) == static_cast<int64_t>(i);
    if (!is_in_place) return 0;
  }
  return vector;
}

}  // namespace

const RuleSet& vectors() {
  using namespace pattern;
  // clang-format off
  static const RuleSet table = rules({"vectors",
          "An operation on broadcasts is done once, on the scalars."},
      any_of<kLanewiseOps>(vectorize(x))                                >> call<operate_on_scalars>,
      any_of<kLanewiseOps>(vectorize(x), vectorize(y))                  >> call<operate_on_scalars>,
      any_of<kLanewiseOps>(vectorize(x), vectorize(y), vectorize(z))    >> call<operate_on_scalars>,
      op<Op::kLane>(op<Op::kVectorize>(rest))                        >> call<lane_of_vector>,
      op<Op::kLane>(op<Op::kLanes>())                                >> call<lane_of_vector>,
      op<Op::kVectorize>(rest)                                       >> call<gather_lanes>);
  // clang-format on
  return table;
}

}  // namespace loom
