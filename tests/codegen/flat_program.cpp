#include "tests/codegen/flat_program.h"

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
    case Scalar::kVoid: break;
  }
  fail<InternalError>("a void value");
}

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;

// Integer arithmetic that wraps: done in the unsigned type, at least 32 bits wide.
template <class T>
using Wrapping =
    std::conditional_t<(sizeof(T) < 4), uint32_t,
                       std::make_unsigned<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>>;

template <class T, class F>
T wrapping(T x, T y, const F& f) {
  if constexpr (kIsFloat<T> || std::is_same_v<T, bool>) {
    return static_cast<T>(f(x, y));
  } else {
    using U = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;
    return static_cast<T>(f(static_cast<U>(x), static_cast<U>(y)));
  }
}

template <class T>
T floor_divide(T x, T y) {
  if (y == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return wrapping<T>(0, x, [](auto a, auto b) { return a - b; });
    return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0)));
  } else {
    return static_cast<T>(x / y);
  }
}

template <class T>
T floor_modulo(T x, T y) {
  if (y == 0) return 0;
  const T product = wrapping<T>(floor_divide(x, y), y, [](auto a, auto b) { return a * b; });
  return wrapping<T>(x, product, [](auto a, auto b) { return a - b; });
}

template <class T>
T maximum(T x, T y) {
  if (x != x) return x;
  if (y != y) return y;
  if constexpr (kIsFloat<T>) {
    if (x == y) return std::signbit(x) ? y : x;
  }
  return x < y ? y : x;
}

// A shift of the IR must have an amount below the width after decomposition: anything else shows as
// a wrong result.
template <class T>
T shift(Op op, T x, T amount) {
  constexpr auto kBits = static_cast<T>(sizeof(T) * 8);

  using U = std::make_unsigned_t<T>;
  return op == Op::kShl ? static_cast<T>(static_cast<U>(x) << amount) : static_cast<T>(x >> amount);
}

template <class To, class From>
To value_cast(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != 0;
  } else if constexpr (kIsFloat<From> && !kIsFloat<To>) {
    if (x != x) return 0;
    const double value = std::trunc(static_cast<double>(x));
    const double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
    if (value >= limit) return std::numeric_limits<To>::max();
    return value < static_cast<double>(std::numeric_limits<To>::min())
               ? std::numeric_limits<To>::min()
               : static_cast<To>(value);
  } else {
    return static_cast<To>(x);
  }
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
    const size_t slot = slot_of[id] = slots++;
    if (graph.op(id) == Op::kConst) {
      fill(slot, graph, id);
      continue;
    }
    require(is_elementwise(graph.op(id)), "FlatProgram: ", name(graph.op(id)),
            " is no operation on elements");
    Step step{graph.op(id),
              graph.dtype(id).scalar,
              graph.dtype(graph.src(id, graph.op(id) == Op::kWhere)).scalar,
              slot,
              {}};
    for (size_t k = 0; k < graph.src(id).size(); ++k) step.src[k] = slot_of[graph.src(id, k)];
    steps_.push_back(step);
  }
  output_ = slot_of[root];
}

void FlatProgram::fill(size_t slot, const Graph& graph, Id constant) {
  const int64_t arg = graph.arg(constant);
  with_type(graph.dtype(constant).scalar, [&]<class T>(T) {
    T value;
    if constexpr (kIsFloat<T>)
      value = static_cast<T>(std::bit_cast<double>(arg));
    else
      value = static_cast<T>(arg);
    require(!graph.dtype(constant).is_float() || kIsFloat<T>,
            "FlatProgram: a constant of 16-bit floats");
    for (size_t i = 0; i < kBlock; ++i) cells<T>(slot)[i] = value;
  });
}

void FlatProgram::run() {
  for (const Step& step : steps_) execute(step);
}

void FlatProgram::execute(const Step& step) {
  if (step.op == Op::kBitcast) {
    std::memcpy(cells<char>(step.result), cells<char>(step.src[0]),
                kBlock * DType{step.scalar, 1}.bytes());
    return;
  }
  with_type(step.operand, [&]<class T>(T) {
    const bool is_half = DType{step.operand}.is_float() && !kIsFloat<T>;
    require(!is_half || step.op == Op::kWhere, "FlatProgram: arithmetic on 16-bit floats");
    if (step.op == Op::kCast)
      execute_cast<T>(step);
    else
      execute_alu<T>(step);
  });
}

template <class From>
void FlatProgram::execute_cast(const Step& step) {
  with_type(step.scalar, [&]<class To>(To) {
    require(!DType{step.scalar}.is_float() || kIsFloat<To>,
            "FlatProgram: a cast to a 16-bit float");
    const From* x = cells<From>(step.src[0]);
    To* result = cells<To>(step.result);
    for (size_t i = 0; i < kBlock; ++i) result[i] = value_cast<To>(x[i]);
  });
}

template <class T>
void FlatProgram::execute_alu(const Step& step) {
  const T* x = cells<T>(step.src[0]);
  const T* y = cells<T>(step.src[1]);
  T* result = cells<T>(step.result);
  const auto each = [&](const auto& f) {
    for (size_t i = 0; i < kBlock; ++i) result[i] = f(x[i], y[i]);
  };
  const auto arithmetic = [&](const auto& f) {
    each([&](T a, T b) { return wrapping<T>(a, b, f); });
  };
  const auto compare = [&](const auto& f) {
    bool* truth = cells<bool>(step.result);
    for (size_t i = 0; i < kBlock; ++i) truth[i] = f(x[i], y[i]);
  };
  switch (step.op) {
    case Op::kAdd: return arithmetic([](auto a, auto b) { return a + b; });
    case Op::kSub: return arithmetic([](auto a, auto b) { return a - b; });
    case Op::kMul: return arithmetic([](auto a, auto b) { return a * b; });
    case Op::kNeg:
      return each([](T a, T) {
        return kIsFloat<T> ? static_cast<T>(-a)
                           : wrapping<T>(0, a, [](auto p, auto q) { return p - q; });
      });
    case Op::kMax: return each(maximum<T>);
    case Op::kCmpLt: return compare([](T a, T b) { return a < b; });
    case Op::kCmpNe: return compare([](T a, T b) { return a != b; });
    case Op::kCmpEq: return compare([](T a, T b) { return a == b; });
    case Op::kWhere: {
      const bool* condition = cells<bool>(step.src[0]);
      const T* otherwise = cells<T>(step.src[2]);
      for (size_t i = 0; i < kBlock; ++i) result[i] = condition[i] ? y[i] : otherwise[i];
      return;
    }
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
      case Op::kAnd: return each([](T a, T b) { return static_cast<T>(a & b); });
      case Op::kOr: return each([](T a, T b) { return static_cast<T>(a | b); });
      case Op::kXor: return each([](T a, T b) { return static_cast<T>(a ^ b); });
      default: break;
    }
    if constexpr (!std::is_same_v<T, bool>) {
      switch (step.op) {
        case Op::kIDiv: return each(floor_divide<T>);
        case Op::kMod: return each(floor_modulo<T>);
        case Op::kShl:
        case Op::kShr: return each([&](T a, T b) { return shift(step.op, a, b); });
        default: break;
      }
    }
  }
  fail<InternalError>("FlatProgram: no ", name(step.op), " of ", name(DType{step.operand}));
}

}  // namespace loom::testing
