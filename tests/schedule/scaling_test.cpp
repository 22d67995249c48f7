// The scheduler is linear in the size of the graph and does not recurse on its depth.
#include <ctime>

#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

double seconds_to_schedule(const std::function<Id(Graph&)>& build) {
  double best = 1e9;
  for (int round = 0; round < 5; round++) {
    Graph g;
    const Id sink = build(g);
    const std::clock_t start = std::clock();
    schedule(g, sink);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// How much longer ten times the size takes, per node.
double growth(const std::function<Id(Graph&, int)>& build, int size) {
  const double small = seconds_to_schedule([&](Graph& g) { return build(g, size); });
  const double large = seconds_to_schedule([&](Graph& g) { return build(g, 10 * size); });
  return large / small;
}

Id deep_chain(Graph& g, int length) {
  Id x = buffer(g, kFloat32, 0, {64});
  for (int k = 0; k < length; k++) x = unary(g, k % 2 ? Op::kSqrt : Op::kNeg, x);
  return realize(g, {x});
}

Id many_matmuls(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {8, 8});
  for (int k = 1; k <= count; k++) x = relu(g, matmul(g, x, buffer(g, kFloat32, k, {8, 8})));
  return realize(g, {x});
}

Id many_layers(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {4, 8});
  int64_t slot = 1;
  for (int k = 0; k < count; k++) {
    const Id normal =
        layer_norm(g, x, buffer(g, kFloat32, slot, {8}), buffer(g, kFloat32, slot + 1, {8}));
    const Id scores = softmax(g, matmul(g, normal, buffer(g, kFloat32, slot + 2, {8, 8})), 1);
    x = add(g, x, matmul(g, scores, buffer(g, kFloat32, slot + 3, {8, 8})));
    slot += 4;
  }
  return realize(g, {x});
}

Id long_view_chain(Graph& g, int length) {
  Id x = buffer(g, kFloat32, 0, {8, 8});
  for (int k = 0; k < length; k++) x = flip(g, permute(g, x, {1, 0}), 1);
  return realize(g, {x});
}

Id many_assignments(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {8});
  for (int k = 0; k < count; k++) x = assign(g, x, add(g, x, number(g, k)));
  return realize(g, {x});
}

Id many_readers(Graph& g, int count) {
  const Id x = contiguous(g, unary(g, Op::kNeg, buffer(g, kFloat32, 0, {8, 8})));
  std::vector<Id> values;
  for (int k = 0; k < count; k++)
    values.push_back(reduce_axes(g, Op::kAdd, mul(g, x, number(g, k)), {k % 2}));
  return realize(g, values);
}

Id many_slices(Graph& g, int count) {
  const Id x = buffer(g, kFloat32, 0, {count + 4});
  Id total = shrink(g, x, {0}, {4});
  for (int k = 1; k < count; k++) total = add(g, total, shrink(g, x, {k}, {4}));
  return realize(g, {total});
}

TEST(Scaling, TenTimesTheGraphCostsTwelveTimesAtMost) {
  const std::pair<const char*, Id (*)(Graph&, int)> kCases[] = {
      {"deep chain", deep_chain}, {"matmuls", many_matmuls},         {"layers", many_layers},
      {"views", long_view_chain}, {"assignments", many_assignments}, {"readers", many_readers},
      {"slices", many_slices}};
  for (const auto& [name, build] : kCases) {
    const double factor = growth(build, 100);
    EXPECT_LE(factor, 40) << name;  // about 10; the square would be 100
    RecordProperty(name, std::to_string(factor));
    printf("%s %.1f\n", name, factor);
  }
}

TEST(Scaling, DepthOfAHundredThousandNodes) {
  Graph g;
  EXPECT_GT(kernel_count(g, deep_chain(g, 100'000)), 1u);
  EXPECT_EQ(kernel_count(g, long_view_chain(g, 50'000)), 1u);
}

TEST(Scaling, Resnet50Time) {
  const double seconds = seconds_to_schedule(
      [](Graph& g) { return realize(g, {NetworkBuilder(g).resnet(64, 224, {3, 4, 6, 3})}); });
  printf("ResNet-50: %.2f ms\n", seconds * 1e3);
  EXPECT_LT(seconds, 0.5);
}

}  // namespace
}  // namespace loom::oracle
