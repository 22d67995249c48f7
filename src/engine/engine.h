// The engine: everything that lives as long as the process and is shared by all threads. The graph
// of live tensors, the memory behind it, compiled kernels and plans.
//
// Realizing takes three steps: under the session's lock, what the tensors need is copied into a
// private graph; without it, that graph is scheduled, compiled and run; under it again, the tensors
// become the content of buffers and let go of their history. Runs that assign to memory that
// others may be reading have the memory for themselves.
#pragma once
#include <atomic>
#include <shared_mutex>

#include "engine/buffer_table.h"
#include "engine/plan.h"
#include "ir/session.h"
#include "loom/function_ref.h"

namespace loom {

/// A root to realize, by its place in the session; `home` is where to when its graph does not tell,
/// null for the default device.
struct RealizeTarget {
  uint32_t place = 0;
  Device* home = nullptr;
};

struct Memory {
  std::shared_ptr<Buffer> buffer;
  int64_t slot = 0;
};

/// SINK in tensor form in a graph of its own, and its buffers by slot: first those that exist,
/// then the results, those that were asked for before those that somebody else still needs.
struct TensorProgram {
  Graph graph = Graph();
  Id sink = 0;
  std::vector<std::shared_ptr<Buffer>> buffers = {};
  size_t existing = 0;
};

class Realization;

class Engine {
 public:
  Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Session::Access access() { return session_.access(); }
  BufferTable& buffers() { return buffers_; }
  KernelCache& kernels() { return kernels_; }

  /// The device of that name; "" is the default of the settings.
  Device& device(std::string_view name) const;
  /// A root for memory, which it owns.
  Root add_buffer(std::shared_ptr<Buffer> buffer, DType dtype, std::span<const int64_t> shape);
  /// RESHAPE(BUFFER, dimensions) for memory, owned by the root at `owner`.
  Id buffer_node(Session::Access& access, std::shared_ptr<Buffer> buffer, DType dtype,
                 std::span<const int64_t> shape, uint32_t owner);
  /// Computes the roots' values; those that are realized or constants stay as they are.
  void realize(std::span<const RealizeTarget> targets);
  /// Computes all roots that have assignments pending; in a capture, those that it made.
  void realize_assigned();
  /// To be called for every assignment, with the place of the root, so that those who look for
  /// assignments need not look in vain.
  void note_assignment(uint32_t place);

  /// The right to run on memory that exists and to write what is one's own; or to overwrite memory.
  /// A thread that captures has both.
  std::shared_lock<std::shared_mutex> share_memory();
  std::unique_lock<std::shared_mutex> own_memory();
  /// What realizing would schedule.
  TensorProgram export_program(std::span<const RealizeTarget> targets);
  /// The plan for a graph of tensors, made when there is none yet.
  std::shared_ptr<const Plan> plan_of(Graph& graph, Id sink, uint32_t buffer_count, Device& home);
  /// The memory that the root's value lies in; null, with slot 0, when it is not realized.
  Memory memory_of(const Root& root);

  /// What the next memory's slot will be, and the memory with smaller ones.
  int64_t next_slot();
  std::vector<std::pair<const Buffer*, int64_t>> slots_before(int64_t slot);

  /// Runs `launch` while no other thread reads or writes tensor memory, after every other tensor
  /// that still needs the content of the slots was computed.
  void overwrite(std::span<const int64_t> slots, function_ref<void()> launch);
  /// Runs `launch` while no other thread overwrites tensor memory.
  void read_memory(function_ref<void()> launch);

 private:
  std::vector<RealizeTarget> assigned_roots();
  bool realize_without_effects(std::span<const RealizeTarget> targets);
  void finish(Realization& realization);
  void collect_garbage(Session::Access& access, int64_t new_bytes);

  struct PlanHash {
    size_t operator()(const StructuralHash& hash) const { return hash.lo; }
  };

  Session session_;
  BufferTable buffers_;       // under the session's lock
  int64_t garbage_debt_ = 0;  // too
  KernelCache kernels_;
  std::mutex plans_mutex_;
  LruCache<StructuralHash, std::shared_ptr<const Plan>, PlanHash> plans_{int64_t{16} << 20};
  std::mutex assigned_mutex_;
  std::atomic<bool> has_assignments_ = false;
  std::shared_mutex memory_;  // shared by runs that only read what exists and write what is theirs
};

/// The process's engine. It is never destroyed, because tensors in static variables may outlive it.
Engine& engine();

}  // namespace loom
