// No walk or property of a graph is worse than linear in its size.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "ir/build.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace loom {
namespace {

// A chain of tensor operations over views, reductions and gathers, with `nodes` nodes.
Id build(Graph& g, size_t nodes) {
  const Id eight = index_const(g, 8), one = index_const(g, 1);
  const Id matrix[] = {g.add(Op::kBuffer, kFloat32, {index_const(g, 64)}, 0), eight, eight};
  Id x = g.add(Op::kReshape, kFloat32, matrix);
  while (g.size() < nodes) {
    const Id sum = g.add(Op::kReduce, kFloat32, {x}, g.ints({static_cast<int64_t>(Op::kAdd), 1}));
    const Id expanded[] = {sum, eight, eight};
    const Id padded[] = {x, one, one, one, one};
    const Id cut[] = {g.add(Op::kPad, kFloat32, padded), one, one, eight, eight};
    x = add(g, g.add(Op::kExpand, kFloat32, expanded), g.add(Op::kShrink, kFloat32, cut));
    x = mul(g, x, constant(g, kFloat32, static_cast<double>(g.size())));
  }
  return x;
}

using Work = std::function<void(const Graph& graph, Id root)>;

// The best of some tries, each on a graph whose properties nobody has asked for.
double time_for(const Work& work, size_t nodes) {
  double best = 1e18;
  for (int attempt = 0; attempt < 4; attempt++) {
    Graph g;
    const Id root = build(g, nodes);
    const std::clock_t start = std::clock();  // processor time: others share the machine
    work(g, root);
    best = std::min(best, static_cast<double>(std::clock() - start));
  }
  return best;
}

void expect_linear(const char* name, const Work& work) {
  // Linear or quadratic, that is the question: the square would be 100. Ten times the nodes leave
  // the caches and others use the machine, so the limit lies in the middle.
  EXPECT_LT(time_for(work, 100000) / time_for(work, 10000), 50) << name;
}

TEST(Scaling, TenTimesTheGraphTakesAboutTenTimesAsLong) {
  expect_linear("build, and with PAD the shapes", [](const Graph& g, Id) {
    Graph copy;
    build(copy, g.size());
  });
  expect_linear("bounds", [](const Graph& g, Id root) { g.bounds(root); });
  expect_linear("ranges", [](const Graph& g, Id root) { g.ranges(root); });
  expect_linear("import", [](const Graph& g, Id root) {
    Graph copy;
    import(copy, g, root);
  });
  expect_linear("structural_hash", [](const Graph& g, Id root) { structural_hash(g, root); });
  expect_linear("print and parse", [](const Graph& g, Id root) { parse(print(g, root)); });
  expect_linear("verify", [](const Graph& g, Id root) { verify(g, root, Stage::kTensor); });
}

}  // namespace
}  // namespace loom
