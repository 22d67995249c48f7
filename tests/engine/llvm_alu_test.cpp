// Every elementwise operation, compiled by LLVM, against its definition in ir/evaluate.h.
#include <gtest/gtest.h>

#include <random>

#include "base/str.h"
#include "tests/engine/kernel_builder.h"

namespace loom {
namespace {

constexpr int kLanes = 16;

// Decompositions leave nothing to compute in 16-bit floats.
constexpr DType kComputed[] = {kBool,   kInt8,  kUInt8,  kInt16,   kUInt16, kInt32,
                               kUInt32, kInt64, kUInt64, kFloat32, kFloat64};

std::vector<double> interesting_floats() {
  const double inf = std::numeric_limits<double>::infinity();
  return {0.0,
          -0.0,
          1.0,
          -1.0,
          0.5,
          -0.5,
          1.5,
          -1.5,
          2.5,
          3.0,
          -7.25,
          127.0,
          128.0,
          -128.0,
          -129.0,
          255.0,
          256.0,
          65504.0,
          65536.0,
          1e-8,
          1e-40,
          -1e-42,
          5e-324,
          1e10,
          -1e10,
          2147483647.0,
          -2147483648.0,
          4294967295.0,
          4294967296.0,
          9.3e18,
          -9.3e18,
          1.9e19,
          3e38,
          1e300,
          inf,
          -inf,
          std::numeric_limits<double>::quiet_NaN()};
}

std::vector<Value> interesting_values(DType dtype) {
  std::vector<Value> values;
  if (dtype.is_float()) {
    for (double x : interesting_floats()) values.push_back(Value::of_float(round_to(dtype, x)));
  } else {
    for (int64_t x : {0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 8, 63, 100, -100, 127, -128, 255, 30000})
      values.push_back(Value::of_int(wrap_to(dtype, x)));
    for (int64_t x :
         {dtype.min_value(), dtype.max_value(), dtype.max_value() - 1, int64_t{1} << 40})
      values.push_back(Value::of_int(wrap_to(dtype, x)));
  }
  return values;
}

/// Values as they lie in a buffer.
class Column {
 public:
  explicit Column(DType dtype) : dtype_(dtype) {}

  void push(Value value) {
    const uint64_t bits = memory_bits(dtype_, value);
    const auto* first = reinterpret_cast<const uint8_t*>(&bits);
    bytes_.insert(bytes_.end(), first, first + dtype_.bytes());
  }
  Value at(size_t k) const {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes_.data() + k * dtype_.bytes(), static_cast<size_t>(dtype_.bytes()));
    return from_memory_bits(dtype_, bits);
  }
  size_t size() const { return bytes_.size() / dtype_.bytes(); }
  void resize(size_t n) { bytes_.resize(n * dtype_.bytes()); }
  uint8_t* data() { return bytes_.data(); }

 private:
  DType dtype_;
  std::vector<uint8_t> bytes_;
};

/// result[i] = op(x[i], y[i], ..) over `n` elements, `lanes` at a time.
LoweredKernel elementwise_kernel(Op op, DType result, std::span<const DType> operands, int64_t n,
                                 int lanes) {
  KernelBuilder b;
  const Id i = b.loop(n / lanes, 0);
  const Id offset = b.put(mul(b.g, i, index_const(b.g, lanes)));
  std::vector<Id> values;
  for (size_t k = 0; k < operands.size(); ++k)
    values.push_back(
        b.load_at(b.param(static_cast<int64_t>(k) + 1, operands[k], n), offset, lanes));
  const Id value = b.put(b.g.add(op, result.vec(lanes), values));
  b.store_at(b.param(0, result, n), offset, value);
  b.end(b.order.back(), i);
  return b.finish();
}

bool same(DType dtype, Value a, Value b) {
  if (dtype.is_float() && std::isnan(a.as_float()) && std::isnan(b.as_float())) return true;
  return a == b;
}

void expect_as_evaluated(Op op, DType result, std::vector<DType> operands,
                         std::vector<Column> columns, const Target& target) {
  const size_t n = columns[0].size();
  const DType operand = operands[op == Op::kWhere ? 1 : 0];
  for (int lanes : {1, kLanes}) {
    const auto program =
        compiled(elementwise_kernel(op, result, operands, static_cast<int64_t>(n), lanes), target);
    Column out(result);
    out.resize(n);
    std::vector<void*> buffers = {out.data()};
    for (Column& column : columns) buffers.push_back(column.data());
    program->launch(buffers, {}, {});
    for (size_t k = 0; k < n; ++k) {
      std::vector<Value> src;
      for (const Column& column : columns) src.push_back(column.at(k));
      const Value expected = evaluate(op, result, operand, src);
      ASSERT_TRUE(same(result, out.at(k), expected))
          << name(op) << " of " << name(operand) << " to " << name(result) << ", " << lanes
          << " lanes, " << target.cpu << ": " << src[0].bits << " "
          << (src.size() > 1 ? src[1].bits : 0) << " gave " << out.at(k).bits << " instead of "
          << expected.bits;
    }
  }
}

/// All combinations of the interesting values, filled up to a multiple of the lanes. `allowed` says
/// which the op defines for a renderer: decompositions guard the others.
template <class Allowed>
std::vector<Column> combinations(const std::vector<DType>& operands, const Allowed& allowed) {
  std::vector<Column> columns(operands.begin(), operands.end());
  std::vector<std::vector<Value>> choices;
  size_t total = 1;
  for (DType dtype : operands) {
    choices.push_back(interesting_values(dtype));
    total *= choices.back().size();
  }
  size_t kept = 0;
  for (size_t k = 0; k < total || kept % kLanes != 0; ++k) {
    std::vector<Value> row;
    for (size_t rest = k % total, c = 0; c < choices.size(); rest /= choices[c++].size())
      row.push_back(choices[c][rest % choices[c].size()]);
    if (!allowed(row)) continue;
    ++kept;
    for (size_t c = 0; c < row.size(); ++c) columns[c].push(row[c]);
  }
  return columns;
}

std::vector<Column> combinations(const std::vector<DType>& operands) {
  return combinations(operands, [](const auto&) { return true; });
}

class LlvmAlu : public testing::TestWithParam<bool> {
 protected:
  Target target() const { return GetParam() ? host_target() : generic_host(); }

