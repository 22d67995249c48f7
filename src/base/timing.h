#pragma once

#include <cstdint>
#include <span>

namespace loom {

/// Nanoseconds on a clock that only moves forward; differences mean something, the number alone
/// does not.
int64_t now_ns();

/// What a series of measurements says. The median and the quartiles ignore the odd sample that an
/// interrupt spoilt.
struct Statistics {
  double median = 0;
  double min = 0, max = 0;
  double spread = 0;  // half the distance between the quartiles, relative to the median
};

/// Throws UserError when there are no samples.
Statistics statistics(std::span<const double> samples);

}  // namespace loom
