#include "schedule/place.h"

#include "base/error.h"
#include "ir/build.h"

namespace loom {
namespace {

bool is_one(const Graph& g, Id dim) { return is_const_value(g, dim, 1); }

/// A run of axes of the view that together cover the same elements as a run of axes of the source.
struct AxisRun {
  size_t outer_begin, outer_end;  // axes of the view
  size_t inner_begin, inner_end;  // axes of its source
};

/// Grows runs on both sides until their sizes agree. A symbolic dimension pairs with itself; where
/// sizes cannot be compared, everything that is left makes one run.
class ReshapeRuns {
 public:
  ReshapeRuns(const Graph& graph, std::span<const Id> view_shape, std::span<const Id> source_shape)
      : g(graph), outer(view_shape), inner(source_shape) {}

  bool next(AxisRun& run) {
    if (i == outer.size() && k == inner.size()) return false;
    run = {i, i, k, k};
    int64_t outer_size = 1, inner_size = 1;
    do {
      if (same_start(run)) {
        i++, k++;
        break;
      }
      const bool take_outer = k == inner.size() || (i < outer.size() && outer_size <= inner_size);
      if (!(take_outer ? grow(outer, i, outer_size) : grow(inner, k, inner_size))) {
        i = outer.size(), k = inner.size();  // not comparable
        break;
      }
    } while (outer_size != inner_size || run.outer_begin == i || run.inner_begin == k);
    take_ones();
    run.outer_end = i, run.inner_end = k;
    return true;
  }

 private:
  bool same_start(const AxisRun& run) const {
    return run.outer_begin == i && run.inner_begin == k && i < outer.size() && k < inner.size() &&
           outer[i] == inner[k];
  }

  bool grow(std::span<const Id> shape, size_t& axis, int64_t& size) const {
    if (axis == shape.size() || !is_const(g, shape[axis])) return false;
    size *= int_value(g, shape[axis++]);
    return true;
  }

  void take_ones() {
    if (i == outer.size() || k == inner.size()) {
      while (i < outer.size() && is_one(g, outer[i])) i++;
      while (k < inner.size() && is_one(g, inner[k])) k++;
    }
  }

