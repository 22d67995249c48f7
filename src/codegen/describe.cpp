#include "codegen/describe.h"

#include <algorithm>

#include "base/log.h"
#include "codegen/kernel.h"

namespace loom {
namespace {

/// a * b, or the largest number where that is larger.
int64_t saturating_product(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t saturating_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/// How often a loop or launch index takes another value, at most.
int64_t trip_count(const Graph& g, Id range) { return g.bounds(g.src(range, 0)).hi; }

Color color_of(AxisType type) {
  switch (type) {
    case AxisType::kReduce: return Color::kRed;
    case AxisType::kUnroll: return Color::kMagenta;
    case AxisType::kUpcast: return Color::kYellow;
    case AxisType::kVector: return Color::kGreen;
    case AxisType::kThread: return Color::kCyan;
    default: return Color::kPlain;
  }
}

/// The name, with `write(type, size)` saying how a size is written.
template <class Write>
std::string name_of(const Graph& g, Id sink, const Write& write) {
  const auto is_reduce = [&](Id id) { return g.op(id) == Op::kReduce; };
  std::string text = std::ranges::any_of(reachable(g, sink), is_reduce) ? "r" : "e";
  for (Id range : kernel_ranges(g, sink)) {
    const int64_t size = range_size(g, range);
    if (size == 1) continue;
    text += "_" + write(axis_type(g, range), size == 0 ? "n" : std::to_string(size));
  }
  return text;
}

}  // namespace

std::string kernel_name(const Graph& g, Id sink) {
  return name_of(g, sink, [](AxisType, const std::string& size) { return size; });
}

std::string painted_kernel_name(const Graph& g, Id sink) {
  return name_of(g, sink, [](AxisType type, const std::string& size) {
    const Color color = color_of(type);
    return color == Color::kPlain ? size : paint(color, size);
  });
}

int64_t count_flops(const Graph& g, Id linear) {
  int64_t total = 0;
  std::vector<int64_t> times{1};  // how often each open loop's body runs, innermost last
  for (Id id : g.src(linear)) {
    const Op op = g.op(id);
    if (op == Op::kSpecial) times[0] = saturating_product(times[0], trip_count(g, id));
    if (op == Op::kRange) times.push_back(saturating_product(times.back(), trip_count(g, id)));
    if (op == Op::kEnd) times.pop_back();
    if (!is_alu(op) || !g.dtype(g.src(id).back()).is_float()) continue;
    const int64_t operations = (op == Op::kMulAcc ? 2 : 1) * g.dtype(id).lanes;
    total = saturating_sum(total, saturating_product(operations, times.back()));
  }
  return total;
}

int64_t count_bytes(const Graph& g, Id root) {
  int64_t total = 0;
  for (Id id : reachable(g, root)) {
    if (g.op(id) != Op::kParam) continue;
    const int64_t elements = trip_count(g, id);
    total = saturating_sum(total, saturating_product(elements, g.dtype(id).bytes()));
  }
  return total;
}

}  // namespace loom
