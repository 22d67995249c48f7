// Interning, and rewriting through the whole symbolic table, of graphs in which most nodes rewrite.
#include <thread>

#include "bench/bench.h"
#include "ir/build.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"

namespace loom::bench {
namespace {

constexpr int kRanges = 24;

// Per round i: ((a * r + q) + (r + 1) * a) - q - ((c / q) * q + c % q + 0), joined by a tree of
// XORs.
Id build_expressions(Graph& g, int64_t rounds) {
  std::vector<Id> ranges;
  ranges.reserve(kRanges);
  for (int i = 0; i < kRanges; i++) ranges.push_back(range(g, 100'000'000, i, AxisType::kLoop));
  std::vector<Id> results;
  for (int64_t i = 0; i < rounds; i++) {
    const Id a = ranges[i * 7 % kRanges], c = ranges[(i * 5 + 3) % kRanges];
    const Id q = index_const(g, i % 97 + 2);
    const Id linear =
        add(g, add(g, mul(g, a, index_const(g, i + 3)), q), mul(g, index_const(g, i + 4), a));
    const Id whole = add(g, mul(g, binary(g, Op::kIDiv, c, q), q), binary(g, Op::kMod, c, q));
    const Id left = add(g, linear, index_const(g, -(i % 97 + 2)));
    results.push_back(binary(g, Op::kSub, left, add(g, whole, index_const(g, 0))));
  }
  while (results.size() > 1) {
    std::vector<Id> next;
    for (size_t i = 0; i + 1 < results.size(); i += 2)
      next.push_back(binary(g, Op::kXor, results[i], results[i + 1]));
    if (results.size() % 2 == 1) next.push_back(results.back());
    results.swap(next);
  }
  return results[0];
}

// Seconds to simplify a fresh graph of so many rounds; sets how many nodes went in.
double simplify_ns(int64_t rounds, double& nodes) {
  Graph graph(static_cast<size_t>(rounds) * 32);
  const Id root = build_expressions(graph, rounds);
  nodes = static_cast<double>(graph.size());
  return sample_ns(0, 1, [&] { simplify(graph, root); })[0];
}

double intern_ns(double& count) {
  constexpr int64_t kRounds = 17'000;  // a graph of 200,000 nodes
  Graph graph(256);
  build_expressions(graph, kRounds);
  const uint64_t before = graph.stats().lookups;
  count = static_cast<double>(before);
  Graph fresh(static_cast<size_t>(kRounds) * 16);
  return sample_ns(0, 1, [&] { build_expressions(fresh, kRounds); })[0];
}

Result rate(std::string id, std::string unit, int samples, double (*measure)(double& count)) {
  std::vector<double> ns_per_item;
  for (int i = 0; i < samples; i++) {
    double count = 0;
    const double ns = measure(count);
    ns_per_item.push_back(ns / count);
  }
  return result_from(std::move(id), std::move(unit), ns_per_item,
                     [](double ns) { return 1e9 / ns; });
}

// How much more two threads do in the same time on graphs of their own than one does.
Result two_threads() {
  constexpr int64_t kRounds = 3000;
  constexpr int kRepeats = 20;
  const auto work = [] {
    double nodes = 0;
    for (int i = 0; i < kRepeats; i++) simplify_ns(kRounds, nodes);
  };
  std::vector<double> scaling;
  for (int i = 0; i < 5; i++) {
    const double one = sample_ns(0, 1, work)[0];
    const double two = sample_ns(0, 1, [&] {
      std::thread other(work);
      work();
      other.join();
    })[0];
    scaling.push_back(2 * one / two);
  }
  return result_from("rewrite.two_thread_scaling", "x", scaling, [](double x) { return x; });
}

}  // namespace

std::vector<Result> rewrite_bench() {
  return {
      rate("rewrite.interns_per_s", "1/s", 15, intern_ns),
      rate("rewrite.nodes_per_s.36k", "1/s", 15,
           [](double& nodes) { return simplify_ns(3'000, nodes); }),
      rate("rewrite.nodes_per_s.800k", "1/s", 5,
           [](double& nodes) { return simplify_ns(98'000, nodes); }),
      two_threads(),
      rss_growth(),
  };
}

}  // namespace loom::bench
