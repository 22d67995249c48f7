// Tables of rules, and the dispatch that finds the ones that can match a node.
//
//   const RuleSet& identities() {
//     using namespace pattern;
//     // clang-format off
//     static const RuleSet table = rules("identities",
//         (x + lit<0>)     >> x,
//         ((x + c0) + c1)  >> (x + fold(c0 + c1)),
//         ((x * c0) / c1)  >> x * fold(c0 / c1) | when(positive(c1), c0 % c1 == lit<0>),
//         where(c0, x, y)  >> [](Match& m) { return m.value(c0) != 0 ? m[x] : m[y]; });
//     // clang-format on
//     return table;
//   }
//
// The first rule that fires wins. Tables are immutable values: add them, list them, print them,
// take one rule out of them. Several threads may use one table.
#pragma once
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/rule.h"

namespace loom {

/// One rule as its author wrote it.
struct RuleInfo {
  std::string_view table;
  int index = 0;            // in that table
  std::source_location at;  // of the table
  PatternTree (*pattern)() = nullptr;
  PatternTree (*replacement)() = nullptr;
  std::vector<PatternTree> (*guards)() = nullptr;

  /// "identities:3".
  std::string name() const;
  /// "(x + c0) + c1 -> x + fold(c0 + c1)".
  std::string text() const;
};

/// One exact operand order of a rule, ready to run.
struct RuleOrder {
  bool (*match)(Match&) = nullptr;
  Id (*fire)(Match&) = nullptr;
  OpSet root;
  OpSet sources[3];  // the ops that the first sources can have; Op::kNone where there may be no
                     // source
  uint16_t rule = 0;
};

/// Finds the orders that can match a node: for each (root op, source slot, op of the source) a bit
/// set of orders. Three of them ANDed leave the few to try; the lowest bit was written first.
class Dispatch {
 public:
  explicit Dispatch(std::span<const RuleOrder> orders);

  struct Target {
    bool (*match)(Match&);
    Id (*fire)(Match&);
    uint32_t rule;
  };

  /// Calls `attempt(target)` in order for all orders that can match, until it returns a node. An
  /// attempt may add nodes.
  template <class F>
  Id first(const Graph& g, Id id, const F& attempt) const {
    const Node& node = g[id];
    const Root& root = roots_[static_cast<size_t>(node.op)];
    if (root.count == 0) return 0;
    const Id* src = node.src_count <= 3 ? node.src : g.src(id).data();
    const uint64_t* a = set_of(root, 0, g.op(src[0]));
    const uint64_t* b = set_of(root, 1, g.op(src[1]));
    const uint64_t* c = set_of(root, 2, g.op(src[2]));
    for (uint32_t word = 0; word < root.words; word++) {
      for (uint64_t live = a[word] & b[word] & c[word]; live != 0; live &= live - 1) {
        const Target& target =
            targets_[root.first + word * 64 + static_cast<uint32_t>(std::countr_zero(live))];
        if (const Id result = attempt(target)) return result;
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
  const uint64_t* set_of(const Root& root, uint32_t slot, Op op) const {
    return sets_.data() + root.sets + (slot * kOpCount + static_cast<uint32_t>(op)) * root.words;
  }

  Root roots_[kOpCount];
  std::vector<Target> targets_;
  std::vector<uint64_t> sets_;
};

class RuleSet {
 public:
  RuleSet() : RuleSet({}, {}) {}
  RuleSet(std::vector<RuleInfo> rules, std::vector<RuleOrder> orders);

  std::span<const RuleInfo> rules() const { return content_->rules; }
  std::span<const RuleOrder> orders() const { return content_->orders; }
  const Dispatch& dispatch() const { return content_->dispatch; }
  size_t size() const { return content_->rules.size(); }

  /// The rules of a, then those of b.
  friend RuleSet operator+(const RuleSet& a, const RuleSet& b);
  /// A table of the i-th rule alone.
  RuleSet only(size_t i) const;
  /// One rule a line: "identities:3  (x + c0) + c1 -> x + fold(c0 + c1)".
  std::string text() const;

 private:
  struct Content {
    std::vector<RuleInfo> rules;
    std::vector<RuleOrder> orders;
    Dispatch dispatch;
  };
  std::shared_ptr<const Content> content_;
};

namespace pattern {

/// The name of a table, and where it stands in the source.
struct Title {
  std::string_view name;
  std::source_location at;
  Title(const char* title, std::source_location where = std::source_location::current())
      : name(title), at(where) {}
};

/// The ops that the sources of P can have.
template <class P>
struct SourceOps {
  static constexpr std::array<OpSet, 3> value = {kAnyOp | only(Op::kNone), kAnyOp | only(Op::kNone),
                                                 kAnyOp | only(Op::kNone)};
};
template <class... S>
struct SourceOps<Sources<S...>> {
  static constexpr std::array<OpSet, 3> value = [] {
    std::array<OpSet, 3> result = {only(Op::kNone), only(Op::kNone), only(Op::kNone)};
    size_t slot = 0;
    const auto set = [&](auto source) {
      using Source = decltype(source);
      if constexpr (RestCapture<Source>) {
        for (; slot < 3; slot++) result[slot] = kAnyOp | only(Op::kNone);
      } else if (slot < 3) {
        result[slot++] = Source::ops;
      }
    };
    (set(S{}), ...);
    return result;
  }();
};
template <Op O, class... S>
struct SourceOps<Apply<O, S...>> : SourceOps<Sources<S...>> {};
template <OpSet Set, class... S>
struct SourceOps<Group<Set, S...>> : SourceOps<Sources<S...>> {};
template <class Capture, class P>
struct SourceOps<Named<Capture, P>> : SourceOps<P> {};
template <Kind K, class P>
struct SourceOps<Typed<K, P>> : SourceOps<P> {};
template <class P>
struct SourceOps<Exactly<P>> : SourceOps<P> {};

template <class P>
bool match_root(Match& m) {
  return P::template match<0>(m, m.root());
}

template <class Rule, class... P>
void append_orders(List<P...>, uint16_t rule, std::vector<RuleOrder>& orders) {
  const auto append = [&]<class Q>(std::type_identity<Q>) {
    const auto& sources = SourceOps<Q>::value;
    orders.push_back(
        {&match_root<Q>, &Rule::fire, Q::ops, {sources[0], sources[1], sources[2]}, rule});
  };
  (append(std::type_identity<P>{}), ...);
}

template <class P, class R, class... G>
void append_rule(Rule<P, R, G...>, const Title& title, std::vector<RuleInfo>& rules,
                 std::vector<RuleOrder>& orders) {
  using Self = Rule<P, R, G...>;
  const auto index = static_cast<int>(rules.size());
  rules.push_back({title.name, index, title.at, &P::tree, &Self::replacement, &Self::guards});
  append_orders<Self>(typename Orders<P>::type{}, static_cast<uint16_t>(index), orders);
}

}  // namespace pattern

/// A table of rules, tried in the order in which they are written.
template <class... R>
RuleSet rules(pattern::Title title, R... rule) {
  std::vector<RuleInfo> infos;
  std::vector<RuleOrder> orders;
  (pattern::append_rule(rule, title, infos, orders), ...);
  return {std::move(infos), std::move(orders)};
}

}  // namespace loom
