// One call of realize, from the roots to the buffers that take their place.
#pragma once
#include <unordered_set>

#include "engine/engine.h"

namespace loom {

class Realization {
 public:
  explicit Realization(Engine& engine) : engine_(engine) {}

  /// Decides what is to be computed: the targets, the assignments below them and, where these or
  /// the caller overwrite memory (`slots`), every other live value that still needs its content.
  void collect(Session::Access& access, std::span<const RealizeTarget> targets,
               std::span<const int64_t> slots = {});
  bool has_effects() const { return !effects_.empty(); }
  bool is_empty() const { return targets_.empty() && effects_.empty(); }

  /// Copies what is to be computed into a program of its own.
  void import(Session::Access& access);
  TensorProgram release() { return std::move(program_); }

  void run();
  /// Size of the memory that the results are in.
  int64_t new_bytes() const;
  /// Puts the results in the place of the expressions, in everything that is alive.
  void commit(Session::Access& access);

 private:
  struct Target {
    Id id = 0;                 // of the expression, during collect
    uint32_t place = 0;        // of the root that is to own the memory
    Device* home = nullptr;    // when the graph names no device
    bool moves_alone = false;  // and not all else that has the same expression below it
    Root expression = {};      // from then on
    std::shared_ptr<Buffer> buffer = nullptr;
    DType dtype = {};
    std::vector<int64_t> shape = {};
  };
  // The last executed assignment to each slot, and all slots that lose their content.
  struct Overwritten {
    std::unordered_set<Id> last;
    std::unordered_set<int64_t> slots;
  };

  void add_target(const Session::Access& access, const RealizeTarget& target);
  void find_effects(Session::Access& access);
  Overwritten overwritten(const Graph& graph, std::span<const int64_t> slots) const;
  void add_readers(Session::Access& access, const Overwritten& lost);
  void add_reader(Session::Access& access, uint32_t place, const Overwritten& lost);
  std::vector<Id> copy_nodes(const Graph& from, std::span<const Id> roots);
  void add_stores(const Graph& from, std::span<const Id> roots, std::span<Device* const> homes);
  Id store_target(Target& target, Id value, Device& device);

  Engine& engine_;
  std::vector<Target> targets_;
  std::vector<Id> waiting_;      // assigned roots: nothing to store, but the effects below them
  std::unordered_set<Id> seen_;  // among targets_ and waiting_
  std::vector<Id> effect_ids_;   // AFTER nodes below, ascending
  std::vector<Root> effects_;    // the same, from the end of collect on
  TensorProgram program_;
  Device* home_ = nullptr;  // of the first thing to be computed
};

}  // namespace loom
