#include "schedule/facts.h"

#include <algorithm>

#include "base/error.h"
#include "ir/build.h"
#include "schedule/staging.h"

namespace loom {
namespace {

constexpr double kMaxCost = 1024;  // keeps sums over shared subgraphs finite

class Survey {
 public:
  Survey(const Graph& graph, Id sink) : g(graph), all(sink + 1) {
    mark_live(sink);
    for (Id id = 1; id <= sink; id++) {
      if (all[id].live) look_at(id);
    }
  }
  std::vector<Facts> take() { return std::move(all); }

 private:
  void mark_live(Id sink) {
    all[sink].live = true;
    for (Id id = sink; id > 0; id--) {
      if (!all[id].live) continue;
      for (const Id source : g.src(id)) {
        all[source].live = true;
        all[source].consumers++;
      }
    }
  }

  void look_at(Id id) {
    Facts& facts = all[id];
    const Op op = g.op(id);
    if (g.dtype(id).is_void()) return;
    count_elements(id, facts);
    for (const Id source : g.src(id)) {
      if (facts.device == 0) facts.device = all[source].device;
    }
    if (is_view(op)) return look_at_view(id, facts);
    if (is_elementwise(op) || op == Op::kIndex) return look_at_elementwise(id, facts);
    switch (op) {
      case Op::kConst:
      case Op::kVariable:
      case Op::kBind: facts.uniform = true; break;
      case Op::kReduce: look_at_reduce(id, facts); break;
      case Op::kBuffer:
      case Op::kAfter: look_at_memory(id, facts); break;
      case Op::kCopy: facts.device = g.src(id, 1); [[fallthrough]];
      default: facts.dense = true;
    }
  }

  void count_elements(Id id, Facts& facts) const {
    for (const int64_t size : shape_values(g, id)) {
      facts.elements *= static_cast<double>(size);
      facts.empty |= size == 0;
    }
  }

  /// What computing `source` where it is used would take. A reduction whose results are used
  /// several times will have a buffer: its users see memory.
  Work work_of(Id source) const {
    const Facts& facts = all[source];
    return facts.consumers > 1 && is_epilogue(facts) ? Work{} : facts.work;
  }

  void look_at_view(Id id, Facts& facts) const {
    const Facts& source = all[g.src(id, 0)];
    facts.memory = source.memory, facts.version = source.version;
    facts.uniform = source.uniform && g.op(id) != Op::kPad;
    facts.work = work_of(g.src(id, 0));
    facts.dense = source.dense;
    if (g.op(id) != Op::kExpand || facts.elements <= source.elements) return;
    facts.dense = false;
    facts.work.contraction = 0;
    if (!can_hoist(g, all, id)) facts.work = {.cost = facts.work.reduced > 0 ? 0 : facts.work.cost};
  }

  void look_at_elementwise(Id id, Facts& facts) {
    facts.uniform = g.op(id) != Op::kIndex;
    const bool is_loop_arithmetic = g.dtype(g.src(id, 0)) == kIndex;
    facts.work.cost = is_loop_arithmetic ? 0 : cost_of(g.op(id));
    Id contracted = 0;  // the source that carries the contraction
    for (const Id source : g.src(id)) {
      const Work work = work_of(source);
      facts.uniform &= all[source].uniform;
      facts.dense |= all[source].dense && !all[source].uniform;
      facts.work.cost = std::min(kMaxCost, facts.work.cost + work.cost);
      facts.work.reduced = std::max(facts.work.reduced, work.reduced);
      facts.work.domain = std::max(facts.work.domain, work.domain);
      if (work.contraction != 0) contracted = keep_one(contracted, source);
    }
    if (facts.uniform) facts.work.cost = 0;
    if (contracted != 0) facts.work.contraction = all[contracted].work.contraction;
  }

  /// Of two sources with different contractions, the earlier one gets a buffer.
  Id keep_one(Id a, Id b) {
    if (a == 0 || all[a].work.contraction == all[b].work.contraction) return b;
    all[std::min(a, b)].split = true;
    return std::max(a, b);
  }

  void look_at_reduce(Id id, Facts& facts) const {
    const Facts& source = all[g.src(id, 0)];
    facts.work = {.cost = 1, .reduced = facts.elements, .domain = source.elements};
    facts.work.contraction = source.dense || source.uniform ? 0 : id;
    facts.dense = true;
    facts.uniform = source.uniform && !source.empty && reduce_op(g, id) != Op::kMul;
  }

  void look_at_memory(Id id, Facts& facts) const {
    facts.dense = true;
    facts.version = id;
    if (g.op(id) == Op::kBuffer) {
      facts.memory = id;
      if (g.src(id).size() > 1) facts.device = g.src(id, 1);
      return;
    }
    const Id state = g.src(id, 0);
    facts.memory = all[state].memory;
    facts.below = g.op(state) == Op::kAfter ? all[state].below : state;
    require(facts.memory != 0, "schedule: an AFTER of something that is not memory");
  }

  const Graph& g;
  std::vector<Facts> all;
};

}  // namespace

double cost_of(Op op) {
  switch (op) {
    case Op::kBitcast: return 0;
    case Op::kSqrt:
    case Op::kRecip:
    case Op::kFDiv:
    case Op::kIndex: return 4;
    case Op::kIDiv:
    case Op::kMod: return 8;
    case Op::kExp2:
    case Op::kLog2: return 16;
    case Op::kSin: return 32;
    case Op::kPow:
    case Op::kThreefry: return 48;
    default: return is_elementwise(op) ? 1 : 0;
  }
}

std::vector<Facts> survey(const Graph& g, Id sink) { return Survey(g, sink).take(); }

Id without_reshapes(const Graph& g, Id id) {
  while (g.op(id) == Op::kReshape) id = g.src(id, 0);
  return id;
}

}  // namespace loom
