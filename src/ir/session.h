// The graph that live tensors point into, shared by all threads behind one short lock.
//
// Only roots are counted: a Root keeps its node, and so all that lies below, in the graph. Nodes
// that no root needs stay until the arena has grown to twice its live size; then the live part
// moves to a fresh arena and ids change. So ids are for use within one Access, and Roots for
// keeping.
#pragma once
#include <mutex>
#include <span>
#include <vector>

#include "ir/graph.h"

namespace loom {

class Session;

/// A counted reference to a node of a session's graph. The session outlives its roots.
class Root {
 public:
  Root() = default;
  Root(Root&& other) noexcept;
  Root& operator=(Root&& other) noexcept;
  ~Root();

  /// Its number among the session's roots: unique as long as it lives.
  uint32_t place() const { return place_; }
  bool is_empty() const { return session_ == nullptr; }

 private:
  friend class Session;
  Root(Session* session, uint32_t place) : session_(session), place_(place) {}

  Session* session_ = nullptr;
  uint32_t place_ = 0;
};

class Session {
 public:
  class Access;

  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Waits until no other thread has access.
  Access access();

 private:
  friend class Root;
  void drop(uint32_t place) noexcept;
  void take_dropped();
  void compact();

  std::mutex mutex_;
  Graph graph_;
  std::vector<Id> roots_;         // by place; 0 where there is none
  std::vector<uint32_t> vacant_;  // places without a root
  size_t compact_at_ = 4096;      // size of the graph

  // Roots may be dropped by whoever has access, and anywhere else: so dropping takes another lock.
  std::mutex dropped_mutex_;
  std::vector<uint32_t> dropped_;
};

/// Exclusive use of the session's graph, for as long as it lives. One per thread at a time.
class Session::Access {
 public:
  Graph& graph() { return session_->graph_; }
  const Graph& graph() const { return session_->graph_; }
  Id operator[](const Root& root) const { return session_->roots_[root.place()]; }
  Root root(Id id);
  /// Lets the root refer to another node.
  void set(const Root& root, Id id) { set(root.place(), id); }
  void set(uint32_t place, Id id) { session_->roots_[place] = id; }

  /// Node of each live root by its place, 0 where there is none.
  std::span<const Id> roots() const { return session_->roots_; }
  /// In everything below every live root, replaces `from[i]` by `to[i]`.
  void replace(std::span<const Id> from, std::span<const Id> to);

 private:
  friend class Session;
  explicit Access(Session* session) : session_(session), lock_(session->mutex_) {}

  Session* session_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace loom
