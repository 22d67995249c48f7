#include "tools/warp.h"

#include <cmath>

#include "base/error.h"

namespace loom::tools {

Tensor warp(const Tensor& frame, const Tensor& inverse, int64_t height, int64_t width) {
  Tensor x = Tensor::arange(width).cast(kFloat32).reshape({1, width});
  Tensor y = Tensor::arange(height).cast(kFloat32).reshape({height, 1});
  auto row = [&](int64_t r) {
    auto m = [&](int64_t c) { return inverse.index({r, c}); };
    return m(0) * x + m(1) * y + m(2);
  };
  Tensor depth = row(2);
  auto nearest = [&](int64_t r, int64_t size) {
    return (row(r) / depth + 0.5f).floor().clip(0.0f, static_cast<float>(size - 1)).cast(kInt32);
  };
  return frame.index({nearest(1, frame.shape()[0]), nearest(0, frame.shape()[1])});
}

Matrix3 default_matrix(int64_t width, int64_t height) {
  constexpr double kModelFocal = 910, kModelHorizon = 47.6, kPitch = 0.02;
  double focal = 2648.0 / 1928.0 *
                 static_cast<double>(width);  // a common driving camera, scaled to the picture
  double cx = static_cast<double>(width) / 2, cy = static_cast<double>(height) / 2;
  double s = std::sin(kPitch), c = std::cos(kPitch);
  // Model pixel -> ray -> ray pitched about the horizontal axis -> frame pixel.
  auto column = [&](double x, double y, double z) {
    double up = c * y - s * z, ahead = s * y + c * z;
    return std::array<double, 3>{focal * x + cx * ahead, focal * up + cy * ahead, ahead};
  };
  std::array<double, 3> dx = column(1 / kModelFocal, 0, 0), dy = column(0, 1 / kModelFocal, 0);
  std::array<double, 3> origin =
      column(-kModelWidth / 2.0 / kModelFocal, -kModelHorizon / kModelFocal, 1);
  return {dx[0], dy[0], origin[0], dx[1], dy[1], origin[1], dx[2], dy[2], origin[2]};
}

Matrix3 check_matrix(std::span<const double> m) {
  if (m.size() != 9) fail<UserError>("matrix: got ", m.size(), " numbers, expected 9 (row by row)");
  for (double value : m) {
    if (!std::isfinite(value)) fail<UserError>("matrix: every number must be finite, got ", value);
  }
  double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                       m[2] * (m[3] * m[7] - m[4] * m[6]);
  // Hadamard: the determinant is at most the product of the rows' lengths. Far below it, the rows
  // are dependent.
  double bound =
      std::hypot(m[0], m[1], m[2]) * std::hypot(m[3], m[4], m[5]) * std::hypot(m[6], m[7], m[8]);
  if (!(std::abs(determinant) > 1e-13 * bound)) {
    fail<UserError>("matrix: it is singular (determinant ", determinant,
                    "), so it maps no picture onto the frame");
  }
  Matrix3 result{};
  std::copy(m.begin(), m.end(), result.begin());
  return result;
}

Tensor matrix_tensor(const Matrix3& matrix) {
  std::vector<float> numbers(matrix.begin(), matrix.end());
  return Tensor(numbers).reshape({3, 3});
}

}  // namespace loom::tools
