#include "codegen/linearise.h"

#include <algorithm>

#include "codegen/kernel.h"

namespace loom {
namespace {

/// Nodes below `root`, each after its sources, sources in the order in which their users ask for
/// them.
std::vector<Id> order_by_need(const Graph& g, Id root) {
  struct Visit {
    Id id;
    uint32_t next_source;
  };
  std::vector<Id> order;
  std::vector<bool> is_seen(root + 1);
  std::vector<Visit> path{{root, 0}};
  is_seen[root] = true;
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next_source == g.src(visit.id).size()) {
      order.push_back(visit.id);
      path.pop_back();
      continue;
    }
    const Id source = g.src(visit.id, visit.next_source++);
    if (!is_seen[source]) path.push_back({source, 0});
    is_seen[source] = true;
  }
  return order;
}

class Lineariser {
 public:
  Lineariser(Graph& g, Id sink) : g_(g), sink_(sink), depths_(sink + 1), bodies_(sink + 1) {}

  /// A node's place in `order_by_need` is a legal place for it in its body, and END's for the whole
  /// loop: what the loop needs comes before its END, and what needs the loop after it.
  Id run() {
    const std::vector<Id> order = order_by_need(g_, sink_);
    find_depths(order);
    for (Id id : order) {
      if (is_listed(g_.op(id))) bodies_[body_of(id)].push_back(id);
    }
    emit(kOutside);
    return g_.add(Op::kLinear, kVoid, list_);
  }

 private:
  static constexpr Id kOutside = 0;  // of all loops

  static bool is_listed(Op op) {
    return op != Op::kAfter && op != Op::kGroup && op != Op::kSink && op != Op::kRange;
  }

  /// A loop is as deep as the loops that are open around its END. Those are closed later.
  void find_depths(const std::vector<Id>& order) {
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (g_.op(*id) != Op::kEnd) continue;
      const Id around = body_of(*id);
      depths_[g_.src(*id, 1)] = around == kOutside ? 1 : depths_[around] + 1;
    }
  }

  /// The innermost range that `id` depends on.
  Id body_of(Id id) const {
    const std::span<const Id> open = g_.ranges(id);
    if (open.empty()) return kOutside;
    return *std::ranges::max_element(open, {}, [&](Id range) { return depths_[range]; });
  }

  /// Nesting is as deep as the kernel has axes.
  void emit(Id body) {
    for (Id id : bodies_[body]) {
      if (g_.op(id) == Op::kEnd) {
        const Id range = g_.src(id, 1);
        list_.push_back(range);
        emit(range);
      }
      list_.push_back(id);
    }
  }

  Graph& g_;
  Id sink_;
  std::vector<int> depths_;              // by range: how many loops it is in, itself included
  std::vector<std::vector<Id>> bodies_;  // by range
  std::vector<Id> list_;
};

}  // namespace

Id linearise(Graph& g, Id sink) { return Lineariser(g, sink).run(); }

}  // namespace loom
