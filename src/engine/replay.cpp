#include "engine/replay.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "engine/report.h"

namespace loom {
namespace {

void* address_of(const CapturedProgram::Memory& memory) {
  return static_cast<std::byte*>(memory.buffer->data()) + memory.offset;
}

void launch(const CompiledKernel* kernel, std::span<void* const> addresses,
            std::span<const int64_t> variables, int64_t copy_bytes) {
  if (kernel != nullptr)
    kernel->program->launch(addresses, variables, kernel->dims);
  else
    std::memcpy(addresses[0], addresses[1], static_cast<size_t>(copy_bytes));
}

// Marks the launches that take part in every replay, to a fixed point: what touches changing memory
// must run, and what it writes changes.
std::vector<bool> find_changing(const CapturedProgram& program, std::vector<bool>& changing) {
  std::vector<bool> kept(program.launches.size());
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t i = 0; i < kept.size(); i++) {
      const CapturedLaunch& launch = program.launches[i];
      if (kept[i] ||
          std::ranges::none_of(launch.buffers, [&](uint32_t b) { return changing[b]; })) {
        continue;
      }
      kept[i] = grew = true;
      for (size_t k = 0; k < launch.buffers.size(); k++) {
        if (launch.writes(k)) changing[launch.buffers[k]] = true;
      }
    }
  }
  return kept;
}

}  // namespace

CapturedProgram::CapturedProgram(const Capture& capture) {
  for (const RecordedRun& run : capture.runs()) {
    std::vector<uint32_t> numbers(run.plan->buffer_count + run.plan->temps.size(), UINT32_MAX);
    for (const Plan::Step& step : run.plan->steps) {
      CapturedLaunch launch{step.kernel, {}, step.variables};
      for (size_t k = 0; k < step.buffers.size(); k++) {
        launch.buffers.push_back(number(run, step.buffers[k], numbers));
        if (launch.writes(k)) memory[launch.buffers[k]].is_written = true;
      }
      launches.push_back(std::move(launch));
    }
  }
}

uint32_t CapturedProgram::number(const RecordedRun& run, uint32_t buffer,
                                 std::vector<uint32_t>& numbers) {
  uint32_t& known = numbers[buffer];
  if (known != UINT32_MAX) return known;
  known = static_cast<uint32_t>(memory.size());
  if (buffer < run.plan->buffer_count) {
    const std::shared_ptr<Buffer>& own = run.memory.buffers[buffer];
    const auto [entry, is_new] = numbers_.try_emplace(own.get(), known);
    known = entry->second;
    if (is_new) memory.push_back({own, 0, own->bytes()});
  } else {
    const Plan::Temp& temp = run.plan->temps[buffer - run.plan->buffer_count];
    memory.push_back({run.memory.arenas[temp.arena], temp.offset, temp.bytes, true});
  }
  return known;
}

uint32_t CapturedProgram::number_of(const Buffer* buffer) const {
  const auto found = numbers_.find(buffer);
  return found == numbers_.end() ? UINT32_MAX : found->second;
}

void prune(CapturedProgram& program, std::vector<bool> changing) {
  const std::vector<bool> kept = find_changing(program, changing);
  std::vector<CapturedLaunch> remaining;
  for (size_t i = 0; i < kept.size(); i++) {
    CapturedLaunch& fixed = program.launches[i];
    if (kept[i]) {
      remaining.push_back(std::move(fixed));
      continue;
    }
    std::vector<void*> addresses;
    for (uint32_t b : fixed.buffers) {
      CapturedProgram::Memory& memory = program.memory[b];
      if (memory.is_temporary) {
        memory = {std::make_shared<Buffer>(memory.buffer->device(), memory.bytes), 0, memory.bytes};
      }
      addresses.push_back(address_of(memory));
    }
    launch(fixed.kernel.get(), addresses, fixed.variables, program.memory[fixed.buffers[0]].bytes);
  }
  program.launches = std::move(remaining);
}

Replay::Replay(const CapturedProgram& program, std::span<const std::shared_ptr<Buffer>> inputs,
               std::span<const std::shared_ptr<Buffer>> outputs) {
  const auto position = [](std::span<const std::shared_ptr<Buffer>> list,
                           const CapturedProgram::Memory& memory) {
    return static_cast<size_t>(std::ranges::find(list, memory.buffer) - list.begin());
  };
  for (const CapturedLaunch& launch : program.launches) {
    launches_.push_back({launch.kernel, addresses_.size(), launch.buffers.size(), variables_.size(),
                         launch.variables.size(), program.memory[launch.buffers[0]].bytes});
    variables_.insert(variables_.end(), launch.variables.begin(), launch.variables.end());
    for (uint32_t b : launch.buffers) {
      const CapturedProgram::Memory& memory = program.memory[b];
      const size_t input = position(inputs, memory), output = position(outputs, memory);
      const bool is_patched = input < inputs.size() || output < outputs.size();
      if (input < inputs.size())
        input_patches_.push_back({addresses_.size(), input});
      else if (output < outputs.size())
        output_patches_.push_back({addresses_.size(), output});
      addresses_.push_back(is_patched ? nullptr : address_of(memory));
      if (!is_patched) kept_.push_back(memory.buffer);
    }
  }
  std::ranges::sort(kept_);
  kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
}

void Replay::run(std::span<void* const> inputs, std::span<void* const> outputs) {
  for (const Patch& patch : input_patches_) addresses_[patch.address] = inputs[patch.argument];
  for (const Patch& patch : output_patches_) addresses_[patch.address] = outputs[patch.argument];
  RunReport report;
  for (const Launch& step : launches_) {
    const LaunchTimer timer(report, step.kernel.get());
    launch(step.kernel.get(), {&addresses_[step.first_address], step.address_count},
           {variables_.data() + step.first_variable, step.variable_count}, step.copy_bytes);
  }
}

}  // namespace loom
