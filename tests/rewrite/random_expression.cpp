#include "tests/rewrite/random_expression.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/str.h"
#include "ir/build.h"

namespace loom::testing {
namespace {

constexpr std::array kScalars = {kBool,  kInt8,   kUInt8,   kInt16,    kUInt16,  kInt32,   kUInt32,
                                 kInt64, kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64, kIndex};

constexpr std::array kIntegerOps = {Op::kAdd,  Op::kAdd, Op::kSub, Op::kMul,
                                    Op::kIDiv, Op::kMod, Op::kMax};
constexpr std::array kBitOps = {Op::kAnd, Op::kOr, Op::kXor, Op::kShl, Op::kShr};
constexpr std::array kFloatOps = {Op::kAdd, Op::kSub, Op::kMul, Op::kFDiv, Op::kMax};
constexpr std::array kFloatUnary = {Op::kSqrt, Op::kRecip, Op::kNeg, Op::kTrunc};
constexpr std::array kBoolOps = {Op::kAnd, Op::kOr, Op::kXor};
constexpr std::array kComparisons = {Op::kCmpLt, Op::kCmpLt, Op::kCmpNe, Op::kCmpEq};

constexpr std::array kFloats = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                2.0,
                                0.5,
                                -3.0,
                                1e30,
                                -1e-30,
                                65504.0,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};

}  // namespace

DType RandomExpression::any_dtype() {
  if (dtypes_ == kIndices) return kIndex;
  const DType dtype = one_in(3) ? kIndex : kScalars[below(kScalars.size())];
  return one_in(8) ? dtype.vec(4) : dtype;
}

Id RandomExpression::constant(DType dtype) {
  if (dtype.is_float()) return loom::constant(g_, dtype, kFloats[below(kFloats.size())]);
  const size_t choice = below(10);
  if (choice < 7 || dtype.scalar == Scalar::kIndex)
    return loom::constant(g_, dtype, between(-6, 12));
  if (choice == 7) return loom::constant(g_, dtype, int64_t{1} << below(63));
  if (choice == 8) return loom::constant(g_, dtype, dtype.min_value() + between(0, 1));
  return loom::constant(g_, dtype, dtype.max_value() - between(0, 1));
}

Id RandomExpression::leaf(DType dtype) {
  if (!leaves_.empty() && !one_in(3)) {
    const Id known = leaves_[below(leaves_.size())];
    if (g_.dtype(known) == dtype) return known;
  }
  int64_t lo = 0, hi = 1;
  if (dtype.is_int()) {
    const bool is_wide = dtype.scalar != Scalar::kIndex && one_in(3);
    lo = is_wide ? dtype.min_value() : dtype.is_unsigned() ? between(0, 4) : between(-4, 4);
    hi = is_wide ? dtype.max_value() : lo + between(0, 8);
  }
  const DType element = dtype.element();
  const Id id = g_.add(Op::kVariable, dtype,
                       {loom::constant(g_, element, lo), loom::constant(g_, element, hi)},
                       g_.text(str("v", leaves_.size())));
  leaves_.push_back(id);
  return id;
}

Id RandomExpression::make(DType dtype, int depth) {
  if (dtypes_ == kIndices && dtype.is_bool() && depth <= 1) {
    return binary(g_, one_in(4) ? Op::kCmpEq : Op::kCmpLt, leaf(kIndex),
                  one_in(2) ? leaf(kIndex) : constant(kIndex));
  }
  if (depth <= 0 || (one_in(6) && !(dtypes_ == kIndices && dtype.is_bool())))
    return one_in(3) ? constant(dtype) : leaf(dtype);
  if (dtype.lanes > 1 && one_in(3))
    return broadcast(g_, make(dtype.element(), depth - 1), dtype.lanes);
  if (one_in(10)) {
    return g_.add(
        Op::kWhere, dtype,
        {make(kBool.vec(dtype.lanes), depth - 1), make(dtype, depth - 1), make(dtype, depth - 1)});
  }
  if (dtypes_ == kAll && one_in(12) && dtype.scalar != Scalar::kIndex) {
    DType from = any_dtype();
    from.lanes = dtype.lanes;
    return cast(g_, make(from, depth - 1), dtype);
  }
  if (dtype.is_bool()) return boolean(dtype, depth);
  if (dtype.is_float()) return floating(dtype, depth);
  return one_in(3) ? linear(dtype, depth) : integer(dtype, depth);
}

