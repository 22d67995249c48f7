#include "schedule/staging.h"

#include <algorithm>

#include "ir/build.h"

namespace loom {
namespace {

// Of one value; bounds the growth of x = x + roll(x).
constexpr size_t kMaxInstances = 4;

// Padded borders and the like: repeating this much more than there is, is no reason to stage.
constexpr double kSlack = 1.25;

// Repeated arithmetic, see cost_of. Per element: a store and a load cost less than this, where
// operands of contractions are loaded once per register tile and not for every use.
constexpr double kRecompute = 512;
// Per iteration of the kernels that repeat it: that much more or less is not noticed.
constexpr double kUnnoticed = 2;

// A hoisted reduction must leave that many parallel iterations ..
constexpr double kParallelRows = 32;
// .. unless the whole kernel has no more iterations than this.
constexpr double kSmallKernel = 1 << 16;

/// What all instances of a node together ask for.
struct Demand {
  double iterations = 0;  // element computations
  double work = 0;        // of the kernels
  bool several_kernels = false, in_reduction = false, partial = false, crowded = false,
       serial = false;
  bool second_contraction = false;
};

class Rules {
 public:
  Rules(const Graph& graph, const Fusion& all, const Facts& node_facts)
      : g(graph), fusion(all), facts(node_facts) {}

  void add(const Instance& instance) {
    const Kernel& kernel = fusion.kernels[instance.kernel];
    const double iterated = iterations(g, fusion, instance.kernel, instance.place);
    if (instance.kernel != last_kernel) {
      demand.several_kernels |= count > 0;
      demand.work += kernel.work;
      last_kernel = instance.kernel;
    }
    count++;
    demand.iterations += iterated;
    demand.in_reduction |= depends_on_reduction(instance.place);
    const double loops = kernel.extent.empty() ? 1 : kernel.extent.back();
    demand.partial |= iterated < loops;
    demand.serial |= iterated < loops && is_serial(iterated, kernel.work);
    demand.crowded |= kernel.nodes >= kMaxKernelNodes;
    demand.second_contraction |=
        kernel.contraction != 0 && kernel.contraction != facts.work.contraction;
  }

  bool verdict(Op op) const {
    if (facts.split || demand.crowded || count > kMaxInstances) return true;
    if (op == Op::kReduce && (demand.several_kernels || count > 1)) return true;
    if (facts.work.contraction != 0 && spoils_contraction()) return true;
    if (facts.work.reduced > 0 && repeats_reduction()) return true;
    return repeats_arithmetic();
  }

 private:
  bool depends_on_reduction(Id place) const {
    return std::ranges::any_of(g.ranges(place),
                               [&](Id r) { return range_axis(g.arg(r)) >= kFirstReduceAxis; });
  }

  /// Code generation tiles a contraction over the loops of its kernel: these must be its own.
  bool spoils_contraction() const {
    return demand.in_reduction || demand.partial || demand.second_contraction;
  }

  /// Would a reduction below be computed twice, or without enough parallel work around it?
  bool repeats_reduction() const {
    if (demand.several_kernels && facts.elements <= kSlack * facts.work.domain) return true;
    return is_epilogue(facts) && (demand.serial || demand.iterations > kSlack * facts.elements);
  }

  bool repeats_arithmetic() const {
    const double repeated = (demand.iterations - facts.elements) * facts.work.cost;
    return repeated > kRecompute * facts.elements && repeated > kSmallKernel &&
           repeated > kUnnoticed * demand.work;
  }

  const Graph& g;
  const Fusion& fusion;
  const Facts& facts;
  Demand demand;
  size_t count = 0;
  uint32_t last_kernel = kNoKernel;
};

}  // namespace

bool wants_buffer(const Graph& g, const Fusion& fusion, const std::vector<Facts>& facts, Id node,
                  std::span<const uint32_t> asked) {
  if (facts[node].uniform || facts[node].empty) return false;
  Rules rules(g, fusion, facts[node]);
  for (const uint32_t instance : asked) rules.add(fusion.instances[instance]);
  return rules.verdict(g.op(node));
}

double iterations(const Graph& g, const Fusion& fusion, uint32_t kernel, Id place) {
  int64_t innermost = -1;
  for (const Id range : g.ranges(place)) innermost = std::max(innermost, range_axis(g.arg(range)));
  if (innermost < 0) return 1;
  return innermost >= kFirstReduceAxis
             ? fusion.reduce_extent[static_cast<size_t>(innermost - kFirstReduceAxis)]
             : fusion.kernels[kernel].extent[static_cast<size_t>(innermost)];
}

bool is_serial(double iterations, double work) {
  return iterations < kParallelRows && work > kSmallKernel;
}

bool is_epilogue(const Facts& facts) { return facts.elements <= kSlack * facts.work.reduced; }

bool can_hoist(const Graph& g, const std::vector<Facts>& facts, Id id) {
  const Id source = g.src(id, 0);
  const std::span<const Id> repeated = g.shape(id), kept = g.shape(source);
  bool inside_repeated = false;
  for (size_t axis = 0; axis < kept.size(); axis++) {
    if (inside_repeated && !is_const_value(g, kept[axis], 1)) return false;
    inside_repeated |= repeated[axis] != kept[axis];
  }
  return !is_serial(facts[source].elements, facts[id].elements);
}

}  // namespace loom
