#include "tests/codegen/flat_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.h"

namespace loom::testing {
namespace {

// Calls f(T{}) with the C++ type that stores `scalar`.
template <class F>
void with_type(Scalar scalar, const F& f) {
  switch (scalar) {
    case Scalar::kBool: return f(bool{});
    case Scalar::kInt8: return f(int8_t{});
    case Scalar::kUInt8: return f(uint8_t{});
    case Scalar::kInt16: return f(int16_t{});
    case Scalar::kUInt16:
    case Scalar::kFloat16:
    case Scalar::kBFloat16: return f(uint16_t{});
    case Scalar::kInt32: return f(int32_t{});
    case Scalar::kUInt32: return f(uint32_t{});
    case Scalar::kInt64:
    case Scalar::kIndex: return f(int64_t{});
    case Scalar::kUInt64: return f(uint64_t{});
    case Scalar::kFloat32: return f(float{});
    case Scalar::kFloat64: return f(double{});
    case Scalar::kVoid: fail<InternalError>("FlatProgram: a void value");
  }
}

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <class T>
constexpr bool kIsBool = std::is_same_v<T, bool>;

// Integers compute in an unsigned type of at least 32 bits, which wraps; others in their own.
template <class T>
auto operand(T x) {
  if constexpr (kIsFloat<T> || kIsBool<T>)
    return x;
  else if constexpr (sizeof(T) < 4)
    return static_cast<uint32_t>(x);
  else
    return static_cast<std::make_unsigned_t<T>>(x);
}

template <class T>
T maximum(T x, T y) {
  if constexpr (kIsFloat<T>) {
    if (std::isnan(x)) return x;
    if (x == y) return std::signbit(x) ? y : x;
  }
  return x > y ? x : y;
}

template <class T>
T floor_divide(T x, T y) {
  require(y != 0, "FlatProgram: a division by zero");
  if constexpr (std::is_signed_v<T>) {
    const bool overflows = x == std::numeric_limits<T>::min() && y == -1;
    require(!overflows, "FlatProgram: a quotient that overflows");
    return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0)));
  }
  return static_cast<T>(x / y);
}

template <class T>
void require_short_shifts(std::span<const T> counts) {
  const auto is_short = [](T n) { return static_cast<uint64_t>(n) < 8 * sizeof(T); };
  require(std::ranges::all_of(counts, is_short), "FlatProgram: a shift past the width");
}

