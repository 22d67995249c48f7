// Records what a thread runs, so that it can be run again.
#pragma once
#include <memory>
#include <shared_mutex>
#include <span>
#include <vector>

#include "engine/plan.h"

namespace loom {

/// A run of a plan on the memory it had. The memory lives as long as somebody holds the record.
struct RecordedRun {
  std::shared_ptr<const Plan> plan;
  PlanMemory memory;
};

/// As long as it lives, the runs of its thread are recorded, and no other thread runs anything:
/// what another one computed meanwhile would be missing in the record. One per thread at a time.
class Capture {
 public:
  /// The content of the input slots is to change from one replay to the next.
  explicit Capture(std::vector<int64_t> input_slots);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// The one that records this thread's runs, or null.
  static Capture* current();
  void record(std::shared_ptr<const Plan> plan, const PlanMemory& memory);

  /// The root at that place was assigned to by this thread.
  void note_assignment(uint32_t place) { assigned_.push_back(place); }
  std::span<const uint32_t> assigned() const { return assigned_; }

  /// Memory with a smaller slot existed before.
  int64_t first_slot() const { return first_slot_; }
  std::span<const RecordedRun> runs() const { return runs_; }
  /// Whether the memory of the slot holds the same in every replay, so that it may be looked at.
  bool is_fixed(int64_t slot) const;

 private:
  std::unique_lock<std::shared_mutex> lock_;
  int64_t first_slot_;
  std::vector<int64_t> input_slots_;
  std::vector<RecordedRun> runs_;
  std::vector<uint32_t> assigned_;
};

}  // namespace loom