  void check(Op op, DType dtype, int arity, DType result) {
    const std::vector<DType> operands(arity, dtype);
    expect_as_evaluated(op, result, operands, combinations(operands), target());
  }
};

TEST_P(LlvmAlu, UnaryOpsAreAsDefined) {
  for (DType dtype : kComputed) {
    if (dtype.is_float())
      for (Op op : {Op::kSqrt, Op::kRecip, Op::kTrunc, Op::kNeg}) check(op, dtype, 1, dtype);
    else if (!dtype.is_bool())
      check(Op::kNeg, dtype, 1, dtype);
  }
}

TEST_P(LlvmAlu, ArithmeticIsAsDefined) {
  for (DType dtype : kComputed)
    for (Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kMax}) check(op, dtype, 2, dtype);
  for (DType dtype : {kFloat32, kFloat64}) check(Op::kFDiv, dtype, 2, dtype);
}

TEST_P(LlvmAlu, ComparisonsAreAsDefined) {
  for (DType dtype : kComputed)
    for (Op op : {Op::kCmpLt, Op::kCmpNe, Op::kCmpEq}) check(op, dtype, 2, kBool);
}

TEST_P(LlvmAlu, BitwiseOpsAreAsDefined) {
  for (DType dtype : kComputed)
    if (!dtype.is_float())
      for (Op op : {Op::kAnd, Op::kOr, Op::kXor}) check(op, dtype, 2, dtype);
}

TEST_P(LlvmAlu, ShiftsWithinTheWidthAreAsDefined) {
  for (DType dtype : kComputed) {
    if (dtype.is_float() || dtype.is_bool()) continue;
    const auto in_range = [&](const std::vector<Value>& row) {
      return row[1].as_int() >= 0 && row[1].as_int() < dtype.bits();
    };
    for (Op op : {Op::kShl, Op::kShr})
      expect_as_evaluated(op, dtype, {dtype, dtype}, combinations({dtype, dtype}, in_range),
                          target());
  }
}

TEST_P(LlvmAlu, DivisionFloorsAndModuloTakesTheDivisorsSign) {
  for (DType dtype : kComputed) {
    if (dtype.is_float() || dtype.is_bool()) continue;
    const auto is_guarded = [&](const std::vector<Value>& row) {
      const bool overflows = dtype.is_signed_int() && row[1].as_int() == -1;
      return row[1].as_int() != 0 && !overflows;
    };
    for (Op op : {Op::kIDiv, Op::kMod})
      expect_as_evaluated(op, dtype, {dtype, dtype}, combinations({dtype, dtype}, is_guarded),
                          target());
  }
}

TEST_P(LlvmAlu, MulAccRoundsOnce) {
  for (DType dtype : kComputed) check(Op::kMulAcc, dtype, 3, dtype);
}

TEST_P(LlvmAlu, WhereChoosesValuesOfEveryType) {
  std::vector<DType> all(std::begin(kComputed), std::end(kComputed));
  all.insert(all.end(), {kFloat16, kBFloat16});
  for (DType dtype : all) {
    const std::vector<DType> operands = {kBool, dtype, dtype};
    expect_as_evaluated(Op::kWhere, dtype, operands, combinations(operands), target());
  }
}

TEST_P(LlvmAlu, CastsAreAsDefined) {
  for (DType from : kComputed)
    for (DType to : kComputed)
      expect_as_evaluated(Op::kCast, to, {from}, combinations({from}), target());
}

TEST_P(LlvmAlu, BitcastsAreAsDefined) {
  const DType pairs[][2] = {{kFloat32, kInt32}, {kInt32, kFloat32},   {kFloat64, kUInt64},
                            {kInt64, kFloat64}, {kFloat16, kUInt16},  {kInt16, kFloat16},
                            {kUInt8, kInt8},    {kBFloat16, kUInt16}, {kBool, kUInt8}};
  for (auto [from, to] : pairs)
    expect_as_evaluated(Op::kBitcast, to, {from}, combinations({from}), target());
}

TEST(LlvmHalf, AllHalvesConvertToFloat32AndBackWhereTheHostHasInstructions) {
  if (host_target().features.find("+f16c") == std::string::npos) GTEST_SKIP();
  Column halves(kFloat16), floats(kFloat32);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = float_from_half(static_cast<uint16_t>(bits));
    halves.push(Value::of_float(value));
    floats.push(Value::of_float(std::nextafter(value, 1e9f)));
  }
  expect_as_evaluated(Op::kCast, kFloat32, {kFloat16}, {halves}, host_target());
  expect_as_evaluated(Op::kCast, kFloat16, {kFloat32}, {floats}, host_target());
}

INSTANTIATE_TEST_SUITE_P(Targets, LlvmAlu, testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "host" : "generic"; });

}  // namespace
}  // namespace loom
