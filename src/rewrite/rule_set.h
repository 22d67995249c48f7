// Tables of rules.
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
#include "rewrite/rule_orders.h"

namespace loom {

/// One rule as its author wrote it.
struct RuleInfo {
  std::string_view table;
  std::string_view about;   // what the table is for
  int index = 0;            // in that table
  std::source_location at;  // of the table
  PatternTree (*pattern)() = nullptr;
  PatternTree (*replacement)() = nullptr;
  std::vector<PatternTree> (*guards)() = nullptr;

  /// "identities:3".
  std::string name() const;
  /// "src/rewrite/rules/identities.cpp".
  std::string_view file() const;
  /// "(x + c0) + c1 -> x + [c0 + c1]"; brackets are around what is folded, guards behind `if`.
  std::string text() const;
  std::string guard_text() const;
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
  /// One rule a line: "identities:3  (x + c0) + c1 -> x + [c0 + c1]".
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

/// The name of a table, what it is for, and where it stands in the source.
struct Title {
  std::string_view name, about;
  std::source_location at;
  Title(const char* title, std::source_location where = std::source_location::current())
      : name(title), at(where) {}
  Title(const char* title, const char* text,
        std::source_location where = std::source_location::current())
      : name(title), about(text), at(where) {}
};

template <class P, class R, class... G>
void append_rule(Rule<P, R, G...>, const Title& title, std::vector<RuleInfo>& rules,
                 std::vector<RuleOrder>& orders) {
  using Self = Rule<P, R, G...>;
  const auto index = static_cast<int>(rules.size());
  rules.push_back(
      {title.name, title.about, index, title.at, &P::tree, &Self::replacement, &Self::guards});
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
