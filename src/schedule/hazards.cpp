#include "schedule/hazards.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "schedule/dependencies.h"

namespace loom {
namespace {

/// Does the kernel read the memory that it stores into, anywhere but in the element being stored?
bool overlaps(const Graph& g, const std::vector<Facts>& facts, const Fusion& fusion,
              const Kernel& kernel, std::span<const uint32_t> reads) {
  const Output& output = kernel.outputs.front();
  return std::ranges::any_of(reads, [&](uint32_t read) {
    const Instance& instance = fusion.instances[read];
    const Id version = version_read(g, instance);
    return version < facts.size() && facts[version].memory == output.buffer &&
           place_of(g, instance.place).index != output.offset.index;
  });
}

/// The kernel stores into a temporary instead; a new kernel copies that to the old target.
void store_through_temporary(Graph& g, Indexer& indexer, Fusion& fusion, uint32_t k) {
  const Id node = fusion.kernels[k].node;
  const std::vector<Id> shape(g.shape(node).begin(), g.shape(node).end());
  Place place;
  Kernel copy = loop_over(g, shape, place.index);
  Kernel& kernel = fusion.kernels[k];
  copy.node = node, copy.device = kernel.device;
  copy.effect = std::exchange(kernel.effect, 0);
  const Id buffer = temporary(g, fusion, g.dtype(node), element_count(g, shape), kernel.device);
  const auto copy_number = static_cast<uint32_t>(fusion.kernels.size());
  const auto loaded = static_cast<uint32_t>(fusion.instances.size());
  fusion.instances.push_back(
      {.node = node, .kernel = copy_number, .place = intern(g, place), .buffer = buffer});
  fusion.order.push_back(loaded);
  copy.outputs.push_back(kernel.outputs.front());
  copy.outputs.front().value = loaded;
  kernel.outputs.front().buffer = buffer, kernel.outputs.front().version = 0;
  kernel.outputs.front().offset = {{indexer.flatten(place.index, shape)}, 0};
  fusion.writer[buffer] = k;
  fusion.writer[copy.effect] = copy_number;
  fusion.kernels.push_back(std::move(copy));
}

}  // namespace

void separate_overlapping_stores(Graph& g, const std::vector<Facts>& facts, Indexer& indexer,
                                 Fusion& fusion) {
  const std::vector<std::vector<uint32_t>> reads = memory_reads(g, fusion);
  for (uint32_t k = 0; k < reads.size(); k++) {
    const Kernel& kernel = fusion.kernels[k];
    if (kernel.effect == 0 || kernel.outputs.empty()) continue;
    if (overlaps(g, facts, fusion, kernel, reads[k]))
      store_through_temporary(g, indexer, fusion, k);
  }
}

}  // namespace loom
