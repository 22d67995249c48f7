#include "codegen/opts.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "codegen/kernel.h"
#include "codegen/panel.h"
#include "codegen/separate_reduces.h"
#include "ir/build.h"

namespace loom {

std::string_view name(OptOp op) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "UPCAST",   "VECTOR", "UNROLL", "THREAD",   "LOCAL",       "GROUP",
      "GROUPTOP", "PADTO",  "SWAP",   "NOLOCALS", "TENSOR_CORE", "PACK"};
  return kNames[static_cast<size_t>(op)];
}

std::string name(const Opt& opt) { return str(name(opt.op), "(", opt.axis, ", ", opt.amount, ")"); }

namespace {

/// More copies of a loop body than this are a mistake, not an optimisation.
constexpr int64_t kMaxCopies = 1024;

class OptApplier {
 public:
  OptApplier(Graph& g, Id sink, const Opt& opt, const Target& target)
      : g_(g), sink_(sink), opt_(opt), target_(target), ranges_(kernel_ranges(g, sink)) {}

  Id run() {
    switch (opt_.op) {
      case OptOp::kUpcast: return split(AxisType::kUpcast, {AxisType::kLoop});
      case OptOp::kVector: return split(AxisType::kVector, {AxisType::kLoop, AxisType::kReduce});
      case OptOp::kUnroll: return split(AxisType::kUnroll, {AxisType::kReduce});
      case OptOp::kThread: return thread();
      case OptOp::kPadTo: return pad();
      case OptOp::kSwap: return swap();
      case OptOp::kPack: return pack();
      case OptOp::kLocal: return local();
      case OptOp::kGroup:
      case OptOp::kGroupTop: return group();
      default: refuse("is not available yet");
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const { fail<UserError>(name(opt_), " ", why); }

  /// The axis that the opt names, as a range; its size must be known.
  Id axis(int64_t position) const {
    if (position < 0 || position >= static_cast<int64_t>(ranges_.size())) {
      refuse(str("names axis ", position, " of a kernel with ", ranges_.size(), " axes"));
    }
    const Id range = ranges_[position];
    if (range_size(g_, range) == 0)
      refuse(str("needs a size known at compile time for axis ", position));
    return range;
  }

  int64_t amount_of(Id range) const {
    const int64_t size = range_size(g_, range), amount = opt_.amount == 0 ? size : opt_.amount;
    if (amount < 1 || size % amount != 0) {
      refuse(str("cannot split axis ", opt_.axis, " of size ", size, " into parts of ", amount));
    }
    return amount;
  }

  void expect_type(Id range, std::initializer_list<AxisType> allowed) const {
    if (std::ranges::find(allowed, axis_type(g_, range)) != allowed.end()) return;
    refuse(
        str("does not apply to axis ", opt_.axis, " of type ", loom::name(axis_type(g_, range))));
  }

  /// The axis as outer * amount + inner; GROUPTOP: as inner * (size / amount) + outer.
  Id split(AxisType inner_type, std::initializer_list<AxisType> allowed) {
    const Id range = axis(opt_.axis);
    expect_type(range, allowed);
    const int64_t amount = amount_of(range);
    if (amount > kMaxCopies) refuse(str("would make ", amount, " copies of the loop body"));
    if (has_panel_of_its_own(range)) refuse("comes after an opt that fills a panel in each turn");
    const Id outer = loom::range(g_, range_size(g_, range) / amount, range_axis(g_.arg(range)),
                                 axis_type(g_, range));
    const Id inner = inner_ = loom::range(g_, amount, next_axis(g_, sink_), inner_type);
    const bool is_top = opt_.op == OptOp::kGroupTop;
    const Id high = is_top ? inner : outer, low = is_top ? outer : inner;
    return replace(range, add(g_, mul(g_, high, g_.src(low, 0)), low), {outer, inner});
  }

  /// Work-items along an output axis.
  Id local() {
    if (!target_.has_local) refuse("needs a target with local memory");
    return split(AxisType::kLocal, {AxisType::kLoop});
  }

  /// Work-items that each reduce a part.
  Id group() {
    if (!target_.has_local) refuse("needs a target with local memory");
    sink_ = separate_reduces(g_, sink_);
    const Id sink = split(AxisType::kReduce, {AxisType::kReduce});
    return loom::group(g_, sink, inner_);
  }

  /// Copies of a loop body would share a panel that is filled in each turn of `range`.
  bool has_panel_of_its_own(Id range) const {
    return std::ranges::any_of(reachable(g_, sink_), [&](Id id) {
      return g_.op(id) == Op::kAfter && g_.op(g_.src(id, 0)) == Op::kDefineLocal &&
             g_.depends_on(id, range);
    });
  }

  /// Each thread gets one stretch of the axis: the new range is the outer part.
  Id thread() {
    const Id range = axis(opt_.axis);
    expect_type(range, {AxisType::kLoop});
    if (!kernel_ranges(g_, sink_, AxisType::kThread).empty()) refuse("is a second THREAD axis");
    const int64_t amount = amount_of(range), rest = range_size(g_, range) / amount;
    for (Id end : g_.src(sink_)) {
      if (!closes(end, range))
        refuse(str("names axis ", opt_.axis, ", which some store of the kernel does not have"));
    }
    const Id chunk = loom::range(g_, amount, next_axis(g_, sink_), AxisType::kThread);
    const Id inner = loom::range(g_, rest, range_axis(g_.arg(range)), axis_type(g_, range));
    return replace(range, add(g_, mul(g_, chunk, index_const(g_, rest)), inner), {inner, chunk});
  }

  bool closes(Id end, Id range) const {
    const std::span<const Id> src = g_.src(end);
    return g_.op(end) == Op::kEnd && std::find(src.begin() + 1, src.end(), range) != src.end();
  }

  Id replace(Id range, Id value, std::vector<Id> loops) {
    const RangeChange change{range, value, std::move(loops)};
    return change_ranges(g_, sink_, std::span(&change, 1));
  }

  /// Exchanges the nesting order of two axes: each takes the other's axis number.
  Id swap() {
    const Id first = axis(opt_.axis), second = axis(opt_.amount);
    if (axis_type(g_, first) != axis_type(g_, second)) {
      refuse(str("cannot exchange axes of types ", loom::name(axis_type(g_, first)), " and ",
                 loom::name(axis_type(g_, second))));
    }
    const Id a = renumbered(first, second), b = renumbered(second, first);
    const RangeChange changes[] = {{first, a, {a}}, {second, b, {b}}};
    return change_ranges(g_, sink_, changes);
  }

  Id renumbered(Id range, Id as) {
    return loom::range(g_, g_.src(range, 0), range_axis(g_.arg(as)), axis_type(g_, range));
  }

  Id pack() {
    if (is_in_place(g_, sink_)) refuse("would read what the kernel writes too early");
    sink_ = separate_reduces(g_, sink_);
    const Id packed = loom::pack(g_, sink_, axis(opt_.axis), opt_.amount);
    if (packed == sink_)
      refuse(str("finds nothing to stage that axis ", opt_.axis, " reads again"));
    return packed;
  }

  Id pad();
  Id overlap_last_block(Id range, int64_t size);
  Id mask_rest(Id range, int64_t size);
  Id masked(Id id, Id range, Id is_inside);

  Graph& g_;
  Id sink_;
  const Opt& opt_;
  const Target& target_;
  std::vector<Id> ranges_;
  Id inner_ = 0;  // what the last split added
};

/// Rounds an axis up. Where it does no harm to compute an element twice, the last block begins
/// early; else the rest is masked.
Id OptApplier::pad() {
  const Id range = axis(opt_.axis);
  expect_type(range, {AxisType::kLoop, AxisType::kReduce});
  const int64_t size = range_size(g_, range), amount = opt_.amount;
  if (amount < 1) {
    refuse(
        str("cannot round axis ", opt_.axis, " of size ", size, " up to a multiple of ", amount));
  }
  if (size % amount == 0) return sink_;
  const bool may_overlap = axis_type(g_, range) == AxisType::kLoop && size > amount;
  return may_overlap && !is_in_place(g_, sink_) ? overlap_last_block(range, size)
                                                : mask_rest(range, size);
}

/// Blocks of `amount`: where the last one would reach over the end, it starts at size - amount.
Id OptApplier::overlap_last_block(Id range, int64_t size) {
  const int64_t amount = opt_.amount;
  const Id padded = loom::range(g_, (size / amount + 1) * amount, range_axis(g_.arg(range)),
                                axis_type(g_, range));
  const Id step = index_const(g_, amount), minus = index_const(g_, -1);
  const Id block = mul(g_, binary(g_, Op::kIDiv, padded, step), index_const(g_, -amount));
  const Id start = mul(g_, binary(g_, Op::kMax, block, index_const(g_, amount - size)), minus);
  return replace(range, add(g_, start, binary(g_, Op::kMod, padded, step)), {padded});
}

/// Memory is touched, and reduced values count, only where the axis was before.
Id OptApplier::mask_rest(Id range, int64_t size) {
  const Id padded = loom::range(g_, (size / opt_.amount + 1) * opt_.amount,
                                range_axis(g_.arg(range)), axis_type(g_, range));
  const Id is_inside = binary(g_, Op::kCmpLt, padded, index_const(g_, size));
  std::vector<Id> copies(sink_ + 1);
  std::vector<Id> src;
  for (Id id : reachable(g_, sink_)) {
    src.clear();
    for (Id source : g_.src(id)) src.push_back(copies[source]);
    copies[id] = id == range ? padded : masked(with_sources(g_, id, src), padded, is_inside);
  }
  return copies[sink_];
}

/// `id` as it is where `is_inside` holds, and harmless elsewhere.
Id OptApplier::masked(Id id, Id range, Id is_inside) {
  const std::vector<Id> src(g_.src(id).begin(), g_.src(id).end());
  switch (g_.op(id)) {
    case Op::kIndex: {
      if (!g_.depends_on(id, range)) return id;
      return index(g_, src[0], src[1],
                   src.size() == 3 ? logical_and(g_, src[2], is_inside) : is_inside);
    }
    case Op::kLoad: {
      const bool needs_alternative = src.size() == 1 && g_.src(src[0]).size() == 3;
      return needs_alternative ? load(g_, src[0], constant(g_, g_.dtype(id), 0)) : id;
    }
    case Op::kReduce: {
      if (std::find(src.begin() + 1, src.end(), range) == src.end()) return id;
      const Id identity = identity_element(g_, reduce_op(g_, id), g_.dtype(id));
      return reduce(g_, reduce_op(g_, id), where(g_, is_inside, src[0], identity),
                    std::span(src).subspan(1));
    }
    default: return id;
  }
}

}  // namespace

Id apply_opt(Graph& g, Id sink, const Opt& opt, const Target& target) {
  return OptApplier(g, sink, opt, target).run();
}

}  // namespace loom
