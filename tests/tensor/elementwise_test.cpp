// Every element-wise operation against a plain C++ loop, on every dtype it is defined for.
#include <limits>

#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const std::vector<DType> kIntegers = {kInt8,  kUInt8,  kInt16, kUInt16,
                                      kInt32, kUInt32, kInt64, kUInt64};
const std::vector<DType> kFloats = {kFloat16, kBFloat16, kFloat32, kFloat64};

struct BinaryCase {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&)> tensor;
  std::function<int64_t(int64_t, int64_t)> integer;  // null: not defined
  std::function<double(double, double)> real;
  bool is_comparison = false;
};

int64_t floor_div(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

const BinaryCase kBinary[] = {
    {"+", [](auto& a, auto& b) { return a + b; }, [](int64_t a, int64_t b) { return a + b; },
     [](double a, double b) { return a + b; }},
    {"-", [](auto& a, auto& b) { return a - b; }, [](int64_t a, int64_t b) { return a - b; },
     [](double a, double b) { return a - b; }},
    {"*", [](auto& a, auto& b) { return a * b; }, [](int64_t a, int64_t b) { return a * b; },
     [](double a, double b) { return a * b; }},
    {"/", [](auto& a, auto& b) { return a / b; }, nullptr,
     [](double a, double b) { return a / b; }},
    {"floor_div", [](auto& a, auto& b) { return a.floor_div(b); }, floor_div,
     [](double a, double b) { return std::floor(a / b); }},
    {"%", [](auto& a, auto& b) { return a % b; },
     [](int64_t a, int64_t b) { return b == 0 ? 0 : a - floor_div(a, b) * b; },
     [](double a, double b) { return a - std::floor(a / b) * b; }},
    {"maximum", [](auto& a, auto& b) { return maximum(a, b); },
     [](int64_t a, int64_t b) { return std::max(a, b); },
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? kNaN : std::max(a, b); }},
    {"minimum", [](auto& a, auto& b) { return minimum(a, b); },
     [](int64_t a, int64_t b) { return std::min(a, b); },
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? kNaN : std::min(a, b); }},
    {"&", [](auto& a, auto& b) { return a & b; }, [](int64_t a, int64_t b) { return a & b; },
     nullptr},
    {"|", [](auto& a, auto& b) { return a | b; }, [](int64_t a, int64_t b) { return a | b; },
     nullptr},
    {"^", [](auto& a, auto& b) { return a ^ b; }, [](int64_t a, int64_t b) { return a ^ b; },
     nullptr},
    {"==", [](auto& a, auto& b) { return a == b; },
     [](int64_t a, int64_t b) { return int64_t{a == b}; },
     [](double a, double b) { return a == b; }, true},
    {"!=", [](auto& a, auto& b) { return a != b; },
     [](int64_t a, int64_t b) { return int64_t{a != b}; },
     [](double a, double b) { return a != b; }, true},
    {"<", [](auto& a, auto& b) { return a < b; },
     [](int64_t a, int64_t b) { return int64_t{a < b}; }, [](double a, double b) { return a < b; },
     true},
    {"<=", [](auto& a, auto& b) { return a <= b; },
     [](int64_t a, int64_t b) { return int64_t{a <= b}; },
     [](double a, double b) { return a <= b; }, true},
    {">", [](auto& a, auto& b) { return a > b; },
     [](int64_t a, int64_t b) { return int64_t{a > b}; }, [](double a, double b) { return a > b; },
     true},
    {">=", [](auto& a, auto& b) { return a >= b; },
     [](int64_t a, int64_t b) { return int64_t{a >= b}; },
     [](double a, double b) { return a >= b; }, true},
};

TEST(Binary, MatchesCppOnIntegersOfEveryWidth) {
  for (const std::string& device : devices()) {
    for (DType dtype : kIntegers) {
      const double low = dtype.is_unsigned() ? 0 : -9, high = dtype.bits() == 8 ? 120 : 30000;
      const std::vector<double> a = sample(40, low, high, 1), b = sample(40, low, 9, 2);
      const Tensor x = tensor_of(a, {40}, dtype, device), y = tensor_of(b, {40}, dtype, device);
      for (const BinaryCase& op : kBinary) {
        if (op.integer == nullptr) continue;
        SCOPED_TRACE(str(op.name, " ", name(dtype), " ", device));
        std::vector<double> expected;
        for (size_t i = 0; i < a.size(); i++) {
          const int64_t exact = op.integer(static_cast<int64_t>(a[i]), static_cast<int64_t>(b[i]));
          expected.push_back(dtype == kUInt64 ? static_cast<double>(static_cast<uint64_t>(exact))
                                              : static_cast<double>(wrap_to(dtype, exact)));
        }
        expect_values(op.tensor(x, y), expected, {40}, op.is_comparison ? kBool : dtype);
      }
    }
  }
}

