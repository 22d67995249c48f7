// t.index(...) and t.set(...): NumPy's basic indexing as views, its integer arrays as gathers.
//
// An index is read once into a Selection: for every axis of the tensor a run of elements, and for
// the result its shape and the index tensors. Both reading and writing start from there.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "tensor/assign.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

using Limits = std::vector<std::pair<int64_t, int64_t>>;

struct Gather {
  size_t axis;  // of the view that the numbers, slices and new axes make
  Tensor index;
};

struct Selection {
  Limits limits;                // per axis: the elements that the run lies in
  std::vector<int64_t> steps;   // per axis: distance inside the run, as it is after flipping
  std::vector<int64_t> counts;  // per axis: elements taken
  Axes flipped;
  Shape shape;  // numbers dropped, new axes added
  std::vector<Gather> gathers;
};

// --- Reading an index. ---

// Every axis its item: Ellipsis and what is missing at the end become whole axes.
Index spelled_out(const Index& index, const Tensor& x) {
  int64_t taken = 0, ellipses = 0;
  for (const IndexItem& item : index) {
    if (std::holds_alternative<AllAxes>(item))
      ellipses++;
    else if (!std::holds_alternative<NewAxis>(item))
      taken++;
  }
  if (ellipses > 1) fail<UserError>("index: more than one Ellipsis");
  if (taken > x.ndim()) {
    fail<UserError>("index: ", taken, " numbers, slices and tensors for ", describe(x),
                    ", expected ", x.ndim(), " or less");
  }
  Index result;
  const auto take_the_rest = [&] {
    for (; taken < x.ndim(); taken++) result.emplace_back(Slice());
  };
  for (const IndexItem& item : index) {
    if (std::holds_alternative<AllAxes>(item))
      take_the_rest();
    else
      result.push_back(item);
  }
  take_the_rest();
  return result;
}

// A bound of a slice, counted from the front and put between low and high.
int64_t clamped(int64_t bound, int64_t size, int64_t low, int64_t high) {
  return std::clamp(bound < 0 ? bound + size : bound, low, high);
}

void take_run(Selection& s, int64_t size, int64_t start, int64_t count, int64_t step) {
  const int64_t stride = count < 2 ? 1 : std::abs(step);
  const int64_t span = count == 0 ? 0 : (count - 1) * stride + 1;
  // A whole number of strides, where the axis has room for it, spares padding it later.
  const int64_t roomy = count * stride;
  const bool is_reversed = step < 0;
  const bool has_room = is_reversed ? start + 1 >= roomy : start + roomy <= size;
  const int64_t length = has_room ? roomy : span;
  const int64_t begin = is_reversed ? start + 1 - length : start;
  if (is_reversed) s.flipped.list.push_back(static_cast<int64_t>(s.limits.size()));
  s.limits.emplace_back(begin, begin + length);
  s.steps.push_back(stride);
  s.counts.push_back(count);
}

void take_slice(Selection& s, const Slice& slice, int64_t size) {
  const int64_t step = slice.step;
  if (step == 0 || step == INT64_MIN) fail<UserError>("index: a slice with step ", step);
  const bool forward = step > 0;
  const int64_t low = forward ? 0 : -1, high = forward ? size : size - 1;
  const int64_t start = slice.start ? clamped(*slice.start, size, low, high) : forward ? low : high;
  const int64_t stop = slice.stop ? clamped(*slice.stop, size, low, high) : forward ? high : low;
  const int64_t distance = forward ? stop - start : start - stop;
  const int64_t count = distance <= 0 ? 0 : (distance - 1) / std::abs(step) + 1;
  take_run(s, size, count == 0 ? std::max<int64_t>(low, 0) : start, count, count == 0 ? 1 : step);
  s.shape.push_back(count);
}

