#include "schedule/emit.h"

#include <algorithm>

#include "ir/build.h"

namespace loom {

Emitter::Emitter(const Graph& graph, const std::vector<Facts>& node_facts, const Fusion& all,
                 std::span<const Id> instance_values)
    : g(graph),
      facts(node_facts),
      fusion(all),
      values(instance_values),
      copies(graph.size()),
      stamps(graph.size()) {}

EmittedKernel Emitter::emit(const Kernel& kernel) {
  out = EmittedKernel{};
  slots.clear();
  stamp++;
  std::vector<Id> loops, stores;
  for (const Id loop : kernel.loops) loops.push_back(copy(loop));
  for (const Output& output : kernel.outputs) parameter(output.buffer);
  for (const Output& output : kernel.outputs) {
    const Id offset = copy(output.offset.index[0]);
    const Id value = copy(values[output.value]);
    stores.push_back(store(out.graph, index(out.graph, parameter(output.buffer), offset), value));
  }
  const Id effect = stores.size() == 1 ? stores[0] : out.graph.add(Op::kGroup, kVoid, stores);
  loops.insert(loops.begin(), effect);
  out.sink = out.graph.add(Op::kSink, kVoid, {out.graph.add(Op::kEnd, kVoid, loops)});
  return std::move(out);
}

/// Copies what is below `root`, sources first, without recursion.
Id Emitter::copy(Id root) {
  const size_t base = stack.size();
  stack.push_back(root);
  while (stack.size() > base) {
    const Id id = stack.back();
    if (done(id) == 0) {
      if (push_missing(id)) continue;
      copies[id] = copy_one(id);
      stamps[id] = stamp;
    }
    stack.pop_back();
  }
  return copies[root];
}

Id Emitter::done(Id id) const { return stamps[id] == stamp ? copies[id] : 0; }

/// The value behind a gathered index, bare or as its MOD by the size of the axis; 0 for other
/// nodes.
Id Emitter::placeholder_value(Id id) const {
  const bool is_modulo = g.op(id) == Op::kMod;
  const Id inner = is_modulo ? g.src(id, 0) : id;
  if (g.op(inner) != Op::kCustom) return 0;
  const GatheredIndex& gathered = fusion.gathered.at(g.arg(inner));
  return is_modulo && g.src(id, 1) != gathered.size ? 0 : values[gathered.instance];
}

/// Pushes the sources that have not been copied yet; false when there are none.
bool Emitter::push_missing(Id id) {
  const size_t before = stack.size();
  const auto need = [&](Id source) {
    if (done(source) == 0) stack.push_back(source);
  };
  if (const Id value = placeholder_value(id)) {
    need(value);
  } else if (g.op(id) == Op::kBind) {
    need(g.src(id, 0));
  } else {
    const bool is_index = g.op(id) == Op::kIndex;
    for (const Id source : g.src(id).subspan(is_index)) need(source);
  }
  return stack.size() != before;
}

Id Emitter::copy_one(Id id) {
  if (const Id value = placeholder_value(id)) return cast(out.graph, copies[value], kIndex);
  if (g.op(id) == Op::kBind) {
    const Id variable = copies[g.src(id, 0)];
    out.bindings.push_back({id, variable});
    return variable;
  }
  std::vector<Id> src;
  for (const Id source : g.src(id)) src.push_back(done(source));
  if (g.op(id) == Op::kIndex) src[0] = parameter(g.src(id, 0));
  return copy_node(out.graph, g, id, src);
}

/// The PARAM for the buffer behind a version; outputs were asked for first and have the first
/// slots.
Id Emitter::parameter(Id version) {
  const Id buffer = g.op(version) == Op::kAfter ? facts[version].memory : version;
  const auto [entry, is_new] = slots.try_emplace(buffer, static_cast<int64_t>(out.buffers.size()));
  if (is_new) out.buffers.push_back(buffer);
  const Id size = copy(g.src(buffer, 0));
  return out.graph.add(Op::kParam, g.dtype(buffer), {size}, entry->second);
}

}  // namespace loom