Id RandomExpression::linear(DType dtype, int depth) {
  Id sum = binary(g_, Op::kMul, make(dtype, depth - 1), constant(dtype));
  for (size_t i = below(3); i-- > 0;) {
    const Id term = make(dtype, depth - 1);
    sum = binary(g_, Op::kAdd, sum, one_in(2) ? term : binary(g_, Op::kMul, term, constant(dtype)));
  }
  return one_in(2) ? sum : binary(g_, Op::kAdd, sum, constant(dtype));
}

Id RandomExpression::integer(DType dtype, int depth) {
  if (one_in(12)) return unary(g_, Op::kNeg, make(dtype, depth - 1));
  const bool is_index = dtype.scalar == Scalar::kIndex;
  const Op op = is_index || !one_in(4) ? kIntegerOps[below(kIntegerOps.size())]
                                       : kBitOps[below(kBitOps.size())];
  const Id right = one_in(2) ? constant(dtype) : make(dtype, depth - 1);
  return binary(g_, op, make(dtype, depth - 1), right);
}

Id RandomExpression::floating(DType dtype, int depth) {
  if (one_in(5)) return unary(g_, kFloatUnary[below(kFloatUnary.size())], make(dtype, depth - 1));
  return binary(g_, kFloatOps[below(kFloatOps.size())], make(dtype, depth - 1),
                make(dtype, depth - 1));
}

Id RandomExpression::boolean(DType dtype, int depth) {
  if (one_in(6)) return binary(g_, Op::kXor, make(dtype, depth - 1), loom::constant(g_, dtype, 1));
  if (one_in(2))
    return binary(g_, kBoolOps[below(kBoolOps.size())], make(dtype, depth - 1),
                  make(dtype, depth - 1));
  DType operand = any_dtype();
  operand.lanes = dtype.lanes;
  const Op op = kComparisons[below(kComparisons.size())];
  return g_.add(op, dtype, {make(operand, depth - 1), make(operand, depth - 1)});
}

Value RandomExpression::random_value(Id leaf) {
  const DType dtype = g_.dtype(leaf);
  if (dtype.is_float()) {
    const double value =
        one_in(2) ? kFloats[below(kFloats.size())] : static_cast<double>(between(-1000, 1000)) / 7;
    return Value::of_float(round_to(dtype, value));
  }
  if (dtype.is_bool()) return Value::of_int(between(0, 1));
  const int64_t lo = g_.arg(g_.src(leaf, 0)), hi = g_.arg(g_.src(leaf, 1));
  if (one_in(4)) return Value::of_int(one_in(2) ? lo : hi);
  const bool holds_small = lo < -20 && hi > 20;
  return Value::of_int(holds_small && one_in(2) ? between(-20, 20) : between(lo, hi));
}

Assignment RandomExpression::random_assignment() {
  Assignment assignment;
  for (Id leaf : leaves_) {
    Lanes& lanes = assignment.emplace_back();
    for (int i = 0; i < g_.dtype(leaf).lanes; i++) lanes.push_back(random_value(leaf));
  }
  return assignment;
}

Assignment RandomExpression::first_assignment() const {
  Assignment assignment;
  for (Id leaf : leaves_) assignment.push_back({Value::of_int(g_.arg(g_.src(leaf, 0)))});
  return assignment;
}

bool RandomExpression::next_assignment(Assignment& assignment) const {
  for (size_t i = 0; i < leaves_.size(); i++) {
    const int64_t lo = g_.arg(g_.src(leaves_[i], 0)), hi = g_.arg(g_.src(leaves_[i], 1));
    if (++assignment[i][0].bits <= hi) return true;
    assignment[i][0].bits = lo;
  }
  return false;
}

