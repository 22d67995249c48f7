#include "schedule/values.h"

#include "base/error.h"
#include "ir/build.h"
#include "schedule/dependencies.h"

namespace loom {
namespace {

class Builder {
 public:
  Builder(Graph& graph, const std::vector<Facts>& node_facts, Indexer& places, const Fusion& all)
      : g(graph), facts(node_facts), indexer(places), fusion(all), values(all.instances.size()) {}

  std::vector<Id> run() {
    for (size_t k = fusion.order.size(); k-- > 0;) {  // sources before users
      values[fusion.order[k]] = value(fusion.instances[fusion.order[k]]);
    }
    return std::move(values);
  }

 private:
  Id value(const Instance& instance) {
    if (instance.forwarded) return source(instance, 0);
    if (version_read(g, instance) != 0) return load_from(instance);
    const Op op = g.op(instance.node);
    if (is_view(op)) return masked(instance);
    if (is_elementwise(op)) return elementwise(instance);
    switch (op) {
      case Op::kReduce: return reduction(instance);
      case Op::kIndex: return masked(instance);
      case Op::kContiguous: return source(instance, 0);
      case Op::kRange: return g.src(instance.place, 1);
      case Op::kConst:
      case Op::kVariable:
      case Op::kBind: return instance.node;
      default: fail<InternalError>("schedule: ", name(op), " is not a tensor op");
    }
  }

  Id source(const Instance& instance, size_t k) const {
    return values[fusion.sources[instance.first_source + k]];
  }

  Id load_from(const Instance& instance) {
    const Place place = place_of(g, instance.place);
    const Op op = g.op(instance.node);
    const bool is_flat = op == Op::kBuffer || op == Op::kAfter;
    const Id offset =
        is_flat ? place.index[0] : indexer.flatten(place.index, g.shape(instance.node));
    const Id address = index(g, version_read(g, instance), offset, place.gate);
    return load(g, address, place.gate ? zero(instance) : 0);
  }

  Id zero(const Instance& instance) { return constant(g, g.dtype(instance.node), 0); }

  /// A view's source, with zeros around it where the view is a PAD; an INDEX likewise.
  Id masked(const Instance& instance) {
    if (facts[g.src(instance.node, 0)].empty) return zero(instance);
    const Id inner = source(instance, 0);
    return instance.extra ? where(g, instance.extra, inner, zero(instance)) : inner;
  }

  Id elementwise(const Instance& instance) {
    const Node node = g[instance.node];
    std::vector<Id> sources;
    for (size_t k = 0; k < node.src_count; k++) sources.push_back(source(instance, k));
    return g.add(node.op, node.dtype(), sources, node.arg);
  }

  Id reduction(const Instance& instance) {
    const Op op = reduce_op(g, instance.node);
    const Id tensor = g.src(instance.node, 0);
    if (facts[tensor].empty) return identity_element(g, op, g.dtype(instance.node));
    const Id inner = source(instance, 0);
    if (instance.kernel == kNoKernel) return repeated(instance, op, inner);
    const std::vector<Id> ranges(g.src(instance.extra).begin(), g.src(instance.extra).end());
    return ranges.empty() ? inner : reduce(g, op, inner, ranges);
  }

  /// The reduction of one value that is the same everywhere.
  Id repeated(const Instance& instance, Op op, Id inner) {
    if (op != Op::kAdd) return inner;
    std::vector<Id> dims;
    const std::span<const Id> shape = g.shape(g.src(instance.node, 0));
    for (const int64_t axis : reduce_axes(g, instance.node))
      dims.push_back(shape[static_cast<size_t>(axis)]);
    return mul(g, inner, cast(g, element_count(g, dims), g.dtype(instance.node)));
  }

  Graph& g;
  const std::vector<Facts>& facts;
  Indexer& indexer;
  const Fusion& fusion;
  std::vector<Id> values;
};

}  // namespace

std::vector<Id> build_values(Graph& g, const std::vector<Facts>& facts, Indexer& indexer,
                             const Fusion& fusion) {
  return Builder(g, facts, indexer, fusion).run();
}

}  // namespace loom
