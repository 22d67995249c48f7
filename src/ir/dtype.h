// Conversions between numbers and what a data type can hold; the types are in loom/dtype.h.
#pragma once
#include "loom/dtype.h"

namespace loom {

/// Rounds `value` to the nearest value of float type `dtype` (ties to even), returned as double.
double round_to(DType dtype, double value);
/// The integer rounded once to float type `dtype` (ties to even), returned as double.
double float_from_int(DType dtype, int64_t value);
/// Wraps `value` to the width of integer type `dtype` (bool: value != 0).
int64_t wrap_to(DType dtype, int64_t value);

/// Bit conversions between the half-width formats and float32 (round to nearest even, NaN stays
/// NaN).
float float_from_half(uint16_t bits);
uint16_t half_from_float(float value);
float float_from_bfloat16(uint16_t bits);
uint16_t bfloat16_from_float(float value);

}  // namespace loom
