#include "schedule/dependencies.h"

namespace loom {

Id version_read(const Graph& g, const Instance& instance) {
  if (instance.buffer != 0) return instance.buffer;
  const Op op = g.op(instance.node);
  return op == Op::kBuffer || op == Op::kAfter ? instance.node : 0;
}

std::vector<std::vector<uint32_t>> memory_reads(const Graph& g, const Fusion& fusion) {
  std::vector<std::vector<uint32_t>> reads(fusion.kernels.size());
  for (uint32_t i = 0; i < fusion.instances.size(); i++) {
    const Instance& instance = fusion.instances[i];
    if (!instance.forwarded && version_read(g, instance) != 0) reads[instance.kernel].push_back(i);
  }
  return reads;
}

void append_writers(const Graph& g, const Fusion& fusion, Id version,
                    std::vector<uint32_t>& kernels) {
  const auto append = [&](Id written) {
    if (const auto found = fusion.writer.find(written); found != fusion.writer.end()) {
      kernels.push_back(found->second);
    }
  };
  if (g.op(version) == Op::kBuffer) return append(version);
  for (const Id effect : g.src(version).subspan(1)) append(effect);
}

std::vector<bool> contested_memory(const Graph& g, const Fusion& fusion,
                                   const std::vector<Facts>& facts) {
  std::vector<bool> stored(g.size()), contested(g.size());
  for (const Kernel& kernel : fusion.kernels) {
    for (const Output& output : kernel.outputs) {
      if (output.version == 0) continue;
      if (stored[output.buffer]) contested[output.buffer] = true;
      stored[output.buffer] = true;
    }
  }
  const auto note_read = [&](Id version) {
    if (version == 0 || version >= facts.size()) return;
    const Id memory = facts[version].memory;
    if (stored[memory]) contested[memory] = true;
  };
  for (const Instance& instance : fusion.instances) note_read(version_read(g, instance));
  for (const Kernel& kernel : fusion.kernels) note_read(kernel.copy_from);
  return contested;
}

}  // namespace loom