  const Graph& g;
  std::span<const Id> outer, inner;
  size_t i = 0, k = 0;
};

}  // namespace

Id intern(Graph& g, const Place& place) {
  std::vector<Id> parts{place.gate ? place.gate : bool_const(g, true)};
  parts.insert(parts.end(), place.index.begin(), place.index.end());
  return g.add(Op::kTuple, kVoid, parts);
}

Place place_of(const Graph& g, Id interned) {
  const std::span<const Id> parts = g.src(interned);
  return {{parts.begin() + 1, parts.end()}, is_const_value(g, parts[0], 1) ? 0 : parts[0]};
}

Id element_count(Graph& g, std::span<const Id> shape) {
  int64_t known = 1;
  Id symbolic = 0;
  for (const Id dim : std::vector<Id>(shape.begin(), shape.end())) {
    if (is_const(g, dim)) {
      known *= int_value(g, dim);
    } else {
      symbolic = symbolic ? mul(g, symbolic, dim) : dim;
    }
  }
  const Id count = index_const(g, known);
  return symbolic ? mul(g, symbolic, count) : count;
}

SourcePlace Indexer::through_view(Id view, const Place& place) {
  SourcePlace result{place};
  switch (g.op(view)) {
    case Op::kReshape: through_reshape(view, result.place); break;
    case Op::kPermute: through_permute(view, result.place); break;
    case Op::kExpand: through_expand(view, result.place); break;
    case Op::kShrink: through_shrink(view, result.place); break;
    case Op::kFlip: through_flip(view, result.place); break;
    case Op::kPad: result.valid = through_pad(view, result.place); break;
    default: fail<InternalError>("not a view: ", name(g.op(view)));
  }
  return result;
}

/// Splits a flat position into one index per axis of `shape`.
void Indexer::split(Id flat, std::span<const Id> shape, std::span<Id> index) {
  const Id zero = index_const(g, 0);
  size_t first = 0;
  while (first < shape.size() && is_one(g, shape[first])) index[first++] = zero;
  for (size_t axis = shape.size(); axis-- > first;) {
    if (axis == first) {
      index[axis] = flat;  // a valid position needs no modulo on the outermost axis
    } else if (is_one(g, shape[axis])) {
      index[axis] = zero;
    } else {
      index[axis] = simplify(binary(g, Op::kMod, flat, shape[axis]));
      flat = simplify(binary(g, Op::kIDiv, flat, shape[axis]));
    }
  }
}

void Indexer::through_reshape(Id view, Place& place) {
  const std::vector<Id> outer(g.shape(view).begin(), g.shape(view).end());
  const Id source = g.src(view, 0);
  const std::vector<Id> inner(g.shape(source).begin(), g.shape(source).end());
  std::vector<Id> index(inner.size());
  ReshapeRuns runs(g, outer, inner);
  for (AxisRun run; runs.next(run);) {
    const size_t outer_count = run.outer_end - run.outer_begin;
    const size_t inner_count = run.inner_end - run.inner_begin;
    if (outer_count == 1 && inner_count == 1) {
      index[run.inner_begin] = place.index[run.outer_begin];
      continue;
    }
    const Id flat = flatten(std::span(place.index).subspan(run.outer_begin, outer_count),
                            std::span(outer).subspan(run.outer_begin, outer_count));
    split(flat, std::span(inner).subspan(run.inner_begin, inner_count),
          std::span(index).subspan(run.inner_begin, inner_count));
  }
  place.index = std::move(index);
}

void Indexer::through_permute(Id view, Place& place) const {
  const std::span<const int64_t> order = g.ints_of(g.arg(view));
  std::vector<Id> index(order.size());
  for (size_t axis = 0; axis < order.size(); axis++) index[order[axis]] = place.index[axis];
  place.index = std::move(index);
}

void Indexer::through_expand(Id view, Place& place) {
  const Id source = g.src(view, 0), zero = index_const(g, 0);
  for (size_t axis = 0; axis < place.index.size(); axis++) {
    if (is_one(g, g.shape(source)[axis])) place.index[axis] = zero;
  }
}

void Indexer::through_shrink(Id view, Place& place) {
  for (size_t axis = 0; axis < place.index.size(); axis++) {
    place.index[axis] = plus(place.index[axis], g.src(view, 1 + axis));
  }
}

void Indexer::through_flip(Id view, Place& place) {
  const uint64_t mask = static_cast<uint64_t>(g.arg(view));
  for (size_t axis = 0; axis < place.index.size(); axis++) {
    if (!(mask >> axis & 1)) continue;
    const Id last = minus(g.shape(view)[axis], index_const(g, 1));
    place.index[axis] = minus(last, place.index[axis]);
  }
}

Id Indexer::through_pad(Id view, Place& place) {
  const Id source = g.src(view, 0);
  Id valid = 0;
  for (size_t axis = 0; axis < place.index.size(); axis++) {
    place.index[axis] = minus(place.index[axis], g.src(view, 1 + axis));
    const Id size = g.shape(source)[axis];
    valid = both(valid, in_bounds(place.index[axis], size));
    if (is_one(g, size)) place.index[axis] = index_const(g, 0);
  }
  place.gate = both(place.gate, valid);
  return valid;
}

Id Indexer::plus(Id a, Id b) { return is_const_value(g, b, 0) ? a : simplify(add(g, a, b)); }

Id Indexer::minus(Id a, Id b) {
  return is_const_value(g, b, 0) ? a : simplify(binary(g, Op::kSub, a, b));
}

Id Indexer::both(Id a, Id b) {
  if (a == 0 || b == 0 || a == b) return a ? a : b;
  return simplify(logical_and(g, a, b));
}

Id Indexer::in_bounds(Id index, Id size) {
  const Id above = simplify(binary(g, Op::kCmpLt, index_const(g, -1), index));
  const Id below = simplify(binary(g, Op::kCmpLt, index, size));
  const auto proven = [&](Id condition) { return is_const_value(g, condition, 1) ? 0 : condition; };
  return both(proven(above), proven(below));
}

Id Indexer::flatten(std::span<const Id> index, std::span<const Id> shape) {
  Id flat = 0;
  for (size_t axis = 0; axis < index.size(); axis++) {
    if (is_one(g, shape[axis])) continue;
    flat = flat ? add(g, mul(g, flat, shape[axis]), index[axis]) : index[axis];
  }
  return flat ? simplify(flat) : index_const(g, 0);
}

}  // namespace loom
