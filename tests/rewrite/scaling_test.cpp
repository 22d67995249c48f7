// Ten times the graph costs at most twelve times the work, counted and not timed; and depth is no
// matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "ir/expr.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"

namespace loom {
namespace {

using namespace pattern;

constexpr int kDeep = 100'000;

Expr loop(Graph& g, int64_t axis) { return {g, range(g, 1'000'000'000, axis, AxisType::kLoop)}; }

// Expressions of n nodes or so, by what is hard about them.
Expr left_chain(Graph& g, int n) {
  Expr sum = loop(g, 0);
  for (int i = 1; i < n; i++) sum = sum + loop(g, i);
  return sum;
}
Expr right_chain(Graph& g, int n) {
  Expr sum = loop(g, 0);
  for (int i = 1; i < n; i++) sum = loop(g, i) + sum;
  return sum;
}
Expr shuffled_chain(Graph& g, int n) {
  std::vector<int64_t> axes(n);
  std::iota(axes.begin(), axes.end(), 0);
  std::shuffle(axes.begin(), axes.end(), std::mt19937_64(1));
  Expr sum = loop(g, axes[0]);
  for (int i = 1; i < n; i++) sum = sum + loop(g, axes[i]) * (i % 5 + 2);
  return sum;
}
Expr chain_of_constants(Graph& g, int n) {
  Expr sum = loop(g, 0);
  for (int i = 1; i < n; i++) sum = i % 2 == 0 ? sum + i : sum + loop(g, i);
  return sum;
}
Expr balanced_sum(Graph& g, int n) {
  std::vector<Expr> terms;
  for (int i = 0; i < n; i++) terms.push_back(loop(g, i) * (i + 2));
  while (terms.size() > 1) {
    std::vector<Expr> sums;
    for (size_t i = 0; i + 1 < terms.size(); i += 2) sums.push_back(terms[i] + terms[i + 1]);
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = sums;
  }
  return terms[0];
}
Expr horner(Graph& g, int n) {
  Expr sum = loop(g, 0);
  for (int i = 1; i < n; i++) sum = sum * 3 + loop(g, i);
  return sum;
}
Expr divisions(Graph& g, int n) {
  Expr sum = loop(g, 0);
  for (int i = 1; i < n; i++) sum = (sum * 12 + loop(g, i % 50)) / 6 % 1000;
  return sum;
}
Expr conjunction(Graph& g, int n) {
  Expr all = loop(g, 0) < 5;
  for (int i = 1; i < n; i++) all = all & (loop(g, i) + 3 < i);
  return all;
}
Expr nested_choices(Graph& g, int n) {
  Expr value = loop(g, 0);
  for (int i = 1; i < n; i++) value = where(loop(g, i) < 5, value, 7);
  return value;
}
Expr maxima(Graph& g, int n) {
  Expr value = loop(g, 0);
  for (int i = 1; i < n; i++) value = value.max(loop(g, i) - i).max(i);
  return value;
}
Expr products(Graph& g, int n) {
  Expr value = loop(g, 0).to(kInt32);
  for (int i = 1; i < n; i++) value = loop(g, i).to(kInt32) * (value * 3);
  return value;
}

struct Shape {
  const char* name;
  Expr (*build)(Graph& g, int n);
};
constexpr Shape kShapes[] = {{"left_chain", left_chain},
                             {"right_chain", right_chain},
                             {"shuffled_chain", shuffled_chain},
                             {"chain_of_constants", chain_of_constants},
                             {"balanced_sum", balanced_sum},
                             {"horner", horner},
                             {"divisions", divisions},
                             {"conjunction", conjunction},
                             {"nested_choices", nested_choices},
                             {"maxima", maxima},
                             {"products", products}};

class Scaling : public ::testing::TestWithParam<Shape> {
 protected:
  struct Cost {
    double nodes = 0, work = 0;
  };
  Cost cost(int n, Strategy strategy) {
    Graph g;
    const Expr root = GetParam().build(g, n);
    const auto nodes = static_cast<double>(g.size());
    const uint64_t lookups = g.stats().lookups;
    Rewriter rewriter(g, symbolic(), strategy);
    rewriter(root);
    const RewriteStats& stats = rewriter.stats();
    const uint64_t work =
        stats.visits + stats.tries + stats.applications + g.stats().lookups - lookups;
    return {nodes, static_cast<double>(work)};
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, Scaling, ::testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

TEST_P(Scaling, TenTimesTheGraphCostsAtMostTwelveTimes) {
  for (Strategy strategy : {Strategy::kBottomUp, Strategy::kTopDown}) {
    const Cost small = cost(1'000, strategy), large = cost(10'000, strategy);
    EXPECT_LE(large.work / small.work, 1.2 * large.nodes / small.nodes)
        << small.work << " " << large.work;
  }
}

TEST_P(Scaling, DepthIsNoMatter) {
  Graph g;
  const Expr root = GetParam().build(g, kDeep);
  simplify(g, root);
  rewrite(g, root, symbolic(), Strategy::kTopDown);
}

TEST(Deep, WhatARuleBuildsMayBeDeepToo) {
  // CUSTOM becomes a chain of 100,000 nodes, which other rules then shorten.
  const RuleSet table = rules(
      "deep",
      op<Op::kCustom>(x) >>
          [](Match& m) {
            Expr chain(m.graph(), m[x]);
            for (int i = 0; i < kDeep; i++) chain = -(chain + i % 3);
            return chain.id;
          },
      (x + lit<0>) >> x, (-(-x)) >> x);
  Graph g;
  const Expr a(g, g.add(Op::kVariable, kInt32, {constant(g, kInt32, 0), constant(g, kInt32, 9)},
                        g.text("a")));
  const Id custom = g.add(Op::kCustom, kInt32, {a}, g.text("deep"));
  const Id bottom_up = rewrite(g, custom, table),
           top_down = rewrite(g, custom, table, Strategy::kTopDown);
  EXPECT_EQ(bottom_up, top_down);
  EXPECT_NE(bottom_up, custom);
}

TEST(Deep, WideNodes) {
  Graph g;
  std::vector<Id> src;
  for (int i = 0; i < kDeep; i++) src.push_back(loop(g, i) + 0);
  const Id sink = g.add(Op::kSink, kVoid, src);
  for (int i = 0; i < kDeep; i++) src[i] = loop(g, i);
  EXPECT_EQ(simplify(g, sink), g.add(Op::kSink, kVoid, src));
}

TEST(Small, AnExpressionOfALargeGraphCostsNoMoreThanInASmallOne) {
  Graph g;
  left_chain(g, kDeep);
  const Expr small = loop(g, 0) + 0;
  for (int i = 0; i < 100'000; i++)
    simplify(g, small);  // seconds, if each took time for the whole graph
}

}  // namespace
}  // namespace loom
