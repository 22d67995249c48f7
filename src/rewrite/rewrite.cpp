#include "rewrite/rewrite.h"

#include <algorithm>

#include "base/error.h"
#include "ir/text.h"

namespace loom {

Rewriter::Rewriter(Graph& graph, const RuleSet& rules, Strategy strategy, Context context)
    : graph_(graph),
      rules_(rules),
      strategy_(strategy),
      context_(context),
      trace_(Trace::current()),
      limit_(1'000'000 + 100 * graph.size()),
      longest_trail_(10'000 + graph.size()) {}

Id Rewriter::operator()(Id root) {
  if (memo_[root] == 0) {
    enter(root);
    run(0);
  }
  return memo_[root];
}

// Works until the stack is as low as `bottom` again.
void Rewriter::run(size_t bottom) {
  while (stack_.size() > bottom) advance();
}

void Rewriter::enter(Id id) {
  stats_.visits++;
  stack_.push_back({id, id, 0, false, false, static_cast<uint32_t>(trail_.size())});
  trail_.push_back({id, kRebuilt});
  memo_.set(id, kActive);
}

// One step of the node on top of the stack. A rule may ask for a normal form, which grows the
// stack: references to frames do not outlive a try of rules.
void Rewriter::advance() {
  if (strategy_ == Strategy::kTopDown && !stack_.back().is_tried) {
    if (try_rules()) return;
    stack_.back().is_tried = true;
  }
  if (enter_next_source()) return;
  Id id = stack_.back().current;
  if (stack_.back().is_changed) {
    id = rebuilt(id);
    if (!move(id, kRebuilt) || strategy_ == Strategy::kTopDown) return;
    stack_.back().source = graph_[id].src_count;  // in normal form, all of them
  }
  if (strategy_ == Strategy::kTopDown || !try_rules()) leave(id);
}

bool Rewriter::enter_next_source() {
  Frame& frame = stack_.back();
  const std::span<const Id> sources = graph_.src(frame.current);
  for (; frame.source < sources.size(); frame.source++) {
    const Id source = sources[frame.source];
    const Id known = memo_[source];
    if (known == 0) return enter(source), true;
    if (known == kActive) fail_circle(source);
    frame.is_changed |= known != source;
  }
  return false;
}

// True when a rule has fired: the frame has then moved on, or is gone.
bool Rewriter::try_rules() {
  uint32_t rule = 0;
  const Id before = stack_.back().current;
  const Id after = apply(before, rule);
  if (after == 0) return false;
  stats_.applications++;
  if (trace_ != nullptr) [[unlikely]]
    trace_->record(rules_, rule, stack_.back().place, before, after);
  move(after, rule);
  return true;
}

Id Rewriter::apply(Id id, uint32_t& rule) {
  Match match(graph_, id, context_, this);
  return rules_.dispatch().first(graph_, id, [&](const Dispatch::Target& target) -> Id {
    stats_.tries++;
    if (!target.match(match)) return 0;
    const Id result = target.fire(match);
    rule = target.rule;
    return result == id ? 0 : result;
  });
}

// The node on top has become `to`. False when that is in normal form, and the frame gone.
bool Rewriter::move(Id to, uint32_t rule) {
  Frame& frame = stack_.back();
  const Id known = memo_[to];
  trail_.push_back({to, rule});
  if (known == kActive) fail_circle(to);
  if (known != 0) return leave(known), false;
  if (trail_.size() - frame.trail > longest_trail_ || stats_.applications > limit_) fail_growth();
  memo_.set(to, kActive);
  frame.current = to;
  frame.source = 0;
  frame.is_changed = frame.is_tried = false;
  return true;
}

// The node on top has the normal form `result`, and so has all that it was on its way.
void Rewriter::leave(Id result) {
  const uint32_t first = stack_.back().trail;
  for (size_t i = first; i < trail_.size(); i++) memo_.set(trail_[i].id, result);
  trail_.resize(first);
  stack_.pop_back();
}

// The node over the normal forms of its sources.
Id Rewriter::rebuilt(Id id) {
  sources_.clear();
  for (Id source : graph_.src(id)) sources_.push_back(memo_[source]);
  const Node node = graph_[id];
  return graph_.add(node.op, node.dtype(), sources_, node.arg);
}

// The normal form of something that a rule is about to build.
Id Rewriter::nested(Id id) {
  const Id known = memo_[id];
  if (known != 0 && known != kActive) return known;
  if (known == kActive || nesting_ == kDeepestNesting) return id;
  nesting_++;
  const size_t bottom = stack_.size();
  enter(id);
  run(bottom);
  nesting_--;
  return memo_[id];
}

// The rules that have fired from a step of the trail on, each with what it did.
std::string Rewriter::steps_text(size_t first) const {
  std::string result;
  for (size_t i = std::max<size_t>(first, 1); i < trail_.size(); i++) {
    if (trail_[i].rule == kRebuilt) continue;
    result += str("\n  ", rules_.rules()[trail_[i].rule].name(), "  ",
                  rules_.rules()[trail_[i].rule].text(), "\n    ",
                  print_node(graph_, trail_[i - 1].id), "  ->  ", print_node(graph_, trail_[i].id));
  }
  return result;
}

// The normal form of `id` is wanted while it is being found.
void Rewriter::fail_circle(Id id) const {
  const auto met = std::ranges::find(trail_, id, &Step::id);
  fail<InternalError>("these rules rewrite ", print_node(graph_, id),
                      " in a circle:", steps_text(static_cast<size_t>(met - trail_.begin()) + 1));
}

void Rewriter::fail_growth() const {
  constexpr size_t kShown = 16;
  fail<InternalError>("these rules seem to rewrite ", print_node(graph_, trail_.front().id),
                      " without end (", stats_.applications, " applications):",
                      steps_text(trail_.size() - std::min(trail_.size(), kShown)));
}

Id apply_once(Graph& graph, Id id, const RuleSet& rules, Context context) {
  Match match(graph, id, context);
  return rules.dispatch().first(graph, id, [&](const Dispatch::Target& target) -> Id {
    const Id result = target.match(match) ? target.fire(match) : 0;
    return result == id ? 0 : result;
  });
}

Id rewrite(Graph& graph, Id root, const RuleSet& rules, Strategy strategy, Context context) {
  return Rewriter(graph, rules, strategy, context)(root);
}

Id Match::normal(Id id) const { return rewriter_ == nullptr ? id : rewriter_->nested(id); }

void Context::fail_wrong_type() {
  fail<InternalError>("a rule asks for another context than its pass has");
}

}  // namespace loom
