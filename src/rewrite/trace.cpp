#include "rewrite/trace.h"

namespace loom {
namespace {

thread_local Trace* current_trace = nullptr;

}  // namespace

Trace::Trace() : outer_(current_trace) { current_trace = this; }
Trace::~Trace() { current_trace = outer_; }
Trace* Trace::current() { return current_trace; }

void Trace::record(const RuleSet& rules, uint32_t rule, Id place, Id before, Id after) {
  const bool is_known = !tables_.empty() && tables_.back().rules().data() == rules.rules().data();
  if (!is_known) tables_.push_back(rules);
  applications_.push_back({&rules.rules()[rule], place, before, after});
}

}  // namespace loom
