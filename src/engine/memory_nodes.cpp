#include "engine/memory_nodes.h"

#include "base/error.h"

namespace loom {

Id below_reshapes(const Graph& graph, Id id) {
  while (graph.op(id) == Op::kReshape) id = graph.src(id, 0);
  return id;
}

Id realized_buffer(const Graph& graph, Id id) {
  id = below_reshapes(graph, id);
  return graph.op(id) == Op::kBuffer ? id : 0;
}

Id own_buffer(const Graph& graph, Id id) {
  while (graph.op(id) == Op::kReshape || graph.op(id) == Op::kAfter) id = graph.src(id, 0);
  return graph.op(id) == Op::kBuffer ? id : 0;
}

Id assigned_buffer(const Graph& graph, Id after) {
  const Id buffer = own_buffer(graph, after);
  require(buffer != 0, "an assignment to something that is no buffer");
  return buffer;
}

Id uniform_constant(const Graph& graph, Id id) {
  while (is_view(graph.op(id)) && graph.op(id) != Op::kPad) id = graph.src(id, 0);
  return graph.op(id) == Op::kConst ? id : 0;
}

std::vector<Id> buffers_in_order(const Graph& graph, std::span<const Id> roots) {
  std::vector<bool> seen(graph.size());
  std::vector<Id> buffers, waiting(roots.rbegin(), roots.rend());
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    if (graph.op(id) == Op::kBuffer) buffers.push_back(id);
    const std::span<const Id> src = graph.src(id);
    waiting.insert(waiting.end(), src.rbegin(), src.rend());
  }
  return buffers;
}

std::vector<Id> device_of_nodes(const Graph& graph, std::span<const Id> ascending) {
  std::vector<Id> devices(ascending.empty() ? 0 : ascending.back() + 1);
  for (Id id : ascending) {
    const std::span<const Id> src = graph.src(id);
    if (graph.op(id) == Op::kBuffer || graph.op(id) == Op::kCopy) devices[id] = src[1];
    for (size_t k = 0; k < src.size() && devices[id] == 0; k++) devices[id] = devices[src[k]];
  }
  return devices;
}

}  // namespace loom
