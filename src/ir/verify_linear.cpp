#include <algorithm>
#include <vector>

#include "ir/verify_rules.h"

namespace loom {
namespace {

// Walks the list with the stack of the loops and IFs that are open.
class LinearCheck {
 public:
  LinearCheck(const Graph& graph, Id linear)
      : graph_(graph), linear_(linear), scope_(linear), is_listed_(linear), open_(1, kProgram) {}

  void run() {
    for (Id id : graph_.src(linear_)) visit(id);
    if (open_.size() > 1) fail_at(open_.back(), "it is closed in the list");
  }

 private:
  static constexpr Id kProgram = 0;  // the scope around all loops

  [[noreturn]] void fail_at(Id id, std::string_view rule) const {
    report({graph_, id, Stage::kLinear}, rule);
  }

  void visit(Id id) {
    if (is_listed_[id]) fail_at(id, "each node is listed once");
    check_sources(id);
    const Op op = graph_.op(id);
    if (op == Op::kEnd) close(id, graph_.src(id).size() == 2 ? graph_.src(id, 1) : 0);
    if (op == Op::kEndIf) close(id, graph_.src(id, 0));
    is_listed_[id] = true;
    scope_[id] = op == Op::kRange ? id : open_.back();  // a loop index is one of the loop's values
    if (op == Op::kRange || op == Op::kIf) open_.push_back(id);
  }

  void close(Id id, Id opened) {
    if (open_.back() != opened)
      fail_at(id, "it closes the loop or IF that was opened last, and only that");
    open_.pop_back();
  }

  // What a source stands for is listed already, in a scope that is still open.
  void check_sources(Id id) {
    pending_.assign(graph_.src(id).begin(), graph_.src(id).end());
    while (!pending_.empty()) {
      const Id source = pending_.back();
      pending_.pop_back();
      const Op op = graph_.op(source);
      if (op == Op::kAfter) {
        pending_.push_back(graph_.src(source, 0));  // its order is in the list now
      } else if (op == Op::kGroup) {
        pending_.insert(pending_.end(), graph_.src(source).begin(), graph_.src(source).end());
      } else if (!is_listed_[source]) {
        fail_at(id, "its sources come before it in the list");
      } else if (std::ranges::find(open_, scope_[source]) == open_.end()) {
        fail_at(id, "its sources belong to loops that are still open");
      }
    }
  }

  const Graph& graph_;
  Id linear_;
  std::vector<Id> scope_;  // innermost loop or IF around a listed node
  std::vector<bool> is_listed_;
  std::vector<Id> open_;
  std::vector<Id> pending_;
};

}  // namespace

void verify_linear(const Graph& graph, Id linear) { LinearCheck(graph, linear).run(); }

}  // namespace loom
