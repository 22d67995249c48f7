#include <algorithm>
#include <iterator>

#include "ir/properties.h"

namespace loom {
namespace {

uint64_t pair_key(uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; }

// Sources after the first are loops that the node closes.
bool closes_ranges(Op op) { return op == Op::kEnd || op == Op::kReduce || op == Op::kStage; }

// The nodes that hold whole programs: no loop is open around them.
bool is_closed(Op op) { return (info(op).flags & kFlagProgram) != 0; }

}  // namespace

std::span<const Id> LiveRanges::of(const Graph& graph, Id id) {
  while (sets_.size() <= id) sets_.push_back(compute(graph, static_cast<Id>(sets_.size())));
  return pool_[sets_[id]];
}

LiveRanges::Set LiveRanges::compute(const Graph& graph, Id id) {
  const Op op = graph.op(id);
  const std::span<const Id> src = graph.src(id);
  if (op == Op::kRange) return unite(union_of(src), pool_.intern(std::span(&id, 1)));
  if (is_closed(op)) return 0;
  if (closes_ranges(op) && src.size() > 1) return subtract(sets_[src[0]], union_of(src.subspan(1)));
  return union_of(src);
}

LiveRanges::Set LiveRanges::union_of(std::span<const Id> ids) {
  Set set = 0;
  for (Id id : ids) set = unite(set, sets_[id]);
  return set;
}

LiveRanges::Set LiveRanges::unite(Set a, Set b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) std::swap(a, b);
  const auto [entry, is_new] = unions_.try_emplace(pair_key(a, b));
  if (is_new) {
    std::vector<Id> merged;
    std::ranges::set_union(pool_[a], pool_[b], std::back_inserter(merged));
    entry->second = pool_.intern(merged);
  }
  return entry->second;
}

LiveRanges::Set LiveRanges::subtract(Set a, Set b) {
  if (a == 0 || b == 0) return a;
  const auto [entry, is_new] = differences_.try_emplace(pair_key(a, b));
  if (is_new) {
    std::vector<Id> rest;
    std::ranges::set_difference(pool_[a], pool_[b], std::back_inserter(rest));
    entry->second = pool_.intern(rest);
  }
  return entry->second;
}

size_t LiveRanges::bytes() const {
  constexpr size_t kEntry = 40;  // a node of a hash table and its bucket
  return pool_.bytes() + sets_.capacity() * sizeof(Set) +
         (unions_.size() + differences_.size()) * kEntry;
}

}  // namespace loom
