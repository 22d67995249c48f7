#include "rewrite/rule_set.h"

#include "base/error.h"
#include "base/str.h"

namespace loom {
namespace {

constexpr size_t kSlots = 3;

bool can_match(const RuleOrder& order, size_t slot, Op source) {
  return order.sources[slot].has(source);
}

}  // namespace

std::string RuleInfo::name() const { return str(table, ":", index); }

std::string RuleInfo::text() const {
  std::string result = str(loom::text(pattern()), " -> ", loom::text(replacement()));
  const char* separator = " if ";
  for (const PatternTree& guard : guards()) {
    result += separator + loom::text(guard);
    separator = ", ";
  }
  return result;
}

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
    sets_.resize(sets_.size() + kSlots * kOpCount * root.words);
    for (size_t i = 0; i < own.size(); i++) {
      targets_.push_back({own[i]->match, own[i]->fire, own[i]->rule});
      for (size_t slot = 0; slot < kSlots; slot++) {
        for (size_t source = 0; source < kOpCount; source++) {
          if (!can_match(*own[i], slot, static_cast<Op>(source))) continue;
          sets_[root.sets + (slot * kOpCount + source) * root.words + i / 64] |= uint64_t{1}
                                                                                 << (i % 64);
        }
      }
    }
  }
}

RuleSet::RuleSet(std::vector<RuleInfo> rules, std::vector<RuleOrder> orders) {
  require(rules.size() < UINT16_MAX, "a table of ", rules.size(), " rules is too large");
  Dispatch dispatch(orders);
  content_ = std::make_shared<Content>(std::move(rules), std::move(orders), std::move(dispatch));
}

RuleSet operator+(const RuleSet& a, const RuleSet& b) {
  std::vector<RuleInfo> rules(a.rules().begin(), a.rules().end());
  rules.insert(rules.end(), b.rules().begin(), b.rules().end());
  std::vector<RuleOrder> orders(a.orders().begin(), a.orders().end());
  for (RuleOrder order : b.orders()) {
    order.rule = static_cast<uint16_t>(order.rule + a.size());
    orders.push_back(order);
  }
  return {std::move(rules), std::move(orders)};
}

RuleSet RuleSet::only(size_t i) const {
  std::vector<RuleOrder> orders;
  for (RuleOrder order : content_->orders) {
    if (order.rule != i) continue;
    order.rule = 0;
    orders.push_back(order);
  }
  return {{content_->rules[i]}, std::move(orders)};
}

std::string RuleSet::text() const {
  std::string result;
  for (const RuleInfo& rule : rules()) result += str(rule.name(), "  ", rule.text(), "\n");
  return result;
}

}  // namespace loom
