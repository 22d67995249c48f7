#include "rewrite/dispatch.h"

namespace loom {

Dispatch::Dispatch(std::span<const RuleOrder> orders) {
  for (size_t op = 1; op < kOpCount; op++) {
    Root& root = roots_[op];
    root.first = static_cast<uint32_t>(targets_.size());
    root.sets = static_cast<uint32_t>(sets_.size());
    std::vector<const RuleOrder*> own;
    for (const RuleOrder& order : orders) {
      if (order.root.has(static_cast<Op>(op))) own.push_back(&order);
    }
    root.count = static_cast<uint32_t>(own.size());
    root.words = (root.count + 63) / 64;
    sets_.resize(sets_.size() + (kSlots * kOpCount + kScalarCount) * root.words);
    for (uint32_t i = 0; i < root.count; i++) {
      targets_.push_back({own[i]->match, own[i]->fire, own[i]->rule});
      add_to_sets(root, i, *own[i]);
    }
  }
}

// Adds the root's i-th order to the sets of all sources and types that it can have.
void Dispatch::add_to_sets(const Root& root, uint32_t i, const RuleOrder& order) {
  const auto add = [&](uint32_t place) { sets_[place + i / 64] |= uint64_t{1} << (i % 64); };
  for (uint32_t slot = 0; slot < kSlots; slot++) {
    for (int op = 0; op < kOpCount; op++) {
      if (order.sources[slot].has(static_cast<Op>(op)))
        add(place_of_set(root, slot, static_cast<Op>(op)));
    }
  }
  for (int scalar = 0; scalar < kScalarCount; scalar++) {
    if (is_of_kind(static_cast<Scalar>(scalar), order.kind))
      add(place_of_set(root, static_cast<Scalar>(scalar)));
  }
}

}  // namespace loom
