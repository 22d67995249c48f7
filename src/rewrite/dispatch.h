// Finds the rules that can match a node without trying the others.
#pragma once
#include <span>
#include <vector>

#include "rewrite/pattern_types.h"

namespace loom {

/// One exact operand order of a rule, ready to run.
struct RuleOrder {
  bool (*match)(Match&) = nullptr;
  Id (*fire)(Match&) = nullptr;
  OpSet root = {};
  std::array<OpSet, 3> sources = {};         // ops of the first sources; Op::kNone: may be absent
  pattern::Kind kind = pattern::Kind::kAll;  // of the root's dtype
  uint16_t rule = 0;
};

/// For each (root op, source slot, op of the source) and each (root op, scalar type) a bit set of
/// orders. The four of a node ANDed leave the few orders to try; the lowest bit was written first.
class Dispatch {
 public:
  explicit Dispatch(std::span<const RuleOrder> orders);

  struct Target {
    bool (*match)(Match&);
    Id (*fire)(Match&);
    uint32_t rule;
  };

  bool has_rules_for(Op op) const { return roots_[static_cast<size_t>(op)].count != 0; }

  /// Calls `attempt(target)` in order for all orders that can match, until it returns a node. An
  /// attempt may add nodes.
  template <class F>
  Id first(const Graph& g, Id id, const F& attempt) const {
    const Node& node = g[id];
    const Root& root = roots_[static_cast<size_t>(node.op)];
    if (root.count == 0) return 0;
    const Id* src = node.src_count <= kSlots ? node.src : g.src(id).data();
    const uint64_t* a = sets_.data() + place_of_set(root, 0, g.op(src[0]));
    const uint64_t* b = sets_.data() + place_of_set(root, 1, g.op(src[1]));
    const uint64_t* c = sets_.data() + place_of_set(root, 2, g.op(src[2]));
    const uint64_t* d = sets_.data() + place_of_set(root, node.scalar);
    for (uint32_t word = 0; word < root.words; word++) {
      for (uint64_t live = a[word] & b[word] & c[word] & d[word]; live != 0; live &= live - 1) {
        const auto bit = static_cast<uint32_t>(std::countr_zero(live));
        if (const Id result = attempt(targets_[root.first + word * 64 + bit])) return result;
      }
    }
    return 0;
  }

 private:
  struct Root {
    uint32_t first = 0, count = 0;  // in targets_
    uint32_t words = 0;             // of a set
    uint32_t sets = 0;              // where its sets begin
  };
  static constexpr uint32_t kSlots = 3;
  static uint32_t place_of_set(const Root& root, uint32_t slot, Op op) {
    return root.sets + (slot * kOpCount + static_cast<uint32_t>(op)) * root.words;
  }
  static uint32_t place_of_set(const Root& root, Scalar scalar) {
    return root.sets + (kSlots * kOpCount + static_cast<uint32_t>(scalar)) * root.words;
  }
  void add_to_sets(const Root& root, uint32_t i, const RuleOrder& order);

  Root roots_[kOpCount];
  std::vector<Target> targets_;
  std::vector<uint64_t> sets_;
};

}  // namespace loom