void take_number(Selection& s, int64_t position, int64_t size, const Tensor& x) {
  if (position < -size || position >= size) {
    fail<UserError>("index: ", position, " on axis ", s.limits.size(), " of ", describe(x),
                    ", expected ", -size, " to ", size - 1);
  }
  take_run(s, size, position < 0 ? position + size : position, 1, 1);
}

void take_tensor(Selection& s, const Tensor& index, int64_t size) {
  if (!index.dtype().is_int()) {
    fail<UserError>("index: an index tensor of ", describe(index),
                    ", expected integers (for a mask use where)");
  }
  s.gathers.push_back({s.shape.size(), index});
  take_run(s, size, 0, size, 1);
  s.shape.push_back(size);
}

Selection select(const Tensor& x, const Index& index) {
  Selection s;
  for (const IndexItem& item : spelled_out(index, x)) {
    if (std::holds_alternative<NewAxis>(item)) {
      s.shape.push_back(1);
      continue;
    }
    const int64_t size = x.shape()[s.limits.size()];
    if (const auto* number = std::get_if<int64_t>(&item))
      take_number(s, *number, size, x);
    else if (const auto* slice = std::get_if<Slice>(&item))
      take_slice(s, *slice, size);
    else
      take_tensor(s, std::get<Tensor>(item), size);
  }
  return s;
}

// --- Views and gathers. ---

// Every step-th element of each axis: the axis becomes (count, step) of which the first is kept.
Tensor strided(const Tensor& x, const Selection& s) {
  if (std::ranges::all_of(s.steps, [](int64_t step) { return step == 1; })) return x;
  Limits amounts, kept;
  Shape split;
  for (size_t axis = 0; axis < s.steps.size(); axis++) {
    const int64_t count = s.counts[axis], step = s.steps[axis];
    amounts.emplace_back(0, count * step - x.shape()[axis]);
    split.insert(split.end(), {count, step});
    kept.insert(kept.end(), {{0, count}, {0, 1}});
  }
  return x.pad(amounts).reshape(split).shrink(kept).reshape(s.counts);
}

Tensor view_of(const Tensor& x, const Selection& s) {
  const Tensor run = x.shrink(s.limits);
  const Tensor forward = s.flipped.list.empty() ? run : run.flip(s.flipped);
  return strided(forward, s).reshape(s.shape);
}

// Negative numbers count from the end. The index is widened first, so that this cannot overflow; a
// uint64 that an address cannot hold stays what it is, outside.
Tensor wrapped(const Tensor& index, int64_t size) {
  if (index.dtype() == kUInt64) return minimum(index, INT64_MAX).cast(kIndex);
  const Tensor wide = index.cast(kIndex);
  return index.dtype().is_unsigned() ? wide : where(wide < 0, wide + size, wide);
}

// One index tensor for each axis of x, all of the shape of the result.
Tensor gather_node(const Tensor& x, const Shape& shape, const std::vector<Tensor>& indices) {
  if (x.numel() == 0) return constant_beside(x, shape, 0, x.dtype());
  std::vector<Tensor> sources{x};
  for (const Tensor& index : indices) sources.push_back(index.expand(shape));
  return make_tensor("index", x.dtype(), shape, sources, [&](Graph& g, std::span<const Id> src) {
    return g.add(Op::kIndex, x.dtype(), src);
  });
}

// `index` with its axes at position `at` of a shape of `rank` axes, 1 everywhere else.
Tensor aligned(const Tensor& index, size_t at, size_t rank) {
  Shape shape(rank, 1);
  std::ranges::copy(index.shape(), shape.begin() + static_cast<std::ptrdiff_t>(at));
  return index.reshape(shape);
}

