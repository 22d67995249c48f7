#include "engine/capture.h"

#include <algorithm>

#include "base/error.h"
#include "engine/engine.h"

namespace loom {
namespace {

thread_local Capture* active = nullptr;

}  // namespace

Capture::Capture(std::vector<int64_t> input_slots)
    : lock_(engine().own_memory()),
      first_slot_(engine().next_slot()),
      input_slots_(std::move(input_slots)) {
  require(active == nullptr, "a capture inside a capture");
  active = this;
}

Capture::~Capture() { active = nullptr; }

Capture* Capture::current() { return active; }

void Capture::record(std::shared_ptr<const Plan> plan, const PlanMemory& memory) {
  runs_.push_back({std::move(plan), memory});
}

bool Capture::is_fixed(int64_t slot) const {
  return slot < first_slot_ && std::ranges::find(input_slots_, slot) == input_slots_.end();
}

}  // namespace loom