TEST(Binary, MatchesCppOnFloatsOfEveryWidth) {
  for (const std::string& device : devices()) {
    for (DType dtype : kFloats) {
      std::vector<double> a = {0, -0.0, 1, -1.5, kInf, -kInf, kNaN, 3, kNaN, 7.25, -7.25, kInf, 0};
      std::vector<double> b = {-0.0, 0, 3, 0.5, 2, kInf, 1, kNaN, kNaN, 2, 2, kInf, 5};
      const Tensor x = tensor_of(a, {13}, dtype, device), y = tensor_of(b, {13}, dtype, device);
      for (const BinaryCase& op : kBinary) {
        if (op.real == nullptr) continue;
        SCOPED_TRACE(str(op.name, " ", name(dtype), " ", device));
        std::vector<double> expected;
        for (size_t i = 0; i < a.size(); i++)
          expected.push_back(round_to(dtype, op.real(a[i], b[i])));
        // The remainder of floats is made of a rounded quotient and a rounded product.
        const double tolerance = std::string_view(op.name) == "%" ? 2 : 0;
        expect_values(op.tensor(x, y), expected, {13}, op.is_comparison ? kBool : dtype, tolerance);
      }
    }
  }
}

TEST(Binary, ReadsAnyLayoutAndBroadcasts) {
  for (const std::string& device : devices()) {
    const std::vector<double> data = sample(12, -50, 50);
    const Tensor x = tensor_of(data, {3, 4}, kInt32, device).realize();
    const auto at = [&](int64_t i, int64_t j) { return data[static_cast<size_t>(i * 4 + j)]; };
    struct {
      Tensor left, right;
      std::function<double(int64_t, int64_t)> expected;
    } const cases[] = {
        {x.t(), x[0].unsqueeze(1), [&](int64_t i, int64_t j) { return at(j, i) + at(0, i); }},
        {x.t().flip(0), x.t(), [&](int64_t i, int64_t j) { return at(j, 3 - i) + at(j, i); }},
        {x.shrink({{0, 3}, {1, 2}}).reshape({3}), x.t(),
         [&](int64_t i, int64_t j) { return at(j, 1) + at(j, i); }},
        {x.t(), Tensor(1000).to(device), [&](int64_t i, int64_t j) { return at(j, i) + 1000; }},
        {x.t(), x.sum().cast(kInt32),
         [&](int64_t i, int64_t j) {
           double total = 0;
           for (double v : data) total += v;
           return at(j, i) + total;
         }},
    };
    for (const auto& c : cases) {
      std::vector<double> expected;
      for (int64_t i = 0; i < 4; i++) {
        for (int64_t j = 0; j < 3; j++) expected.push_back(c.expected(i, j));
      }
      expect_values(c.left + c.right, expected, {4, 3}, kInt32);
    }
  }
}

TEST(Binary, OfEmptyTensorsIsEmpty) {
  const Tensor empty = Tensor::zeros({0, 3});
  EXPECT_EQ((empty + empty).shape(), (Shape{0, 3}));
  EXPECT_EQ((empty * Tensor::ones({4, 1, 1})).shape(), (Shape{4, 0, 3}));
  EXPECT_EQ((empty < 1).to_vector<bool>(), std::vector<bool>{});
}

TEST(Shifts, PastTheWidthGiveZeroOrTheSign) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({-5, 5, 1, 1}, {}, device), by = Tensor({1, 1, 31, 32}, {}, device);
    expect_values(x << by, {-10, 10, -0x1p31, 0}, {4}, kInt32);
    expect_values(x >> by, {-3, 2, 0, 0}, {4}, kInt32);
  }
}