// NumPy's rule: the axes of the index tensors take the place of those they index when these lie
// side by side, and come first otherwise.
Tensor gathered(const Tensor& x, const std::vector<Gather>& gathers) {
  std::vector<Shape> shapes;
  shapes.reserve(gathers.size());
  for (const Gather& gather : gathers) shapes.push_back(gather.index.shape());
  const Shape common = broadcast_shapes(shapes);
  const bool together = gathers.back().axis - gathers.front().axis + 1 == gathers.size();
  const size_t at = together ? gathers.front().axis : 0;
  Shape shape;  // of the axes that stay, then of the result
  for (size_t axis = 0, next = 0; axis < x.shape().size(); axis++) {
    if (next < gathers.size() && gathers[next].axis == axis)
      next++;
    else
      shape.push_back(x.shape()[axis]);
  }
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), common.begin(), common.end());
  std::vector<Tensor> indices;
  size_t place = at == 0 ? common.size() : 0;
  for (size_t axis = 0, next = 0; axis < x.shape().size(); axis++) {
    if (next < gathers.size() && gathers[next].axis == axis) {
      const Tensor index = wrapped(gathers[next++].index, x.shape()[axis]).expand(common);
      indices.push_back(aligned(index, at, shape.size()));
    } else {
      indices.push_back(aligned(positions(x.shape()[axis]), place++, shape.size()));
    }
    if (place == at && at != 0) place += common.size();
  }
  return gather_node(x, shape, indices);
}

// --- Writing. ---

// `value` where `s` selects from a tensor of `shape`, zeros elsewhere: the inverse of view_of.
Tensor scattered(const Tensor& value, const Selection& s, const Shape& shape) {
  Limits inside, cut, around;
  Shape merged;
  for (size_t axis = 0; axis < shape.size(); axis++) {
    const int64_t step = s.steps[axis], length = s.limits[axis].second - s.limits[axis].first;
    inside.insert(inside.end(), {{0, 0}, {0, step - 1}});
    merged.push_back(s.counts[axis] * step);
    cut.emplace_back(0, length);
    around.emplace_back(s.limits[axis].first, shape[axis] - s.limits[axis].second);
  }
  Shape split;
  for (int64_t count : s.counts) split.insert(split.end(), {count, 1});
  const Tensor run = value.reshape(split).pad(inside).reshape(merged).shrink(cut);
  const Tensor turned = s.flipped.list.empty() ? run : run.flip(s.flipped);
  return turned.pad(around);
}

}  // namespace

Tensor Tensor::index(const Index& index) const {
  const Selection s = select(*this, index);
  const Tensor view = view_of(*this, s);
  return s.gathers.empty() ? view : gathered(view, s.gathers);
}

Tensor Tensor::operator[](const IndexItem& item) const { return index({item}); }

Tensor Tensor::gather(int64_t axis, const Tensor& index) const {
  axis = checked_axis("gather", axis, *this);
  if (index.ndim() != ndim() || !index.dtype().is_int()) {
    fail<UserError>("gather: index ", describe(index), " for ", describe(*this),
                    ", expected integers with as many axes");
  }
  std::vector<Tensor> indices;
  for (int64_t other = 0; other < ndim(); other++) {
    if (other != axis && index.shape()[other] > shape()[other]) {
      fail<UserError>("gather: index ", describe(index), " is larger than ", describe(*this),
                      " on axis ", other);
    }
    indices.push_back(other == axis ? wrapped(index, shape()[axis])
                                    : aligned(positions(index.shape()[other]), other, ndim()));
  }
  return gather_node(*this, index.shape(), indices);
}

Tensor& Tensor::set(const Index& index, const Operand& value) {
  const Selection s = select(*this, index);
  if (!s.gathers.empty()) fail<UserError>("set: an index tensor, expected numbers and slices");
  const Tensor part = as_tensor("set", value, dtype()).expand(s.shape);
  if (part.numel() == 0) return *this;
  const bool is_dense = std::ranges::all_of(s.steps, [](int64_t step) { return step == 1; });
  if (is_dense && owns_memory(*this)) return store_into(*this, view_of(*this, s), part);
  const Tensor mask = scattered(full(s.shape, true), s, shape());
  return assign(where(mask, scattered(part, s, shape()), *this));
}

}  // namespace loom
