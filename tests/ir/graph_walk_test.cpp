#include <gtest/gtest.h>

#include "ir/build.h"
#include "ir/graph.h"
#include "ir/text.h"

namespace loom {
namespace {

TEST(Reachable, ListsWhatLiesBelowInTopologicalOrder) {
  Graph g;
  const Id a = index_const(g, 1), unused = index_const(g, 2), b = index_const(g, 3);
  const Id sum = add(g, a, b), other = mul(g, a, unused);
  EXPECT_EQ(reachable(g, sum), (std::vector<Id>{a, b, sum}));
  const Id roots[] = {other, sum};
  EXPECT_EQ(reachable(g, roots), (std::vector<Id>{a, unused, b, sum, other}));
  EXPECT_TRUE(reachable(g, std::span<const Id>()).empty());
}

TEST(Import, CopiesThePartBelowTheRootWithItsPayloads) {
  Graph from;
  index_const(from, 99);  // not needed
  const Id x = from.add(Op::kBuffer, kFloat32, {index_const(from, 6)}, 3);
  const Id dims[] = {x, index_const(from, 2), index_const(from, 3)};
  const Id view = from.add(Op::kReshape, kFloat32, dims);
  const Id turned = from.add(Op::kPermute, kFloat32, {view}, from.ints({1, 0}));
  const Id named = from.add(Op::kCustom, kFloat32, {turned}, from.text("f"));
  Graph to;
  to.text("another text first");
  to.ints({5});
  const Id copy = import(to, from, named);
  EXPECT_EQ(print(to, copy), print(from, named));
  EXPECT_EQ(import(to, from, named), copy);
  EXPECT_EQ(shape_values(to, to.src(copy, 0)), (std::vector<int64_t>{3, 2}));
}

TEST(Import, SharesWhatRootsShare) {
  Graph from, to;
  const Id x = index_const(from, 1);
  const Id roots[] = {add(from, x, x), mul(from, x, x)};
  const std::vector<Id> copies = import(to, from, roots);
  EXPECT_EQ(to.src(copies[0], 0), to.src(copies[1], 0));
  EXPECT_EQ(to.size(), 4U);
}

TEST(Substitute, RebuildsOnlyWhatDependsOnTheReplaced) {
  Graph g;
  const Id x = range(g, 4, 0, AxisType::kLoop), y = range(g, 5, 1, AxisType::kLoop);
  const Id left = mul(g, x, x), right = mul(g, y, y), root = add(g, left, right);
  const Id result = substitute(g, root, std::span(&x, 1), std::span(&y, 1));
  EXPECT_EQ(result, add(g, right, right));
  EXPECT_EQ(substitute(g, root, std::span(&root, 1), std::span(&x, 1)), x);
}

TEST(Substitute, ReplacesAllAtOnce) {
  Graph g;
  const Id x = range(g, 4, 0, AxisType::kLoop), y = range(g, 5, 1, AxisType::kLoop);
  const Id from[] = {x, y}, to[] = {y, x};
  EXPECT_EQ(substitute(g, binary(g, Op::kSub, x, y), from, to), binary(g, Op::kSub, y, x));
}

TEST(StructuralHash, DependsOnTheStructureOnly) {
  Graph g, h;
  index_const(h, 77);
  h.text("first");
  const auto build = [](Graph& graph, int64_t size, const char* name) {
    const Id r = range(graph, size, 0, AxisType::kReduce);
    return graph.add(Op::kKernel, kVoid, {reduce(graph, Op::kAdd, r, std::span(&r, 1))},
                     graph.text(name));
  };
  const Id kernel = build(g, 8, "k");
  EXPECT_EQ(structural_hash(g, kernel), structural_hash(h, build(h, 8, "k")));
  EXPECT_NE(structural_hash(g, kernel), structural_hash(g, build(g, 9, "k")));
  EXPECT_NE(structural_hash(g, kernel), structural_hash(g, build(g, 8, "l")));
}

TEST(StructuralHash, TellsSourcesApart) {
  Graph g;
  const Id x = index_const(g, 1), y = index_const(g, 2);
  EXPECT_NE(structural_hash(g, binary(g, Op::kSub, x, y)),
            structural_hash(g, binary(g, Op::kSub, y, x)));
  const Id shared = add(g, x, y);
  EXPECT_NE(structural_hash(g, add(g, shared, x)), structural_hash(g, add(g, x, shared)));
}

}  // namespace
}  // namespace loom