struct UnaryCase {
  const char* name;
  std::function<Tensor(const Tensor&)> tensor;
  std::function<double(double)> real;
  double tolerance;  // in float32 ulps
  double low = -INFINITY, high = INFINITY;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const UnaryCase kUnary[] = {
    {"neg", [](auto& x) { return -x; }, [](double x) { return -x; }, 0},
    {"abs", [](auto& x) { return x.abs(); }, [](double x) { return std::abs(x); }, 0},
    {"sign", [](auto& x) { return x.sign(); },
     [](double x) { return x > 0   ? 1.0
                           : x < 0 ? -1.0
                                   : x; }, 0},
    {"square", [](auto& x) { return x.square(); }, [](double x) { return x * x; }, 0},
    {"reciprocal", [](auto& x) { return x.reciprocal(); }, [](double x) { return 1 / x; }, 0},
    {"sqrt", [](auto& x) { return x.sqrt(); }, [](double x) { return std::sqrt(x); }, 0},
    {"rsqrt", [](auto& x) { return x.rsqrt(); }, [](double x) { return 1 / std::sqrt(x); }, 1},
    {"exp", [](auto& x) { return x.exp(); }, [](double x) { return std::exp(x); }, 1},
    {"exp2", [](auto& x) { return x.exp2(); }, [](double x) { return std::exp2(x); }, 1},
    {"log", [](auto& x) { return x.log(); }, [](double x) { return std::log(x); }, 1},
    {"log2", [](auto& x) { return x.log2(); }, [](double x) { return std::log2(x); }, 1},
    {"sin", [](auto& x) { return x.sin(); }, [](double x) { return std::sin(x); }, 1},
    {"cos", [](auto& x) { return x.cos(); }, [](double x) { return std::cos(x); }, 1},
    {"tan", [](auto& x) { return x.tan(); }, [](double x) { return std::tan(x); }, 2},
    {"tanh", [](auto& x) { return x.tanh(); }, [](double x) { return std::tanh(x); }, 2},
    {"sigmoid", [](auto& x) { return x.sigmoid(); }, sigmoid, 2, -80},
    {"silu", [](auto& x) { return x.silu(); }, [](double x) { return x * sigmoid(x); }, 3, -80},
    {"relu", [](auto& x) { return x.relu(); }, [](double x) { return x < 0 ? 0 : x; }, 0},
    {"floor", [](auto& x) { return x.floor(); }, [](double x) { return std::floor(x); }, 0},
    {"ceil", [](auto& x) { return x.ceil(); }, [](double x) { return std::ceil(x); }, 0},
    {"round", [](auto& x) { return x.round(); }, [](double x) { return std::nearbyint(x); }, 0},
    {"trunc", [](auto& x) { return x.trunc(); }, [](double x) { return std::trunc(x); }, 0},
};

std::vector<double> telling_numbers() {
  std::vector<double> numbers = {0,     -0.0, kInf, -kInf, kNaN,       0.5,     1.5,
                                 2.5,   -0.5, -1.5, -2.5,  0.49999997, 8388609, 1e-3,
                                 -1e-3, 100,  -100, 0.7,   0.3,        1,       -1};
  for (int i = 0; i < 60; i++) numbers.push_back((i - 30) * 0.37);
  return numbers;
}

TEST(Unary, MatchesTheCLibrary) {
  for (const std::string& device : devices()) {
    for (DType dtype : kFloats) {
      const std::vector<double> numbers = stored(telling_numbers(), dtype);
      const auto count = static_cast<int64_t>(numbers.size());
      const Tensor x = tensor_of(numbers, {count}, dtype, device).realize();
      for (const UnaryCase& op : kUnary) {
        SCOPED_TRACE(str(op.name, " ", name(dtype), " ", device));
        const std::vector<double> actual = op.tensor(x).template to_vector<double>();
        // The C library's double is no oracle to the last bit of a double.
        const double tolerance =
            dtype == kFloat64 && op.tolerance > 0 ? op.tolerance + 1 : op.tolerance;
        for (size_t i = 0; i < numbers.size(); i++) {
          if (numbers[i] < op.low || numbers[i] > op.high) continue;
          const double expected = round_to(dtype, op.real(numbers[i]));
          ASSERT_LE(ulps(actual[i], expected, dtype), tolerance)
              << numbers[i] << " gives " << actual[i] << ", expected " << expected;
        }
      }
    }
  }
}

TEST(Unary, KeepsSignedZeros) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({-0.0F, -0.3F, 0.3F}, {}, device);
    const auto signs = [](const Tensor& t) {
      std::vector<bool> result;
      for (float v : t.to_vector<float>()) result.push_back(std::signbit(v));
      return result;
    };
    EXPECT_EQ(signs(x.abs()), (std::vector{false, false, false}));
    EXPECT_EQ(signs(x.ceil()), (std::vector{true, true, false}));
    EXPECT_EQ(signs(x.round()), (std::vector{true, true, false}));
    EXPECT_EQ(signs(x.trunc()), (std::vector{true, true, false}));
    EXPECT_EQ(signs(-x), (std::vector{false, false, true}));
  }
}