namespace {

Lanes evaluate_node(const Graph& g, Id id, const std::vector<Lanes>& values) {
  const Node& node = g[id];
  const std::span<const Id> src = g.src(id);
  Lanes result;
  for (size_t lane = 0; lane < node.lanes; lane++) {
    if (node.op == Op::kConst) {
      result.push_back({node.arg});
    } else if (node.op == Op::kVectorize) {
      result.push_back(values[src[src.size() == 1 ? 0 : lane]][0]);
    } else if (node.op == Op::kLane) {
      result.push_back(values[src[0]][static_cast<size_t>(node.arg)]);
    } else if (node.op == Op::kLanes) {
      result.push_back(Value::of_int(static_cast<int64_t>(lane)));
    } else {
      std::array<Value, 3> operands;
      for (size_t k = 0; k < src.size(); k++) operands[k] = values[src[k]].at(lane);
      const DType operand = g.dtype(src[node.op == Op::kWhere ? 1 : 0]).element();
      result.push_back(loom::evaluate(node.op, node.dtype().element(), operand,
                                      std::span(operands).first(src.size())));
    }
  }
  return result;
}

}  // namespace

Lanes evaluate(const Graph& g, Id root, const std::vector<Id>& leaves,
               const Assignment& assignment) {
  std::vector<Lanes> values(root + 1);
  for (size_t i = 0; i < leaves.size(); i++) {
    if (leaves[i] <= root) values[leaves[i]] = assignment[i];
  }
  for (Id id : reachable(g, root)) {
    if (values[id].empty()) values[id] = evaluate_node(g, id, values);
  }
  return values[root];
}

bool same(DType dtype, const Lanes& a, const Lanes& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++) {
    const bool are_nans =
        dtype.is_float() && std::isnan(a[i].as_float()) && std::isnan(b[i].as_float());
    if (a[i] != b[i] && !are_nans) return false;
  }
  return true;
}

std::string text(const Graph& g, const std::vector<Id>& leaves, const Assignment& assignment) {
  std::string result;
  for (size_t i = 0; i < leaves.size(); i++) {
    result += str(i == 0 ? "" : ", ", g.text_of(g.arg(leaves[i])), " =");
    for (const Value value : assignment[i]) {
      if (g.dtype(leaves[i]).is_float())
        result += str(" ", value.as_float());
      else
        result += str(" ", value.as_int());
    }
  }
  return result;
}

namespace {

// What a node can become while shrinking, simplest first.
std::vector<Id> simpler(Graph& g, Id id) {
  std::vector<Id> result;
  const DType dtype = g.dtype(id);
  if (is_const(g, id) || dtype.is_void()) return result;
  if (!(g.op(id) == Op::kVectorize && is_const(g, g.src(id, 0)))) {
    result.push_back(constant(g, dtype, 0));
    result.push_back(constant(g, dtype, 1));
  }
  const std::vector<Id> src(g.src(id).begin(), g.src(id).end());
  for (Id source : src) {
    if (g.op(id) != Op::kVariable && g.dtype(source) == dtype) result.push_back(source);
  }
  return result;
}

}  // namespace

Id shrink(Graph& g, Id root, const std::function<bool(Id)>& fails) {
  bool is_smaller = true;
  while (is_smaller) {
    is_smaller = false;
    const size_t size = reachable(g, root).size();
    const std::vector<Id> nodes = reachable(g, root);
    for (size_t i = nodes.size(); i-- > 0 && !is_smaller;) {
      for (Id replacement : simpler(g, nodes[i])) {
        const Id next = substitute(g, root, std::span(&nodes[i], 1), std::span(&replacement, 1));
        if (reachable(g, next).size() >= size || !fails(next)) continue;
        root = next;
        is_smaller = true;
        break;
      }
    }
  }
  return root;
}

int rounds(int count) {
  const char* factor = std::getenv("LOOM_FUZZ_ROUNDS");
  return factor == nullptr ? count : count * std::atoi(factor);
}

uint64_t base_seed() {
  const char* seed = std::getenv("LOOM_FUZZ_SEED");
  return seed == nullptr ? 20240601 : std::strtoull(seed, nullptr, 10);
}

}  // namespace loom::testing
