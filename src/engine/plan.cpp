#include "engine/plan.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/error.h"
#include "base/log.h"
#include "engine/report.h"
#include "ir/build.h"

namespace loom {
namespace {

class Planner {
 public:
  Planner(const Graph& graph, const Schedule& schedule, uint32_t buffer_count, Device& home)
      : graph_(graph), home_(home) {
    plan_.buffer_count = buffer_count;
    for (const TempBuffer& temp : schedule.temps) add_temp(temp);
  }

  Plan plan(Id linear, KernelCache& kernels) {
    std::vector<KernelRequest> requests;
    std::vector<Plan::Step*> waiting;
    const std::span<const Id> calls = graph_.src(linear);
    plan_.steps.resize(calls.size());
    for (size_t i = 0; i < calls.size(); i++) {
      const Id body = graph_.src(calls[i], 0);
      add_buffers(plan_.steps[i], calls[i]);
      if (graph_.op(body) != Op::kKernel) continue;
      requests.push_back({graph_.src(body, 0), device_of_call(calls[i])});
      waiting.push_back(&plan_.steps[i]);
    }
    const auto compiled = kernels.get(graph_, requests);
    for (size_t i = 0; i < waiting.size(); i++) waiting[i]->kernel = compiled[i];
    for (size_t i = 0; i < calls.size(); i++) bind_variables(plan_.steps[i], calls[i]);
    return std::move(plan_);
  }

 private:
  void add_temp(const TempBuffer& temp) {
    Device* device = device_named(temp.device);
    auto arena = std::ranges::find(plan_.arenas, device, &Plan::Arena::device);
    if (arena == plan_.arenas.end()) arena = plan_.arenas.insert(arena, {device, 0});
    arena->bytes = std::max(arena->bytes, temp.offset + temp.bytes);
    numbers_[temp.slot] = plan_.buffer_count + static_cast<uint32_t>(plan_.temps.size());
    plan_.temps.push_back(
        {static_cast<uint32_t>(arena - plan_.arenas.begin()), temp.offset, temp.bytes});
  }

  void add_buffers(Plan::Step& step, Id call) {
    for (Id argument : graph_.src(call).subspan(1)) {
      if (graph_.op(argument) != Op::kBuffer) continue;
      const int64_t slot = graph_.arg(argument);
      step.buffers.push_back(slot >= kTempSlot ? numbers_.at(slot) : static_cast<uint32_t>(slot));
    }
  }

  // BIND(variable, value) arguments, in the order in which the kernel wants them.
  void bind_variables(Plan::Step& step, Id call) {
    if (step.kernel == nullptr) return;
    std::unordered_map<std::string_view, int64_t> values;
    for (Id argument : graph_.src(call).subspan(1)) {
      if (graph_.op(argument) != Op::kBind) continue;
      values[graph_.text_of(graph_.arg(graph_.src(argument, 0)))] =
          int_value(graph_, graph_.src(argument, 1));
    }
    for (const std::string& name : step.kernel->variables) {
      const auto found = values.find(name);
      require(found != values.end(), "kernel ", step.kernel->name, ": no value for ", name);
      step.variables.push_back(found->second);
    }
  }

  // A kernel runs where its first buffer, which it writes to, lies.
  Device* device_of_call(Id call) const {
    const Id output = graph_.src(call, 1);
    return device_named(graph_.src(output).size() > 1 ? graph_.src(output, 1) : 0);
  }

  Device* device_named(Id device) const {
    return device == 0 ? &home_ : &loom::device(graph_.text_of(graph_.arg(device)));
  }

  const Graph& graph_;
  Device& home_;
  Plan plan_;
  std::unordered_map<int64_t, uint32_t> numbers_;  // of temporaries, by slot
};

}  // namespace

int64_t Plan::size() const {
  int64_t total =
      std::ssize(steps) * int64_t{sizeof(Step)} + std::ssize(temps) * int64_t{sizeof(Temp)};
  for (const Step& step : steps) total += step.kernel ? step.kernel->size : 0;
  return total;
}

Plan make_plan(Graph& graph, Id sink, uint32_t buffer_count, Device& home, KernelCache& kernels) {
  const Schedule scheduled = schedule(graph, sink);
  return Planner(graph, scheduled, buffer_count, home).plan(scheduled.linear, kernels);
}

void* PlanMemory::address(const Plan& plan, uint32_t buffer) const {
  if (buffer < plan.buffer_count) return buffers[buffer]->data();
  const Plan::Temp& temp = plan.temps[buffer - plan.buffer_count];
  return static_cast<std::byte*>(arenas[temp.arena]->data()) + temp.offset;
}

int64_t PlanMemory::bytes(const Plan& plan, uint32_t buffer) const {
  if (buffer < plan.buffer_count) return buffers[buffer]->bytes();
  return plan.temps[buffer - plan.buffer_count].bytes;
}

PlanMemory allocate(const Plan& plan, std::span<const std::shared_ptr<Buffer>> buffers) {
  PlanMemory memory{{buffers.begin(), buffers.end()}, {}};
  for (const Plan::Arena& arena : plan.arenas) {
    memory.arenas.push_back(std::make_shared<Buffer>(*arena.device, arena.bytes));
  }
  return memory;
}

void run(const Plan& plan, const PlanMemory& memory) {
  RunReport report;
  std::vector<void*> addresses;
  for (const Plan::Step& step : plan.steps) {
    addresses.clear();
    for (uint32_t buffer : step.buffers) addresses.push_back(memory.address(plan, buffer));
    const LaunchTimer timer(report, step.kernel.get());
    if (step.kernel != nullptr) {
      step.kernel->program->launch(addresses, step.variables, step.kernel->dims);
    } else {
      std::memcpy(addresses[0], addresses[1], memory.bytes(plan, step.buffers[1]));
    }
  }
}

}  // namespace loom
