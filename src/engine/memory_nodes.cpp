#include "engine/memory_nodes.h"

#include <unordered_map>

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

std::vector<Id> assigned_memory(const Graph& graph, std::span<const Id> afters) {
  std::unordered_map<Id, Id> known;
  std::vector<Id> result;
  for (Id after : afters) {
    const Id before = graph.src(after, 0);
    const auto found = known.find(before);
    const Id memory = found == known.end() ? before : found->second;
    require(realized_buffer(graph, memory) != 0, "an assignment to something that is no memory");
    known[after] = memory;
    result.push_back(memory);
  }
  return result;
}

Id uniform_constant(const Graph& graph, Id id) {
  while (is_view(graph.op(id)) && graph.op(id) != Op::kPad) id = graph.src(id, 0);
  return graph.op(id) == Op::kConst ? id : 0;
}

std::vector<Id> postorder(const Graph& graph, std::span<const Id> roots) {
  struct Visit {
    Id id;
    size_t next;  // source to go to
  };
  std::vector<bool> is_entered(graph.size());
  std::vector<Id> order;
  std::vector<Visit> path;
  const auto enter = [&](Id id) {
    if (!is_entered[id]) path.push_back({id, 0});
    is_entered[id] = true;
  };
  for (Id root : roots) {
    enter(root);
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::span<const Id> src = graph.src(visit.id);
      if (visit.next < src.size()) {
        enter(src[visit.next++]);
      } else {
        order.push_back(visit.id);
        path.pop_back();
      }
    }
  }
  return order;
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
