// Perspective warp of a picture, written with Tensor operations only.
#pragma once
#include <array>
#include <span>

#include "loom/tensor.h"

namespace loom::tools {

using Matrix3 = std::array<double, 9>;  // row-major

inline constexpr int64_t kModelWidth = 512, kModelHeight = 256;

/// The destination pixel (x, y, 1) times `inverse` (3, 3) float32, divided by its third row, is a
/// point of `frame` (height, width) or (height, width, channels); the result is the nearest pixel
/// there, clipped to the frame. Shape (kModelHeight, kModelWidth[, channels]), the frame's dtype.
Tensor warp(const Tensor& frame, const Tensor& inverse, int64_t height = kModelHeight,
            int64_t width = kModelWidth);

/// The matrix that looks at a frame of that size as a driving model does: its own camera, slightly
/// pitched.
Matrix3 default_matrix(int64_t width, int64_t height);

/// Throws UserError unless there are nine finite numbers that make an invertible matrix.
Matrix3 check_matrix(std::span<const double> numbers);

/// `matrix` as a float32 tensor of shape (3, 3).
Tensor matrix_tensor(const Matrix3& matrix);

}  // namespace loom::tools
