#include "codegen/relax_gates.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "codegen/kernel.h"
#include "ir/build.h"
#include "rewrite/rules/bound.h"
#include "rewrite/rules/sum.h"

namespace loom {
namespace {

/// A set of conditions: bit k is the k-th that some WHERE or STORE depends on.
using Conditions = uint64_t;

class Relaxer {
 public:
  Relaxer(Graph& g, Id sink)
      : g_(g), sink_(sink), nodes_(reachable(g, sink)), given_(sink + 1, kAll) {}

  Id run() {
    find_given();
    if (numbers_.empty()) return sink_;
    std::vector<Id> copies(sink_ + 1), src;
    for (Id id : nodes_) {
      src.clear();
      for (Id source : g_.src(id)) src.push_back(copies[source]);
      const Op op = g_.op(id);
      if (op == Op::kIndex && src.size() == 3) relax(id, src);
      if (op == Op::kLoad && src.size() == 2 && g_.src(src[0]).size() == 2) src.pop_back();
      copies[id] = with_sources(g_, id, src);
    }
    return copies[sink_];
  }

 private:
  static constexpr Conditions kAll = ~Conditions{0};
  static constexpr size_t kMost = 64;

  // --- What holds wherever a node's value matters, from the users down. ---

  void find_given() {
    given_[sink_] = 0;
    for (Id id : std::views::reverse(nodes_)) pass_down(id);
  }

  void pass_down(Id id) {
    const std::span<const Id> src = g_.src(id);
    for (size_t k = 0; k < src.size(); k++) given_[src[k]] &= given_[id] | added(id, k);
  }

  /// What holds for the k-th source besides what holds for the node.
  Conditions added(Id id, size_t k) {
    const std::span<const Id> src = g_.src(id);
    switch (g_.op(id)) {
      case Op::kWhere: return k == 1 ? conditions_in(src[0]) : 0;
      case Op::kIndex: return k == 1 && src.size() == 3 ? conditions_in(src[2]) : 0;
      case Op::kStore:
        return k == 1 && g_.src(src[0]).size() == 3 ? conditions_in(g_.src(src[0], 2)) : 0;
      default: return 0;
    }
  }

  Conditions conditions_in(Id condition) {
    Conditions set = 0;
    for (Id conjunct : conjuncts_of(g_, condition)) {
      if (numbers_.size() < kMost) numbers_.try_emplace(conjunct, numbers_.size());
      set |= number_of(conjunct);
    }
    return set;
  }

  Conditions number_of(Id conjunct) const {
    const auto found = numbers_.find(conjunct);
    return found == numbers_.end() ? 0 : Conditions{1} << found->second;
  }

  // --- Gates. ---

  /// Drops conditions of the INDEX `id`, whose new sources are `src`.
  void relax(Id id, std::vector<Id>& src) {
    std::vector<Id> kept;
    for (Id conjunct : conjuncts_of(g_, g_.src(id, 2))) {
      if ((given_[id] & number_of(conjunct)) == 0) kept.push_back(conjunct);
    }
    if (kept.size() == conjuncts_of(g_, g_.src(id, 2)).size() || !is_in_bounds(id, kept)) return;
    src.pop_back();
    if (!kept.empty()) src.push_back(conjunction(kept));
  }

  bool is_in_bounds(Id index, const std::vector<Id>& conditions) const {
    Assumptions assumptions;
    for (Id condition : conditions) assumptions.assume(g_, condition);
    const Sum offset = Sum::of(g_, g_.src(index, 1));
    const auto bounds = offset.bounds([&](Id base) { return assumptions.bounds(g_, base); });
    const Interval size = g_.bounds(g_.src(g_.src(index, 0), 0));
    return bounds && bounds->within(0, size.hi - 1);
  }

  Id conjunction(const std::vector<Id>& conditions) {
    Id all = conditions[0];
    for (size_t k = 1; k < conditions.size(); k++) all = logical_and(g_, all, conditions[k]);
    return all;
  }

  Graph& g_;
  Id sink_;
  std::vector<Id> nodes_;
  std::vector<Conditions> given_;  // by node
  std::unordered_map<Id, size_t> numbers_;
};

}  // namespace

Id relax_gates(Graph& g, Id sink) { return Relaxer(g, sink).run(); }

}  // namespace loom
