// What the tests of tensors share: devices, sample values, layouts, comparison.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/str.h"
#include "ir/dtype.h"
#include "loom/loom.h"

namespace loom::testing {

/// The devices that every operation is tested on.
inline std::vector<std::string> devices() { return {"CPU", "INTERP"}; }

inline int64_t count_of(const Shape& shape) {
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  return count;
}

/// Values of no pattern that fit every dtype and lie in [low, high]; integers for low, high
/// integers.
inline std::vector<double> sample(int64_t count, double low, double high, uint64_t seed = 1) {
  std::vector<double> values;
  uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
  for (int64_t i = 0; i < count; i++) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double unit = static_cast<double>(state >> 40) / double{1 << 24};
    values.push_back(std::floor(low + unit * (high - low + 1)));
  }
  return values;
}

/// A tensor of the dtype with these values.
inline Tensor tensor_of(const std::vector<double>& values, Shape shape, DType dtype,
                        const std::string& device = "CPU") {
  return Tensor(values, std::move(shape), device).cast(dtype);
}

/// The values as the dtype stores them.
inline std::vector<double> stored(const std::vector<double>& values, DType dtype) {
  std::vector<double> result;
  for (double v : values) {
    result.push_back(dtype.is_float()
                         ? round_to(dtype, v)
                         : static_cast<double>(wrap_to(dtype, static_cast<int64_t>(v))));
  }
  return result;
}

/// Distance in units of the last place of `dtype` at `expected`; 0 for equal, NaN and NaN included.
inline double ulps(double actual, double expected, DType dtype) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return 0;
  if (!dtype.is_float() || !std::isfinite(actual) || !std::isfinite(expected)) return INFINITY;
  const int digits = dtype == kFloat64 ? 52 : dtype == kFloat32 ? 23 : dtype == kFloat16 ? 10 : 7;
  const int lowest = dtype == kFloat64 ? -1022 : dtype == kFloat16 ? -14 : -126;
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs(actual - expected) / std::ldexp(1.0, std::max(exponent - 1, lowest) - digits);
}

/// Equal in shape, dtype and value, up to so many units in the last place.
inline void expect_values(const Tensor& actual, const std::vector<double>& expected,
                          const Shape& shape, DType dtype, double tolerance = 0) {
  ASSERT_EQ(actual.shape(), shape);
  ASSERT_EQ(name(actual.dtype()), name(dtype));
  const std::vector<double> values = actual.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); i++) {
    ASSERT_LE(ulps(values[i], expected[i], dtype), tolerance)
        << "element " << i << ": " << values[i] << ", expected " << expected[i];
  }
}

/// The text of the UserError that `fn` throws.
inline std::string error_of(const std::function<void()>& fn) {
  try {
    fn();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no UserError";
}

}  // namespace loom::testing
