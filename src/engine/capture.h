// Records what a thread runs, so that it can be run again.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/plan.h"

namespace loom {

/// A run of a plan on the memory it had. The memory lives as long as somebody holds the record.
struct RecordedRun {
  std::shared_ptr<const Plan> plan;
  PlanMemory memory;
};

/// As long as it lives, the runs of its thread are recorded. One per thread at a time.
class Capture {
 public:
  /// Memory with a slot below `first_slot` existed before; the input slots are to change.
  Capture(int64_t first_slot, std::vector<int64_t> input_slots);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// The one that records this thread's runs, or null.
  static Capture* current();
  void record(std::shared_ptr<const Plan> plan, const PlanMemory& memory);

  int64_t first_slot() const { return first_slot_; }
  std::span<const RecordedRun> runs() const { return runs_; }
  /// Whether the memory of the slot holds the same in every replay, so that it may be looked at.
  bool is_fixed(int64_t slot) const;

 private:
  int64_t first_slot_;
  std::vector<int64_t> input_slots_;
  std::vector<RecordedRun> runs_;
};

}  // namespace loom
