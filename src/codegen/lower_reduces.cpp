#include "codegen/lower_reduces.h"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/kernel.h"
#include "codegen/separate_reduces.h"
#include "ir/build.h"

namespace loom {
namespace {

Id group(Graph& g, const std::vector<Id>& effects) {
  return effects.size() == 1 ? effects[0] : g.add(Op::kGroup, kVoid, effects);
}

/// `x` once the effects have happened.
Id after(Graph& g, Id x, std::span<const Id> effects) {
  if (effects.empty()) return x;
  std::vector<Id> src{x};
  src.insert(src.end(), effects.begin(), effects.end());
  return g.add(Op::kAfter, g.dtype(x), src);
}

Id first_element(Graph& g, Id reg) { return index(g, reg, index_const(g, 0)); }

// --- REDUCE ---

class ReduceLowering {
 public:
  ReduceLowering(Graph& g, Id sink, const Target& target)
      : g_(g), sink_(sink), target_(target), copies_(sink + 1) {}

  /// Level by level: first the loops of the REDUCEs that have become possible, then what uses them.
  Id run() {
    for (const std::vector<Id>& level : nodes_by_level()) {
      lower_loops(level);
      for (Id id : level) {
        if (g_.op(id) != Op::kReduce) copy(id);
      }
    }
    return copies_[sink_];
  }

 private:
  std::vector<std::vector<Id>> nodes_by_level() const {
    const std::vector<int> levels = reduce_levels(g_, sink_);
    std::vector<std::vector<Id>> by_level(levels[sink_] + 1);
    for (Id id : reachable(g_, sink_)) by_level[levels[id]].push_back(id);
    return by_level;
  }

  void copy(Id id) {
    std::vector<Id> src;
    for (Id source : g_.src(id)) src.push_back(copies_[source]);
    copies_[id] = with_sources(g_, id, src);
  }

  void lower_loops(const std::vector<Id>& level) {
    using Ranges = std::vector<Id>;
    std::map<std::pair<Ranges, Ranges>, std::vector<Id>> loops;  // by closed and outer ranges
    for (Id id : level) {
      if (g_.op(id) != Op::kReduce) continue;
      const std::span<const Id> closed = g_.src(id).subspan(1), outer = g_.ranges(id);
      loops[{{closed.begin(), closed.end()}, {outer.begin(), outer.end()}}].push_back(id);
    }
    for (const auto& [ranges, reduces] : loops) lower_loop(ranges.first, reduces);
  }

  /// One loop with an accumulator for each REDUCE.
  void lower_loop(const std::vector<Id>& closed, const std::vector<Id>& reduces) {
    std::vector<Id> registers, updates;
    for (Id id : reduces) {
      registers.push_back(
          g_.add(Op::kDefineReg, g_.dtype(id), {index_const(g_, 1)}, next_register_++));
      updates.push_back(update(id, registers.back(), closed));
    }
    Id loop = group(g_, updates);
    std::vector<Id> inwards = closed;
    sort_by_nesting(g_, inwards);
    for (; !inwards.empty(); inwards.pop_back())
      loop = g_.add(Op::kEnd, kVoid, {loop, inwards.back()});
    for (size_t k = 0; k < reduces.size(); k++) {
      copies_[reduces[k]] =
          load(g_, first_element(g_, after(g_, registers[k], std::span(&loop, 1))));
    }
  }

  Id update(Id reduce, Id reg, const std::vector<Id>& closed) {
    const std::vector<Id> outer(g_.ranges(reduce).begin(), g_.ranges(reduce).end());
    const Id identity = identity_element(g_, reduce_op(g_, reduce), g_.dtype(reduce));
    std::vector<Id> waits{store(g_, first_element(g_, after(g_, reg, outer)), identity)};
    waits.insert(waits.end(), closed.begin(), closed.end());
    const Id place = first_element(g_, after(g_, reg, waits));
    const Id value = copies_[g_.src(reduce, 0)];
    return store(g_, place, combine(reduce_op(g_, reduce), load(g_, place), value));
  }

