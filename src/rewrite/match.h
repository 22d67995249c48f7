// What a rule sees when its pattern has matched: the graph, the node, and what the captures stand
// for.
#pragma once
#include <vector>

#include "ir/build.h"

namespace loom {

class Rewriter;

namespace pattern {
template <class P>
concept NodeCapture = requires { P::capture_slot; };
template <class P>
concept RestCapture = requires { P::rest_slot; };
}  // namespace pattern

/// A reference to the state of a pass, of any type, handed through to its rules.
class Context {
 public:
  Context() = default;
  template <class T>
    requires(!std::is_base_of_v<Context, T>)
  Context(T& state)
      : state_(&state), type_(&kTypeOf<T>) {}  // implicit: a pass just names its state

  template <class T>
  T& as() const {
    if (type_ != &kTypeOf<T>) fail_wrong_type();
    return *static_cast<T*>(const_cast<void*>(state_));  // T says whether it is const
  }

 private:
  [[noreturn]] static void fail_wrong_type();
  template <class T>
  static constexpr char kTypeOf = 0;  // its address tells types apart

  const void* state_ = nullptr;
  const void* type_ = nullptr;
};

class Match {
 public:
  static constexpr int kSlots = 16, kRestSlots = 4;

  Match(Graph& graph, Id root, const Context& context, Rewriter* rewriter = nullptr)
      : graph_(graph), root_(root), context_(context), rewriter_(rewriter) {}

  Graph& graph() const { return graph_; }
  /// The node that matched, and its dtype.
  Id root() const { return root_; }
  DType dtype() const { return graph_.dtype(root_); }

  /// The node that a capture stands for. Constant captures (c0, ..) give the scalar CONST, also
  /// when a broadcast of it matched.
  template <pattern::NodeCapture P>
  Id operator[](P) const {
    return ids_[P::capture_slot];
  }
  /// The sources that a rest capture stands for: a copy, because adding nodes moves source lists.
  template <pattern::RestCapture P>
  std::vector<Id> operator[](P) const {
    const auto all = graph_.src(rests_[P::rest_slot].node);
    return {all.begin() + rests_[P::rest_slot].first, all.end()};
  }
  /// Value of a captured integer or bool constant.
  template <pattern::NodeCapture P>
  int64_t value(P) const {
    return graph_.arg(ids_[P::capture_slot]);
  }
  template <pattern::NodeCapture P>
  Interval bounds(P) const {
    return graph_.bounds(ids_[P::capture_slot]);
  }
  /// The state of the pass, as it was handed to `rewrite`. Another type is an InternalError.
  template <class T>
  T& context() const {
    return context_.as<T>();
  }
  /// What a rule builds is normalised after it has returned. A rule that must look at the normal
  /// form of something that it builds asks here; nested too deeply, `id` comes back as it is.
  Id normal(Id id) const;

  // For the pattern types.
  Id& slot(int i) { return ids_[i]; }
  struct Rest {
    Id node;
    uint32_t first;
  };
  Rest& rest(int i) { return rests_[i]; }

 private:
  Graph& graph_;
  Id root_;
  const Context& context_;
  Rewriter* rewriter_;
  Id ids_[kSlots];  // not initialised: a pattern writes a slot before anything reads it
  Rest rests_[kRestSlots];
};

}  // namespace loom
