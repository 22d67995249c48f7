#include "rewrite/rule_set.h"

#include "base/error.h"
#include "base/str.h"

namespace loom {

std::string RuleInfo::name() const { return str(table, ":", index); }

std::string_view RuleInfo::file() const {
  const std::string_view path = at.file_name();
  const size_t room = path.rfind("/src/");  // how the compiler was called says what is before
  return room == std::string_view::npos ? path : path.substr(room + 1);
}

std::string RuleInfo::guard_text() const {
  std::string result;
  for (const PatternTree& guard : guards()) {
    result += (result.empty() ? "" : ", ") + loom::text(guard);
  }
  return result;
}

std::string RuleInfo::text() const {
  const std::string guard = guard_text();
  return str(loom::text(pattern()), " -> ", loom::text(replacement()), guard.empty() ? "" : " if ",
             guard);
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
