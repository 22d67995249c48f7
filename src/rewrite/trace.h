// A record of rule applications, for whoever wants to look at a rewrite afterwards.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "rewrite/rule_set.h"

namespace loom {

struct Application {
  const RuleInfo* rule = nullptr;
  Id place = 0;   // the node of the input (or built by a rule) whose normal form was wanted
  Id before = 0;  // the node that matched: `place` itself, or what it had become
  Id after = 0;
};

/// Records every rewrite of this thread while it is alive. Traces nest: the innermost one records.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Applications in the order in which they happened. Ids are those of the graph that was
  /// rewritten.
  const std::vector<Application>& applications() const { return applications_; }
  /// The innermost trace of this thread, or null.
  static Trace* current();

  void record(const RuleSet& rules, uint32_t rule, Id place, Id before, Id after);

 private:
  std::vector<Application> applications_;
  std::vector<RuleSet> tables_;  // keeps the rules alive that applications point to
  Trace* outer_;
};

}  // namespace loom
