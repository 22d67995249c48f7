// Interval analysis. It computes in 128 bits, where nothing that matters overflows, and then asks
// whether the result fits the node's type: a result that may leave it can wrap to anything, so it
// gets the type's whole range. Only index values saturate instead, because addresses never wrap.
//
// A uint64 can be above INT64_MAX, which an Interval cannot say: there, an upper end of INT64_MAX
// means "or more".
#include <algorithm>
#include <array>

#include "ir/evaluate.h"
#include "ir/properties.h"

namespace loom {
namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kUInt64Max = (Int128{1} << 64) - 1;

struct Wide {
  Int128 lo = 0, hi = 0;
  bool contains(Int128 value) const { return lo <= value && value <= hi; }
};

constexpr Wide kWhole{INT64_MIN, INT64_MAX};
constexpr Wide kEither{0, 1};

bool is_integral(DType dtype) { return dtype.is_int() || dtype.is_bool(); }

Wide widen(DType dtype, Interval interval) {
  Wide wide{interval.lo, interval.hi};
  if (dtype.scalar == Scalar::kUInt64 && interval.hi == INT64_MAX) wide.hi = kUInt64Max;
  return wide;
}

Wide type_range(DType dtype) {
  if (!is_integral(dtype)) return kWhole;
  return widen(dtype, {dtype.min_value(), dtype.max_value()});
}

// The values of `dtype` that results in `exact` can become.
Interval narrow(DType dtype, Wide exact) {
  const Wide type = type_range(dtype);
  if (dtype == kBool &&
      !(type.lo <= exact.lo && exact.hi <= type.hi)) {  // any number but zero is true
    exact = exact.contains(0) ? kEither : Wide{1, 1};
  } else if (dtype.scalar == Scalar::kIndex) {
    exact = {std::clamp(exact.lo, type.lo, type.hi), std::clamp(exact.hi, type.lo, type.hi)};
  } else if (exact.lo < type.lo || exact.hi > type.hi) {
    exact = type;
  }
  // Never a point above INT64_MAX: it would look like the exact value INT64_MAX.
  if (exact.hi > INT64_MAX) exact = {std::min(exact.lo, Int128{INT64_MAX} - 1), INT64_MAX};
  return {static_cast<int64_t>(exact.lo), static_cast<int64_t>(exact.hi)};
}

Wide hull(Wide a, Wide b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

// The smallest and largest f(x, y) over the corners of two intervals, for an f that is monotone
// along each side.
template <class F>
Wide corners(Wide a, Wide b, const F& f) {
  const std::array<Int128, 4> values = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
  const auto [lo, hi] = std::ranges::minmax(values);
  return {lo, hi};
}

Wide multiply(Wide a, Wide b) {
  // Two uint64 can multiply to more than 127 bits; then any number that fits no type does.
  return corners(a, b, [](Int128 x, Int128 y) {
    Int128 product = 0;
    return __builtin_mul_overflow(x, y, &product) ? Int128{1} << 100 : product;
  });
}

Int128 floor_divide(Int128 x, Int128 y) {
  const Int128 quotient = x / y;
  return quotient - (x % y != 0 && (x < 0) != (y < 0));
}

// Calls f(part, sign) for the negative and the positive divisors; a zero among them adds the result
// 0.
template <class F>
Wide over_divisors(Wide divisor, const F& f) {
  constexpr Wide kNothing{1, 0};
  Wide result = divisor.contains(0) ? Wide{0, 0} : kNothing;
  const auto include = [&](Wide part) {
    result = result.lo > result.hi ? part : hull(result, part);
  };
  if (divisor.lo < 0) include(f(Wide{divisor.lo, std::min(divisor.hi, Int128{-1})}));
  if (divisor.hi > 0) include(f(Wide{std::max(divisor.lo, Int128{1}), divisor.hi}));
  return result;
}

Wide divide(Wide a, Wide b) {
  return over_divisors(b, [&](Wide divisor) { return corners(a, divisor, floor_divide); });
}

Wide modulo(Wide a, Wide b) {
  return over_divisors(b, [&](Wide divisor) -> Wide {
    if (divisor.lo == divisor.hi) {  // all of a within one period: nothing wraps around
      const Int128 n = divisor.lo, period = floor_divide(a.lo, n);
      if (period == floor_divide(a.hi, n)) return {a.lo - period * n, a.hi - period * n};
    }
    if (divisor.hi < 0) return {divisor.lo + 1, 0};
    if (a.lo >= 0 && a.hi < divisor.lo) return a;
    return {0, a.lo >= 0 ? std::min(a.hi, divisor.hi - 1) : divisor.hi - 1};
  });
}

Wide shift_left(DType dtype, Wide a, Wide count) {
  if (count.lo < 0 || count.hi >= dtype.bits()) return type_range(dtype);
  return corners(a, count,
                 [](Int128 x, Int128 n) { return x * (Int128{1} << static_cast<int>(n)); });
}

Wide shift_right(Wide a, Wide count) {
  if (count.lo < 0) count = {0, kUInt64Max};  // a negative count is past the width of any type
  return corners(
      a, count, [](Int128 x, Int128 n) { return x >> static_cast<int>(std::min(n, Int128{127})); });
}

// The smallest 2^k - 1 that is not below `value`, which int64 holds.
Int128 mask_above(Int128 value) {
  return static_cast<Int128>(std::bit_ceil(static_cast<uint64_t>(value) + 1)) - 1;
}

Wide bitwise(Op op, DType dtype, Wide a, Wide b) {
  const bool is_a_mask = a.lo >= 0, is_b_mask = b.lo >= 0;
  if (op == Op::kAnd && (is_a_mask || is_b_mask)) {
    if (is_a_mask && is_b_mask) return {0, std::min(a.hi, b.hi)};
    return {0, is_a_mask ? a.hi : b.hi};
  }
  const Int128 hi = std::max(a.hi, b.hi);
  if (!is_a_mask || !is_b_mask || hi > INT64_MAX) return type_range(dtype);
  return {op == Op::kOr ? std::max(a.lo, b.lo) : 0, mask_above(hi)};
}

Wide decided(bool value) { return {value, value}; }

Wide compare(Op op, Wide a, Wide b) {
  if (op == Op::kCmpLt) {
    if (a.hi < b.lo) return decided(true);
    return a.lo >= b.hi ? decided(false) : kEither;
  }
  const bool is_different = a.hi < b.lo || b.hi < a.lo;
  const bool is_equal = a.lo == b.hi && a.hi == b.lo;
  if (!is_different && !is_equal) return kEither;
  return decided(is_equal == (op == Op::kCmpEq));
}

// Reads the intervals of the sources of one node.
class Analysis {
 public:
  Analysis(const Graph& graph, Id id, std::span<const Interval> known)
      : graph_(graph), node_(graph[id]), src_(graph.src(id)), known_(known) {}

  Wide result() const {
    const DType dtype = node_.dtype();
    if (is_elementwise(node_.op)) return elementwise();
    switch (node_.op) {
      case Op::kConst: return point(node_.arg);
      case Op::kRange:
      case Op::kSpecial: return {0, std::max(source(0).hi - 1, Int128{0})};
      case Op::kLanes: return {0, node_.lanes - 1};
      case Op::kVariable: return {source(0).lo, std::max(source(0).lo, source(1).hi)};
      case Op::kVectorize: return hull_of_sources();
      case Op::kLane: return lane();
      case Op::kReduce: return reduce();
      case Op::kGetTuple: return tuple_element();
      case Op::kPad:
      case Op::kIndex: return hull(source(0), {0, 0});  // zero outside of the source
      case Op::kBind:
      case Op::kReshape:
      case Op::kPermute:
      case Op::kExpand:
      case Op::kShrink:
      case Op::kFlip:
      case Op::kContiguous:
      case Op::kCopy:
      case Op::kStage:
      case Op::kAfter: return source(0);
      default: return type_range(dtype);
    }
  }

 private:
  Wide interval(Id id) const { return widen(graph_.dtype(id), known_[id]); }
  Wide source(size_t k) const { return interval(src_[k]); }

  // An unsigned number above INT64_MAX is stored as the negative one with the same bits.
  Wide point(int64_t bits) const {
    const bool is_large = bits < 0 && node_.dtype().is_unsigned();
    const Int128 value = is_large ? bits + kUInt64Max + 1 : bits;
    return {value, value};
  }

  bool has_known_sources() const {
    return is_defined(node_.op, graph_.dtype(src_[0])) && std::ranges::all_of(src_, [&](Id source) {
             return is_integral(graph_.dtype(source)) && known_[source].is_point();
           });
  }

  Wide known_value() const {
    std::array<Value, 3> values{};
    for (size_t k = 0; k < src_.size(); k++) values[k] = Value::of_int(known_[src_[k]].lo);
    const std::span<const Value> operands(values.data(), src_.size());
    return point(evaluate(node_.op, node_.dtype(), graph_.dtype(src_[0]), operands).as_int());
  }

  Wide elementwise() const {
    const DType dtype = node_.dtype(), operand = graph_.dtype(src_[0]);
    if (has_known_sources()) return known_value();
    if (is_comparison(node_.op)) {
      return is_integral(operand) ? compare(node_.op, source(0), source(1)) : kEither;
    }
    switch (node_.op) {
      case Op::kCast:
      case Op::kBitcast: return is_integral(operand) ? source(0) : type_range(dtype);
      case Op::kTrunc: return source(0);
      case Op::kNeg: return {-source(0).hi, -source(0).lo};
      case Op::kAdd: return {source(0).lo + source(1).lo, source(0).hi + source(1).hi};
      case Op::kSub: return {source(0).lo - source(1).hi, source(0).hi - source(1).lo};
      case Op::kMul: return multiply(source(0), source(1));
      case Op::kIDiv: return divide(source(0), source(1));
      case Op::kMod: return modulo(source(0), source(1));
      case Op::kMax:
        return {std::max(source(0).lo, source(1).lo), std::max(source(0).hi, source(1).hi)};
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor: return bitwise(node_.op, dtype, source(0), source(1));
      case Op::kShl: return shift_left(dtype, source(0), source(1));
      case Op::kShr: return shift_right(source(0), source(1));
      case Op::kWhere: return where();
      case Op::kMulAcc: return multiply_add();
      default: return type_range(dtype);
    }
  }

  Wide where() const {
    const Wide condition = source(0);
    if (condition.lo == condition.hi) return source(condition.lo != 0 ? 1 : 2);
    return hull(choice(1), choice(2));
  }

  // Below casts that keep every value.
  Id without_casts(Id id) const {
    while (graph_.op(id) == Op::kCast && is_integral(graph_.dtype(graph_.src(id, 0))) &&
           known_[id] == known_[graph_.src(id, 0)]) {
      id = graph_.src(id, 0);
    }
    return id;
  }

  bool is_compared(Id x) const {
    return std::ranges::any_of(graph_.src(src_[0]),
                               [&](Id side) { return without_casts(side) == without_casts(x); });
  }

  // Sum or product with a constant, or cast, of its first source.
  bool is_step(Id id) const {
    const Op op = graph_.op(id);
    if (op == Op::kCast) return is_integral(graph_.dtype(graph_.src(id, 0)));
    return (op == Op::kAdd || op == Op::kMul) && known_[graph_.src(id, 1)].is_point();
  }

  Wide after_step(Id id, Wide values) const {
    if (graph_.op(id) == Op::kCast) return values;
    const Wide other = interval(graph_.src(id, 1));
    if (graph_.op(id) == Op::kMul) return multiply(values, other);
    return {values.lo + other.lo, values.hi + other.hi};
  }

  // What a WHERE can choose as its k-th source: some steps above what its condition compares.
  Wide choice(size_t k) const {
    if (graph_.op(src_[0]) != Op::kCmpLt || !is_integral(node_.dtype())) return source(k);
    std::array<Id, 6> steps{};
    size_t count = 0;
    Id base = src_[k];
    for (; !is_compared(base); base = graph_.src(base, 0)) {
      if (!is_step(base) || count == steps.size()) return source(k);
      steps[count++] = base;
    }
    Wide values = where_chosen(interval(base), without_casts(base), k == 1);
    if (values.lo > values.hi) return source(k);
    while (count > 0) {
      const Id step = steps[--count];
      values = after_step(step, values);
      const Wide type = type_range(graph_.dtype(step));
      if (!type.contains(values.lo) || !type.contains(values.hi)) return source(k);  // may wrap
    }
    return values;
  }

  // `all`, the values of `x`, without those for which the comparison would choose the other one.
  Wide where_chosen(Wide all, Id x, bool is_less) const {
    const Id left = graph_.src(src_[0], 0), right = graph_.src(src_[0], 1);
    const Wide low = interval(left), high = interval(right);
    if (without_casts(left) == x) {
      (is_less ? all.hi : all.lo) =
          is_less ? std::min(all.hi, high.hi - 1) : std::max(all.lo, high.lo);
    } else if (without_casts(right) == x) {
      (is_less ? all.lo : all.hi) =
          is_less ? std::max(all.lo, low.lo + 1) : std::min(all.hi, low.hi);
    }
    return all;
  }

  Wide multiply_add() const {
    const Wide product = multiply(source(0), source(1));
    return {product.lo + source(2).lo, product.hi + source(2).hi};
  }

  Wide hull_of_sources() const {
    Wide result = source(0);
    for (size_t k = 1; k < src_.size(); k++) result = hull(result, source(k));
    return result;
  }

  Wide lane() const {
    const Node& vector = graph_[src_[0]];
    if (vector.op == Op::kLanes) return {node_.arg, node_.arg};
    const bool has_own_source =
        vector.op == Op::kVectorize && node_.arg >= 0 && node_.arg < vector.src_count;
    if (!has_own_source) return source(0);
    const Id element = graph_.src(src_[0])[node_.arg];
    return widen(graph_.dtype(element), known_[element]);
  }

  Wide tuple_element() const {
    const std::span<const Id> elements = graph_.src(src_[0]);
    const bool is_there =
        graph_.op(src_[0]) == Op::kTuple && node_.arg >= 0 && node_.arg < std::ssize(elements);
    if (!is_there) return type_range(node_.dtype());
    const Id element = elements[node_.arg];
    return widen(graph_.dtype(element), known_[element]);
  }

  // How many values a reduction takes in. One without ranges has none left, and takes in one.
  Wide count() const {
    Wide total{1, 1};
    for (Id range : src_.subspan(1)) {
      if (graph_.op(range) != Op::kRange) return {0, INT64_MAX};
      const Interval size = known_[graph_.src(range, 0)];
      total = multiply(total, {std::max<Int128>(size.lo, 0), std::max<Int128>(size.hi, 0)});
      if (total.hi > INT64_MAX) return {0, INT64_MAX};
    }
    const bool has_axes = graph_.ints_of(node_.arg).size() > 1;  // of a tensor
    return has_axes ? Wide{0, INT64_MAX} : total;
  }

  Wide reduce() const {
    const Wide value = source(0), steps = count(), type = type_range(node_.dtype());
    const std::span<const int64_t> op = graph_.ints_of(node_.arg);
    if (op.empty()) return type;
    if (op[0] == static_cast<int64_t>(Op::kAdd)) return multiply(value, steps);
    if (op[0] == static_cast<int64_t>(Op::kMax))
      return {steps.lo > 0 ? value.lo : type.lo, value.hi};
    return type;
  }

  const Graph& graph_;
  const Node& node_;
  std::span<const Id> src_;
  std::span<const Interval> known_;
};

Interval compute(const Graph& graph, Id id, std::span<const Interval> known) {
  const DType dtype = graph.dtype(id);
  if (!is_integral(dtype)) return {};
  return narrow(dtype, Analysis(graph, id, known).result());
}

}  // namespace

Interval Bounds::of(const Graph& graph, Id id) {
  while (intervals_.size() <= id) {
    intervals_.push_back(compute(graph, static_cast<Id>(intervals_.size()), intervals_));
  }
  return intervals_[id];
}

}  // namespace loom