TEST(Unary, GivesFloat32ForFunctionsOfIntegers) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor(std::vector<int8_t>{0, 1, 4, 9}, {}, device);
    expect_values(x.sqrt(), {0, 1, 2, 3}, {4}, kFloat32);
    expect_values(x / 2, {0, 0.5, 2, 4.5}, {4}, kFloat32);
    expect_values(x.exp2(), {1, 2, 16, 512}, {4}, kFloat32);
    expect_values(x.floor(), {0, 1, 4, 9}, {4}, kInt8);
    expect_values((-x).abs(), {0, 1, 4, 9}, {4}, kInt8);
    expect_values((x - 2).sign(), {-1, -1, 1, 1}, {4}, kInt8);
  }
}

TEST(Unary, TellsWhatIsFinite) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1.0F, float(kInf), float(-kInf), float(kNaN)}, {}, device);
    EXPECT_EQ(x.isnan().to_vector<bool>(), (std::vector{false, false, false, true}));
    EXPECT_EQ(x.isinf().to_vector<bool>(), (std::vector{false, true, true, false}));
    EXPECT_EQ(x.isfinite().to_vector<bool>(), (std::vector{true, false, false, false}));
    EXPECT_EQ(Tensor({3}, {}, device).isfinite().item<bool>(), true);
  }
}

TEST(Logic, WorksOnTruth) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({0, 2, 0, 3}, {}, device),
                 y = Tensor({0.0F, 0.0F, 0.5F, 1.0F}, {}, device);
    EXPECT_EQ(logical_and(x, y).to_vector<bool>(), (std::vector{false, false, false, true}));
    EXPECT_EQ(logical_or(x, y).to_vector<bool>(), (std::vector{false, true, true, true}));
    EXPECT_EQ(logical_xor(x, y).to_vector<bool>(), (std::vector{false, true, true, false}));
    EXPECT_EQ(x.logical_not().to_vector<bool>(), (std::vector{true, false, true, false}));
    EXPECT_EQ((~x).to_vector<int>(), (std::vector{-1, -3, -1, -4}));
    EXPECT_EQ((~(x == 2)).to_vector<bool>(), (std::vector{true, false, true, true}));
    EXPECT_EQ((~x.cast(kUInt8)).to_vector<int>(), (std::vector{255, 253, 255, 252}));
  }
}

TEST(Where, SelectsAndBroadcasts) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({1, 2, 3}, {}, device);
    EXPECT_EQ(where(x > 1, x, -1).to_vector<int>(), (std::vector{-1, 2, 3}));
    EXPECT_EQ(where(x > 1, 1, 0).to_vector<int>(), (std::vector{0, 1, 1}));
    const Tensor grid = where((x > 1).unsqueeze(1), x, x * 10);
    EXPECT_EQ(grid.to_vector<int>(), (std::vector{10, 20, 30, 1, 2, 3, 1, 2, 3}));
    EXPECT_EQ(x.clip(2, {}).to_vector<int>(), (std::vector{2, 2, 3}));
    EXPECT_EQ(x.clip(0, 1.5).to_vector<float>(), (std::vector{1.0F, 1.5F, 1.5F}));
  }
}

