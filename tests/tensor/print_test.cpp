// Printed text against what NumPy 2.4 prints for the same array.
#include <sstream>

#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string text(const std::vector<double>& values, DType dtype) {
  return Tensor(values).cast(dtype).to_string();
}

std::string scalar(double value, DType dtype) { return Tensor(value).cast(dtype).to_string(); }

TEST(Print, Integers) {
  EXPECT_EQ(Tensor({1, 2, 3}).to_string(), "[1 2 3]");
  EXPECT_EQ(Tensor({1, -20, 300, 4}, Shape{2, 2}).to_string(), "[[  1 -20]\n [300   4]]");
  EXPECT_EQ(Tensor(std::vector<uint8_t>{255, 3}).to_string(), "[255   3]");
  EXPECT_EQ(Tensor(std::vector<uint64_t>{UINT64_MAX, 3}).to_string(),
            "[18446744073709551615                    3]");
  EXPECT_EQ(Tensor(std::vector<bool>{true, false}, Shape{1, 2}).to_string(), "[[ True False]]");
}

TEST(Print, FloatsWithTheDigitsThatTellThemApart) {
  EXPECT_EQ(text({1, 2.5, -3.25}, kFloat32), "[ 1.    2.5  -3.25]");
  EXPECT_EQ(text({0.1, 0.2, 0.3}, kFloat32), "[0.1 0.2 0.3]");
  EXPECT_EQ(text({0.1, 0.333}, kFloat16), "[0.1   0.333]");
  EXPECT_EQ(text({0.0, -0.0}, kFloat32), "[ 0. -0.]");
  EXPECT_EQ(text({0.123456789012, 12.000000004}, kFloat64), "[ 0.12345679 12.        ]");
  EXPECT_EQ(text({1e7, 2e7}, kFloat64), "[10000000. 20000000.]");
}

TEST(Print, ExponentsWhereNumbersAreFarApart) {
  EXPECT_EQ(text({0.1, 1.0 / 3, 1e5}, kFloat64), "[1.00000000e-01 3.33333333e-01 1.00000000e+05]");
  EXPECT_EQ(text({1e8, 1}, kFloat32), "[1.e+08 1.e+00]");
  EXPECT_EQ(text({1e-5, 1}, kFloat32), "[1.e-05 1.e+00]");
  EXPECT_EQ(text({1e-3, 2.5, 123456}, kFloat32), "[1.00000e-03 2.50000e+00 1.23456e+05]");
  EXPECT_EQ(text({0.1, 65504, 1e-3}, kFloat16), "[1.00e-01 6.55e+04 1.00e-03]");
  EXPECT_EQ(text({1e-300, 1.5e300, -2.25}, kFloat64), "[ 1.00e-300  1.50e+300 -2.25e+000]");
}

TEST(Print, WhatIsNotFinite) {
  EXPECT_EQ(text({1, kNaN, -kInf}, kFloat32), "[  1.  nan -inf]");
  EXPECT_EQ(text({kNaN, kInf}, kFloat32), "[nan inf]");
  EXPECT_EQ(text({1e-10, kNaN, kInf, -1e10}, kFloat32), "[ 1.e-10     nan     inf -1.e+10]");
}

TEST(Print, Scalars) {
  EXPECT_EQ(scalar(0.1, kFloat32), "0.1");
  EXPECT_EQ(scalar(0.1, kFloat16), "0.1");
  EXPECT_EQ(scalar(1e-5, kFloat64), "1e-05");
  EXPECT_EQ(scalar(3, kFloat32), "3.0");
  EXPECT_EQ(scalar(1e16, kFloat64), "1e+16");
  EXPECT_EQ(scalar(-kInf, kFloat32), "-inf");
  EXPECT_EQ(scalar(123456789.123, kFloat64), "123456789.123");
  EXPECT_EQ(Tensor(true).to_string(), "True");
  EXPECT_EQ(Tensor(-7).to_string(), "-7");
}

TEST(Print, BlocksAndLongLines) {
  EXPECT_EQ(Tensor::arange(24).reshape({2, 3, 4}).to_string(),
            "[[[ 0  1  2  3]\n"
            "  [ 4  5  6  7]\n"
            "  [ 8  9 10 11]]\n"
            "\n"
            " [[12 13 14 15]\n"
            "  [16 17 18 19]\n"
            "  [20 21 22 23]]]");
  EXPECT_EQ((Tensor::arange(40) * 1000).to_string(),
            "[    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000\n"
            " 12000 13000 14000 15000 16000 17000 18000 19000 20000 21000 22000 23000\n"
            " 24000 25000 26000 27000 28000 29000 30000 31000 32000 33000 34000 35000\n"
            " 36000 37000 38000 39000]");
  EXPECT_EQ(Tensor::linspace(0, 1, 20, kFloat64).to_string(),
            "[0.         0.05263158 0.10526316 0.15789474 0.21052632 0.26315789\n"
            " 0.31578947 0.36842105 0.42105263 0.47368421 0.52631579 0.57894737\n"
            " 0.63157895 0.68421053 0.73684211 0.78947368 0.84210526 0.89473684\n"
            " 0.94736842 1.        ]");
  EXPECT_EQ(Tensor::zeros({0, 3}).to_string(), "[]");
}

TEST(Print, TheEdgesOfLargeTensors) {
  EXPECT_EQ(Tensor::arange(2000).to_string(), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(Tensor::arange(0, 10000, 1, kFloat32).reshape({100, 100}).to_string(),
            "[[0.000e+00 1.000e+00 2.000e+00 ... 9.700e+01 9.800e+01 9.900e+01]\n"
            " [1.000e+02 1.010e+02 1.020e+02 ... 1.970e+02 1.980e+02 1.990e+02]\n"
            " [2.000e+02 2.010e+02 2.020e+02 ... 2.970e+02 2.980e+02 2.990e+02]\n"
            " ...\n"
            " [9.700e+03 9.701e+03 9.702e+03 ... 9.797e+03 9.798e+03 9.799e+03]\n"
            " [9.800e+03 9.801e+03 9.802e+03 ... 9.897e+03 9.898e+03 9.899e+03]\n"
            " [9.900e+03 9.901e+03 9.902e+03 ... 9.997e+03 9.998e+03 9.999e+03]]");
  EXPECT_EQ(Tensor::arange(2400).reshape({2, 3, 400}).to_string(),
            "[[[   0    1    2 ...  397  398  399]\n"
            "  [ 400  401  402 ...  797  798  799]\n"
            "  [ 800  801  802 ... 1197 1198 1199]]\n"
            "\n"
            " [[1200 1201 1202 ... 1597 1598 1599]\n"
            "  [1600 1601 1602 ... 1997 1998 1999]\n"
            "  [2000 2001 2002 ... 2397 2398 2399]]]");
}

TEST(Print, ToAStream) {
  std::ostringstream out;
  out << Tensor({1, 2}) + 1;
  EXPECT_EQ(out.str(), "[2 3]");
}

}  // namespace
}  // namespace loom::testing
