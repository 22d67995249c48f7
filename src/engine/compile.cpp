#include "engine/compile.h"

#include "base/error.h"
#include "base/log.h"
#include "codegen/render/render.h"
#include "engine/interp.h"
#include "ir/text.h"

namespace loom {
namespace {

// Which PARAM slots a kernel loads from and stores to.
void note_accesses(const Graph& graph, Id sink, CompiledKernel& kernel) {
  const auto slot_of = [&](Id index) {
    return static_cast<size_t>(graph.arg(graph.src(index, 0)));
  };
  const auto note = [](std::vector<bool>& slots, size_t slot) {
    if (slots.size() <= slot) slots.resize(slot + 1);
    slots[slot] = true;
  };
  std::vector<bool> is_target(sink + 1), is_read(sink + 1);
  const std::vector<Id> live = reachable(graph, sink);
  for (Id id : live) {
    const std::span<const Id> src = graph.src(id);
    for (size_t k = 0; k < src.size(); k++) {
      if (graph.op(src[k]) != Op::kIndex) continue;
      (graph.op(id) == Op::kStore && k == 0 ? is_target : is_read)[src[k]] = true;
    }
  }
  for (Id id : live) {
    if (graph.op(id) != Op::kIndex || graph.op(graph.src(id, 0)) != Op::kParam) continue;
    if (is_target[id]) note(kernel.writes, slot_of(id));
    if (is_read[id]) note(kernel.reads, slot_of(id));
  }
}

void describe_kernel(const LoweredKernel& lowered, Device& device, std::string_view source) {
  const int level = debug_level();
  if (level >= 3) {
    std::string opts;
    for (const Opt& opt : lowered.opts) opts += " " + name(opt);
    const std::string& title = use_color(stderr) ? lowered.painted_name : lowered.name;
    log_line(str(device.name(), " ", title, " opts:", opts.empty() ? " none" : opts));
  }
  if (level >= 5) log_line(print(lowered.graph, lowered.linear));
  if (level >= 4 && !source.empty()) log_line(source);
}

}  // namespace

std::shared_ptr<const CompiledKernel> compile_kernel(const Graph& graph, Id sink, Device& device) {
  auto kernel = std::make_shared<CompiledKernel>();
  LoweredKernel lowered = lower_kernel(graph, sink, device.target());
  const bool is_interpreted = device.language().empty();
  const std::string source = is_interpreted ? "" : render_llvm(lowered, device.target());
  describe_kernel(lowered, device, source);
  if (is_interpreted) {
    kernel->program = make_interpreted(lowered);
    kernel->size = static_cast<int64_t>(lowered.graph.bytes());
  } else {
    const std::vector<uint8_t> binary = device.compile(source, lowered.name);
    kernel->program = device.load(binary, lowered.name);
    kernel->size = std::ssize(binary);
  }
  kernel->dims.threads = lowered.threads;
  std::copy(lowered.global, lowered.global + 3, kernel->dims.global);
  std::copy(lowered.local, lowered.local + 3, kernel->dims.local);
  kernel->reads.resize(lowered.param_count);
  kernel->writes.resize(lowered.param_count);
  note_accesses(graph, sink, *kernel);
  kernel->flops = lowered.flops;
  kernel->bytes = lowered.bytes;
  kernel->name = std::move(lowered.name);
  kernel->opts = std::move(lowered.opts);
  kernel->variables = std::move(lowered.variables);
  return kernel;
}

}  // namespace loom