  Id combine(Op op, Id sum, Id value) {
    if (op == Op::kAdd && target_.has_fma && g_.dtype(value).is_float()) {
      const std::vector<Id> products = products_of(value);
      for (Id product : products) sum = muladd(g_, g_.src(product, 0), g_.src(product, 1), sum);
      if (!products.empty()) return sum;
    }
    return binary(g_, op, sum, value);
  }

  /// The terms of a sum, first one first, when all of them are products; otherwise none.
  std::vector<Id> products_of(Id value) const {
    std::vector<Id> products;
    for (; g_.op(value) == Op::kAdd && g_.op(g_.src(value, 1)) == Op::kMul;
         value = g_.src(value, 0)) {
      products.push_back(g_.src(value, 1));
    }
    if (g_.op(value) != Op::kMul) return {};
    products.push_back(value);
    std::ranges::reverse(products);
    return products;
  }

  Graph& g_;
  Id sink_;
  const Target& target_;
  std::vector<Id> copies_;
  int64_t next_register_ = 0;
};

// --- Stores ---

/// The STOREs of a kernel, once its ENDs and GROUPs are taken off.
std::vector<Id> stores_of(const Graph& g, Id sink) {
  std::vector<Id> stores, pending{sink};
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    const std::span<const Id> src = g.src(id);
    switch (g.op(id)) {
      case Op::kEnd: pending.push_back(src[0]); break;
      case Op::kSink:
      case Op::kGroup: pending.insert(pending.end(), src.rbegin(), src.rend()); break;
      default: stores.push_back(id);
    }
  }
  return stores;
}

/// LOADs of each PARAM.
std::map<Id, std::vector<Id>> loads_by_buffer(const Graph& g, Id sink) {
  std::map<Id, std::vector<Id>> loads;
  for (Id id : reachable(g, sink)) {
    if (g.op(id) != Op::kLoad) continue;
    const Id buffer = g.src(g.src(id, 0), 0);
    if (g.op(buffer) == Op::kParam) loads[buffer].push_back(id);
  }
  return loads;
}

/// `store`, made to wait for those of `loads` that run where it runs.
Id store_after(Graph& g, Id store, const std::vector<Id>& loads) {
  const std::vector<Id> open(g.ranges(store).begin(), g.ranges(store).end());
  std::vector<Id> waits;
  for (Id id : loads) {
    if (std::ranges::includes(open, g.ranges(id))) waits.push_back(id);
  }
  const std::span<const Id> address = g.src(g.src(store, 0));
  const Id offset = address[1], gate = address.size() == 3 ? address[2] : 0,
           value = g.src(store, 1);
  return loom::store(g, index(g, after(g, address[0], waits), offset, gate), value);
}

/// Closes the loops around the stores, the innermost first; stores that need the same range share
/// its loop.
Id close_loops(Graph& g, std::vector<Id> effects) {
  std::vector<Id> ranges = kernel_ranges(g, g.add(Op::kSink, kVoid, effects));
  for (; !ranges.empty(); ranges.pop_back()) {
    std::vector<Id> body, rest;
    for (Id effect : effects) (g.depends_on(effect, ranges.back()) ? body : rest).push_back(effect);
    if (body.empty()) continue;
    effects = std::move(rest);
    effects.push_back(g.add(Op::kEnd, kVoid, {group(g, body), ranges.back()}));
  }
  return g.add(Op::kSink, kVoid, effects);
}

}  // namespace

Id lower_reduces(Graph& g, Id sink, const Target& target) {
  // Expansion may have taken a REDUCE away that kept two others apart or together.
  sink = ReduceLowering(g, separate_reduces(g, sink), target).run();
  const std::map<Id, std::vector<Id>> loads = loads_by_buffer(g, sink);
  std::vector<Id> stores = stores_of(g, sink);
  for (Id& store : stores) {
    const auto found = loads.find(g.src(g.src(store, 0), 0));
    if (found != loads.end()) store = store_after(g, store, found->second);
  }
  return close_loops(g, std::move(stores));
}

}  // namespace loom