TEST(Pow, IsExactForIntegersAndTakesFloats) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({-3, 0, 2, 5}, {}, device);
    expect_values(x.pow(3), {-27, 0, 8, 125}, {4}, kInt32);
    expect_values(x.pow(2), {9, 0, 4, 25}, {4}, kInt32);
    expect_values(x.pow(x.abs()), {-27, 1, 4, 3125}, {4}, kInt32);
    expect_values(x.cast(kFloat32).pow(2.0), {9, 0, 4, 25}, {4}, kFloat32);
    expect_values(Tensor({4.0F, 0.25F}, {}, device).pow(0.5), {2, 0.5}, {2}, kFloat32);
    expect_values(Tensor({2.0, 10.0}, {}, device).pow(Tensor({10.0, -2.0}, {}, device)),
                  {1024, 0.01}, {2}, kFloat64, 1);
  }
}

TEST(Cast, FollowsNumPyWhereItIsDefinedAndSaturatesElsewhere) {
  for (const std::string& device : devices()) {
    const Tensor x = Tensor({-1.7, 1.7, 300.0, kNaN, kInf, -kInf}, {}, device);
    expect_values(x.cast(kInt32), {-1, 1, 300, 0, 0x1p31 - 1, -0x1p31}, {6}, kInt32);
    expect_values(x.cast(kUInt8), {0, 1, 255, 0, 255, 0}, {6}, kUInt8);
    expect_values(x.cast(kBool), {1, 1, 1, 1, 1, 1}, {6}, kBool);
    expect_values(Tensor({300, -1}, {}, device).cast(kUInt8), {44, 255}, {2}, kUInt8);
    expect_values(Tensor({16777217, 3}, {}, device).cast(kFloat32), {16777216, 3}, {2}, kFloat32);
    expect_values(Tensor({1.0F, -2.0F}, {}, device).bitcast(kInt32), {0x3f800000, -0x40000000}, {2},
                  kInt32);
  }
}

TEST(Promotion, FollowsTheTableAndNumbersTakeTheTensorsType) {
  const auto type = [](const Tensor& t) { return name(t.dtype()); };
  const Tensor i8 = Tensor::ones({1}, kInt8), u8 = Tensor::ones({1}, kUInt8),
               b = Tensor::ones({1}, kBool);
  const Tensor f16 = Tensor::ones({1}, kFloat16), f32 = Tensor::ones({1});
  EXPECT_EQ(type(i8 + u8), "int16");
  EXPECT_EQ(type(i8 + f16), "float16");
  EXPECT_EQ(type(b + i8), "int8");
  EXPECT_EQ(type(f16 + Tensor::ones({1}, kBFloat16)), "float32");
  EXPECT_EQ(type(i8 + 1), "int8");
  EXPECT_EQ(type(i8 + 1.5), "float32");
  EXPECT_EQ(type(f16 * 2.0), "float16");
  EXPECT_EQ(type(b + 1), "int32");
  EXPECT_EQ(type(b + true), "bool");
  EXPECT_EQ(type(f32 > 1), "bool");
  EXPECT_EQ(type(1 - f16), "float16");
}

TEST(ElementwiseErrors, NameTheOperationAndItsOperands) {
  const Tensor x = Tensor::zeros({2, 3}), b = Tensor::zeros({2}, kBool);
  EXPECT_EQ(
      error_of([&] { x + Tensor::zeros({2, 4}); }),
      "+: float32 (2, 3) and float32 (2, 4) do not broadcast: from the right, dimensions must be "
      "equal or 1");
  EXPECT_EQ(error_of([&] { x & 1; }),
            "&: not defined for float32 (2, 3) and int32, expected integers or bool");
  EXPECT_EQ(
      error_of([&] { b - b; }),
      "-: not defined for bool (2) and bool (2), expected numbers (^ tells where bools differ)");
  EXPECT_EQ(error_of([&] { b << b; }),
            "<<: not defined for bool (2) and bool (2), expected integers");
  EXPECT_EQ(error_of([&] { ~x; }), "~: not defined for float32 (2, 3), expected integers or bool");
  EXPECT_EQ(error_of([&] { x.bitcast(kFloat16); }),
            "bitcast: float32 (2, 3) as float16, expected a type of the same width");
  EXPECT_EQ(error_of([&] { Tensor::zeros({1}, kInt8) + 200; }),
            "+: 200 is not a number of int8, expected one (or cast the tensor first)");
  EXPECT_EQ(error_of([&] { where(x, Tensor::zeros({4}), 1); }),
            "where: condition float32 (2, 3) and values float32 (4), float32 () do not broadcast");
}

}  // namespace
}  // namespace loom::testing
