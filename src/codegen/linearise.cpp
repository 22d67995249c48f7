#include "codegen/linearise.h"

#include <algorithm>
#include <deque>
#include <ranges>

#include "codegen/kernel.h"

namespace loom {
namespace {

/// The value that an update of an accumulator adds its last term to, or 0: `value` is no sum.
Id sum_before(const Graph& g, Id value) {
  if (g.op(value) == Op::kMulAcc) return g.src(value, 2);
  return g.op(value) == Op::kAdd ? g.src(value, 0) : 0;
}

/// The sums that updates of accumulators make, term by term: the first sum of each, the second
/// of each and so on. In this order what one step needs for all of them is in few registers.
std::vector<Id> sums_in_turn(const Graph& g, std::span<const Id> updates) {
  std::vector<std::vector<Id>> turns;  // the last sums first
  for (Id update : updates) {
    if (g.op(update) != Op::kStore) continue;
    size_t turn = 0;
    for (Id sum = g.src(update, 1); sum != 0; sum = sum_before(g, sum)) {
      if (turn == turns.size()) turns.emplace_back();
      turns[turn++].push_back(sum);
    }
  }
  std::vector<Id> sums;
  for (const std::vector<Id>& turn : std::views::reverse(turns)) {
    sums.insert(sums.end(), turn.begin(), turn.end());
  }
  return sums;
}

/// Nodes below `root`, each after its sources, sources in the order in which their users ask for
/// them.
class OrderByNeed {
 public:
  explicit OrderByNeed(const Graph& g) : g_(g), is_seen_(g.size()) {}

  std::vector<Id> run(Id root) {
    enter(root);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      if (visit.next < visit.needs.size()) {
        enter(visit.needs[visit.next++]);
      } else {
        order_.push_back(visit.id);
        path_.pop_back();
      }
    }
    return std::move(order_);
  }

 private:
  struct Visit {
    Id id;
    std::span<const Id> needs;
    size_t next = 0;
  };

  void enter(Id id) {
    if (is_seen_[id]) return;
    is_seen_[id] = true;
    path_.push_back({id, needs_of(id)});
  }

  std::span<const Id> needs_of(Id id) {
    if (g_.op(id) != Op::kGroup) return g_.src(id);
    std::vector<Id> needs = sums_in_turn(g_, g_.src(id));
    needs.insert(needs.end(), g_.src(id).begin(), g_.src(id).end());
    return group_needs_.emplace_back(std::move(needs));
  }

  const Graph& g_;
  std::vector<bool> is_seen_;
  std::vector<Visit> path_;
  std::vector<Id> order_;
  std::deque<std::vector<Id>> group_needs_;
};

class Lineariser {
 public:
  Lineariser(Graph& to, const Graph& from, Id sink)
      : to_(to), g_(from), sink_(sink), depths_(sink + 1), bodies_(sink + 1), copies_(sink + 1) {}

  /// A node's place in the order by need is a legal place for it in its body, and END's for the
  /// whole loop: what the loop needs comes before its END, and what needs the loop after it.
  Id run() {
    const std::vector<Id> order = OrderByNeed(g_).run(sink_);
    find_depths(order);
    for (Id id : order) {
      if (is_listed(g_.op(id))) bodies_[body_of(id)].push_back(id);
    }
    emit_body(kOutside);
    return to_.add(Op::kLinear, kVoid, list_);
  }

 private:
  static constexpr Id kOutside = 0;  // of all loops

  static bool is_listed(Op op) {
    return op != Op::kAfter && op != Op::kGroup && op != Op::kSink && op != Op::kRange;
  }

  /// A loop is as deep as the loops that are open around its END. Those are closed later.
  void find_depths(const std::vector<Id>& order) {
    for (Id id : std::views::reverse(order)) {
      if (g_.op(id) != Op::kEnd) continue;
      const Id around = body_of(id);
      depths_[g_.src(id, 1)] = around == kOutside ? 1 : depths_[around] + 1;
    }
  }

  /// The innermost range that `id` depends on.
  Id body_of(Id id) const {
    const std::span<const Id> open = g_.ranges(id);
    if (open.empty()) return kOutside;
    return *std::ranges::max_element(open, {}, [&](Id range) { return depths_[range]; });
  }

  /// Nesting is as deep as the kernel has axes.
  void emit_body(Id body) {
    for (Id id : bodies_[body]) {
      if (g_.op(id) == Op::kEnd) {
        emit(g_.src(id, 1));
        emit_body(g_.src(id, 1));
      }
      emit(id);
    }
  }

  void emit(Id id) { list_.push_back(copy(id)); }

  /// Sources that are not in the list themselves, AFTER and GROUP, are copied on the way.
  Id copy(Id id) {
    std::vector<Id> src(g_.src(id).begin(), g_.src(id).end());
    for (Id& source : src) source = copies_[source] != 0 ? copies_[source] : copy(source);
    return copies_[id] = copy_node(to_, g_, id, src);
  }

  Graph& to_;
  const Graph& g_;
  Id sink_;
  std::vector<int> depths_;              // by range: how many loops it is in, itself included
  std::vector<std::vector<Id>> bodies_;  // by range
  std::vector<Id> copies_;               // in `to_`
  std::vector<Id> list_;
};

}  // namespace

Id linearise(Graph& to, const Graph& from, Id sink) { return Lineariser(to, from, sink).run(); }

}  // namespace loom
