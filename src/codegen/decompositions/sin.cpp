// SIN and COS. Every argument from 1 up goes through one exact range reduction (Payne and Hanek's):
// x times 2/pi modulo 4 as an integer product, with as many bits of 2/pi as x's exponent asks for.
// It needs neither a branch nor float64, which not every device has.
//
// The polynomials are minimax fits (Sollya's fpminimax), off by less than 2^-29 (float32) and
// 2^-60.
#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "codegen/decompositions/expansions.h"
#include "codegen/decompositions/float_format.h"

namespace loom {
namespace {

// (sin(r) / r - 1) / r^2 as a polynomial in r^2, for |r| <= 1.
constexpr double kSinSingle[] = {-0x1.555556p-3, 0x1.11115cp-7, -0x1.a03568p-13, 0x1.717be4p-19};
constexpr double kSinDouble[] = {
    -0x1.5555555555555p-3,  0x1.111111111106ep-7,  -0x1.a01a01a00338fp-13, 0x1.71de3a3ecea92p-19,
    -0x1.ae643f5bebca4p-26, 0x1.6117afcb4fad8p-33, -0x1.a76922582abbap-41};
// (cos(r) - 1 + r^2 / 2) / r^4 likewise.
constexpr double kCosSingle[] = {0x1.555556p-5, -0x1.6c1766p-10, 0x1.a065c2p-16, -0x1.2fdcb6p-22};
constexpr double kCosDouble[] = {
    0x1.5555555555555p-5,  -0x1.6c16c16c16ae6p-10, 0x1.a01a019ff2d84p-16, -0x1.27e4fb5499419p-22,
    0x1.1eed6ff8fb17fp-29, -0x1.937b69a7a33a6p-37, 0x1.a3172091814aep-45};

constexpr SplitConstant kHalfPi{0x1.922p0, -0x1.2aeef4p-18, 0x1.921fb58p0, -0x1.dde973dcb3b3ap-27};

// 2/pi * 2^-mantissa as a fixed-point number below 4 (the first bit is worth 2): all bits that a
// window of two (float32) or three words (float64) can show when it is shifted by the largest
// exponent.
constexpr uint64_t kTwoOverPiSingle[] = {0x000000517cc1b727, 0x220a94fe13abe8fa, 0x9a6ee06db14acc9e,
                                         0x21c820ff28b1d5ef};
constexpr uint64_t kTwoOverPiDouble[] = {
    0x000000000000028b, 0xe60db9391054a7f0, 0x9d5f47d4d377036d, 0x8a5664f10e4107f9,
    0x458eaf7aef1586dc, 0x91b8e909374b8019, 0x24bba827464873f8, 0x77ac72c4a69cfba2,
    0x08d7d4baed1213a6, 0x71c09ad17df904e6, 0x4758e60d4ce7d272, 0x117e2ef7e4a0ec7f,
    0xe25fff7816603fbc, 0xbc462d6829b47db4, 0xd9fb3c9f2c26dd3d, 0x18fd9a797fa8b5d4,
    0x9eeb1faf97c5ecf4, 0x1ce7de294a4ba9af, 0xed7ec47e35742158};

constexpr uint64_t kLow32 = 0xffffffff;

using Words = std::vector<Expr>;  // uint64, the first is worth most

// `count` words of the bits from bit `shift` on.
Words window(std::span<const uint64_t> bits, Expr shift, size_t count) {
  Words words;
  for (uint64_t word : bits) words.push_back(shift.number(word));
  // Whole words first: for each bit of shift / 64, the highest first, drop that many words or
  // don't.
  for (size_t step = std::bit_floor(bits.size() - count - 1); step > 0; step /= 2) {
    const Expr drops = (shift & 64 * step) != 0;
    const size_t kept = std::min(words.size(), count + step);
    for (size_t k = 0; k < kept && k + step < words.size(); ++k) {
      words[k] = where(drops, words[k + step], words[k]);
    }
    words.resize(kept, shift.number(0));
  }
  const Expr low = shift & 63;
  for (size_t k = 0; k < count; ++k) {
    words[k] = (words[k] << low) | ((words[k + 1] >> 1) >> (63 - low));
  }
  words.resize(count, shift);
  return words;
}

/// The upper 64 bits of the product of uint64 numbers.
Expr high_product(Expr x, Expr y) {
  const Expr x0 = x & kLow32, x1 = x >> 32, y0 = y & kLow32, y1 = y >> 32;
  const Expr middle = x1 * y0 + ((x0 * y0) >> 32);
  return x1 * y1 + (middle >> 32) + (((middle & kLow32) + x0 * y1) >> 32);
}

// x = (quadrant + fraction) * pi/2, up to multiples of four in the quadrant, |fraction| <= 1/2.
struct Reduced {
  Expr quadrant;  // uint64, only its two low bits mean something
  Split fraction;
};

// The fraction as three floats of falling size, the first signed; none is more than its successor's
// last bit.
Reduced reduced(Expr quadrant, Expr high, Expr middle, Expr low) {
  const Expr sum = high + middle;
  return {quadrant, split_sum(sum, (middle - (sum - high)) + low)};
}

// The nearest integer of a fixed-point number below 4.
Expr nearest(Expr fixed) { return ((fixed >> 61) + 1) >> 1; }

// For float32 x >= 1: x * 2/pi is M * window, M the mantissa with its hidden bit.
Reduced reduce_single(Expr x) {
  const Expr bits = x.as(kInt32);
  const Expr shift = (((bits >> 23) - 127) & 127).to(kUInt64);
  const Expr m = ((bits & 0x7fffff) | 0x800000).to(kUInt64);
  const Words w = window(kTwoOverPiSingle, shift, 2);
  const Expr product = m * w[0] + ((m * (w[1] >> 32)) >> 32);
  const Expr fraction = (product << 2).as(kInt64);
  const auto part = [&](Expr integer, double scale) {
    return integer.to(kInt32).to(kFloat32) * scale;
  };
  return reduced(nearest(product), part(fraction >> 40, 0x1p-24),
                 part((fraction >> 16) & 0xffffff, 0x1p-48), part(fraction & 0xffff, 0x1p-64));
}

// The same for float64 x >= 1, in words of 64 bits.
Reduced reduce_double(Expr x) {
  const Expr bits = x.as(kInt64);
  const Expr shift = (((bits >> 52) - 1023) & 1023).to(kUInt64);
  const Expr m = ((bits & 0xfffffffffffff) | 0x10000000000000).to(kUInt64);
  const Words w = window(kTwoOverPiDouble, shift, 3);
  const Expr middle = m * w[1], low = middle + high_product(m, w[2]);
  const Expr high = m * w[0] + high_product(m, w[1]) + (low < middle).to(kUInt64);
  const Expr fraction = ((high << 2) | (low >> 62)).as(kInt64);
  return reduced(nearest(high), (fraction >> 32).to(kInt32).to(kFloat64) * 0x1p-32,
                 (fraction & kLow32).to(kUInt32).to(kFloat64) * 0x1p-64,
                 (low << 2).to(kFloat64) * 0x1p-128);
}

// sin(r) and cos(r) of r = head + tail.
Expr sine(const Split& angle) {
  const Expr r = angle.sum(), square = r * r;
  return angle.head + (angle.tail + r * square * polynomial(square, kSinSingle, kSinDouble));
}

Expr cosine(const Split& angle) {
  const Expr r = angle.sum(), rest = angle.tail - (r - angle.head);
  const Expr square = r * r, half = 0.5 * square, most = 1.0 - half;
  const Expr p = polynomial(square, kCosSingle, kCosDouble);
  return most + (((1.0 - most) - half) + (square * square * p - r * rest));
}

// sin(|x| + phase * pi/2).
Expr sine_of_magnitude(Expr x, int phase) {
  const FloatFormat& f = float_format(x.dtype());
  const Expr magnitude = f.magnitude(x), is_small = magnitude < 1.0;
  const Reduced reduced = f.is_single() ? reduce_single(magnitude) : reduce_double(magnitude);
  const Split angle = reduced.fraction * kHalfPi.beside(x);
  const Split r{where(is_small, magnitude, angle.head), where(is_small, 0.0, angle.tail)};
  const Expr quadrant = where(is_small, 0, reduced.quadrant.to(f.integer)) + phase;
  const Expr value = where((quadrant & 1) != 0, cosine(r), sine(r));
  const Expr sign = (quadrant & 2) << (f.integer.bits() - 2);
  return where(magnitude < std::numeric_limits<double>::infinity(),
               (value.as(f.integer) ^ sign).as(f.real), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Expr sin_expansion(Expr x) {
  const FloatFormat& f = float_format(x.dtype());
  return (sine_of_magnitude(x, 0).as(f.integer) ^ f.sign(x)).as(f.real);
}

Expr cos_expansion(Expr x) { return sine_of_magnitude(x, 1); }

}  // namespace loom
