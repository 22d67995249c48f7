// The drivers: bring the nodes below a root to normal form, in which no rule of a table fires.
//
//   Id lean = rewrite(graph, root, identities());
//   Id kernel = rewrite(graph, root, lowering(), Strategy::kTopDown, state);
//
// Bottom-up: a rule sees a node whose sources are in normal form. Top-down: a rule sees a node with
// its sources as they are in the input; once none fires, the sources are rewritten, and then the
// node, if that changed it, is tried again. Either way a result is rewritten in turn until no rule
// fires anywhere in it, every node is rewritten once however often it is used, and the work lies on
// an explicit stack, so that depth doesn't matter. What a rule does may depend only on the node and
// the pass's context.
#pragma once
#include <vector>

#include "rewrite/memo.h"
#include "rewrite/rule_set.h"
#include "rewrite/trace.h"

namespace loom {

enum class Strategy : uint8_t { kBottomUp, kTopDown };

struct RewriteStats {
  uint64_t visits = 0;        // nodes whose sources were looked at
  uint64_t tries = 0;         // patterns tried on a node
  uint64_t applications = 0;  // rules that fired
};

/// Rewrites several roots of one graph, sharing what they share.
class Rewriter {
 public:
  /// `rules` must outlive the rewriter.
  Rewriter(Graph& graph, const RuleSet& rules, Strategy strategy = Strategy::kBottomUp,
           Context context = {});

  /// The normal form of `root`. Throws InternalError when the rules go in a circle, or grow without
  /// end; the text shows the rules and the nodes.
  Id operator()(Id root);
  const RewriteStats& stats() const { return stats_; }
  /// After this many applications a rewrite counts as endless. The default grows with the graph.
  void set_limit(uint64_t applications) { limit_ = longest_trail_ = applications; }

 private:
  friend class Match;
  // One node on its way to normal form.
  struct Frame {
    Id place;         // where it began
    Id current;       // what it has become so far
    uint32_t source;  // sources before this one are in normal form
    bool is_changed;  // and not all of them were before
    bool is_tried;    // top-down: no rule fires on `current`
    uint32_t trail;   // where its steps begin in trail_
  };
  struct Step {
    Id id;
    uint32_t rule;  // that led here, or kRebuilt
  };
  static constexpr uint32_t kRebuilt = UINT32_MAX;
  static constexpr Id kActive = UINT32_MAX;  // in the memo: on the stack
  static constexpr int kDeepestNesting = 16;

  void run(size_t bottom);
  void enter(Id id);
  void advance();
  bool enter_next_source();
  bool try_rules();
  bool move(Id to, uint32_t rule);
  void leave(Id result);
  Id rebuilt(Id id);
  Id apply(Id id, uint32_t& rule);
  Id nested(Id id);
  [[noreturn]] void fail_circle(Id id) const;
  [[noreturn]] void fail_growth() const;
  std::string steps_text(size_t first) const;

  Graph& graph_;
  const RuleSet& rules_;
  Strategy strategy_;
  Context context_;
  Trace* trace_;
  uint64_t limit_;          // of all applications
  uint64_t longest_trail_;  // of the steps that one node takes
  RewriteStats stats_;
  Memo memo_;
  std::vector<Frame> stack_;
  std::vector<Step> trail_;
  std::vector<Id> sources_;  // scratch of rebuilt()
  int nesting_ = 0;
};

/// What the first rule that fires on exactly this node makes of it, not normalised; 0 when none
/// fires.
Id apply_once(Graph& graph, Id id, const RuleSet& rules, Context context = {});

Id rewrite(Graph& graph, Id root, const RuleSet& rules, Strategy strategy = Strategy::kBottomUp,
           Context context = {});

}  // namespace loom