template <class To, class From>
To value_cast(From x) {
  if constexpr (kIsFloat<From> && !kIsFloat<To> && !kIsBool<To>) {
    if (std::isnan(x)) return 0;
    const auto lowest = static_cast<double>(std::numeric_limits<To>::min());
    if (x >= std::ldexp(1.0, std::numeric_limits<To>::digits))
      return std::numeric_limits<To>::max();
    return x <= lowest ? std::numeric_limits<To>::min() : static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

Scalar operand_scalar(const Graph& graph, Id id) {
  return graph.dtype(graph.src(id, graph.op(id) == Op::kWhere ? 1 : 0)).scalar;
}

}  // namespace

FlatProgram::FlatProgram(const Graph& graph, Id root, std::span<const Id> inputs) {
  std::vector<size_t> slot_of(graph.size(), SIZE_MAX);
  size_t slots = 0;
  for (Id input : inputs) inputs_.push_back(slot_of[input] = slots++);
  const std::vector<Id> nodes = reachable(graph, root);
  memory_.resize((nodes.size() + inputs.size()) * kBlock);
  for (Id id : nodes) {
    if (slot_of[id] != SIZE_MAX) continue;
    if (!is_elementwise(graph.op(id)) && !is_const(graph, id)) continue;  // only an input needs it
    const size_t slot = slot_of[id] = slots++;
    if (is_const(graph, id)) {
      fill(slot, graph, id);
      continue;
    }
    Step step{graph.op(id), graph.dtype(id).scalar, operand_scalar(graph, id), slot, {}};
    for (size_t k = 0; k < graph.src(id).size(); ++k) step.src[k] = slot_of[graph.src(id, k)];
    steps_.push_back(step);
  }
  output_ = slot_of[root];
}

void FlatProgram::fill(size_t slot, const Graph& graph, Id constant) {
  if (graph.dtype(constant) == kIndex) return;  // part of an address
  with_type(graph.dtype(constant).scalar, [&]<class T>(T) {
    const int64_t arg = graph.arg(constant);
    if constexpr (kIsFloat<T>) {
      std::fill_n(cells<T>(slot), kBlock, static_cast<T>(std::bit_cast<double>(arg)));
    } else {
      std::fill_n(cells<T>(slot), kBlock, static_cast<T>(arg));
    }
  });
}

void FlatProgram::run() {
  for (const Step& step : steps_) execute(step);
}

void FlatProgram::execute(const Step& step) {
  with_type(step.operand, [&]<class T>(T) {
    if (step.op == Op::kBitcast) return reinterpret(step);
    if (step.op == Op::kWhere) return choose<T>(step);
    const bool is_half = DType{step.operand}.is_float() && !kIsFloat<T>;
    require(!is_half, "FlatProgram: arithmetic on 16-bit floats");
    if (step.op == Op::kCast) return convert<T>(step);
    if (is_comparison(step.op)) return compare<T>(step);
    compute<T>(step);
  });
}

void FlatProgram::reinterpret(const Step& step) {
  const auto bytes = static_cast<size_t>(DType{step.scalar}.bytes());
  std::memcpy(cells<char>(step.result), cells<char>(step.src[0]), kBlock * bytes);
}

template <class T>
void FlatProgram::choose(const Step& step) {
  const bool* condition = cells<bool>(step.src[0]);
  const T *x = cells<T>(step.src[1]), *y = cells<T>(step.src[2]);
  T* result = cells<T>(step.result);
  for (size_t i = 0; i < kBlock; ++i) result[i] = condition[i] ? x[i] : y[i];
}

template <class From>
void FlatProgram::convert(const Step& step) {
  with_type(step.scalar, [&]<class To>(To) {
    require(!DType{step.scalar}.is_float() || kIsFloat<To>, "FlatProgram: a cast to 16-bit floats");
    const From* x = cells<From>(step.src[0]);
    To* result = cells<To>(step.result);
    for (size_t i = 0; i < kBlock; ++i) result[i] = value_cast<To>(x[i]);
  });
}

template <class T>
void FlatProgram::compare(const Step& step) {
  const T *x = cells<T>(step.src[0]), *y = cells<T>(step.src[1]);
  bool* result = cells<bool>(step.result);
  const auto each = [&](const auto& f) {
    for (size_t i = 0; i < kBlock; ++i) result[i] = f(x[i], y[i]);
  };
  if (step.op == Op::kCmpLt) return each([](T a, T b) { return a < b; });
  if (step.op == Op::kCmpNe) return each([](T a, T b) { return a != b; });
  each([](T a, T b) { return a == b; });
}

template <class T>
void FlatProgram::compute(const Step& step) {
  const T *x = cells<T>(step.src[0]), *y = cells<T>(step.src[1]);
  const auto each = [&](const auto& f) {
    std::transform(x, x + kBlock, y, cells<T>(step.result),
                   [&](T a, T b) { return static_cast<T>(f(a, b)); });
  };
  switch (step.op) {
    case Op::kAdd: return each([](T a, T b) { return operand(a) + operand(b); });
    case Op::kSub: return each([](T a, T b) { return operand(a) - operand(b); });
    case Op::kMul: return each([](T a, T b) { return operand(a) * operand(b); });
    case Op::kNeg: return each([](T a, T) { return -operand(a); });
    case Op::kMax: return each(maximum<T>);
    default: break;
  }
  if constexpr (kIsFloat<T>) {
    switch (step.op) {
      case Op::kFDiv: return each([](T a, T b) { return a / b; });
      case Op::kRecip: return each([](T a, T) { return 1 / a; });
      case Op::kSqrt: return each([](T a, T) { return std::sqrt(a); });
      case Op::kTrunc: return each([](T a, T) { return std::trunc(a); });
      default: break;
    }
  } else {
    switch (step.op) {
      case Op::kAnd: return each([](T a, T b) { return a & b; });
      case Op::kOr: return each([](T a, T b) { return a | b; });
      case Op::kXor: return each([](T a, T b) { return a ^ b; });
      default: break;
    }
  }
  if constexpr (!kIsFloat<T> && !kIsBool<T>) {
    if (step.op == Op::kShl || step.op == Op::kShr) require_short_shifts<T>({y, kBlock});
    switch (step.op) {
      case Op::kShl: return each([](T a, T b) { return operand(a) << b; });
      case Op::kShr: return each([](T a, T b) { return a >> b; });
      case Op::kIDiv: return each(floor_divide<T>);
      case Op::kMod:
        return each([](T a, T b) { return operand(a) - operand(floor_divide(a, b)) * operand(b); });
      default: break;
    }
  }
  fail<InternalError>("FlatProgram: no ", name(step.op), " of ", name(DType{step.operand}));
}

}  // namespace loom::testing
