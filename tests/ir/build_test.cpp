#include "ir/build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace loom {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Constant, WrapsIntegersAndRoundsFloats) {
  Graph g;
  EXPECT_EQ(int_value(g, constant(g, kInt8, 300)), 44);
  EXPECT_EQ(int_value(g, constant(g, kInt32, 2.9)), 2);
  EXPECT_EQ(int_value(g, constant(g, kInt32, kNaN)), 0);
  EXPECT_EQ(int_value(g, constant(g, kBool, 0.5)), 1);
  EXPECT_EQ(float_value(g, constant(g, kFloat32, 0.1)), 0.1F);
  EXPECT_EQ(float_value(g, constant(g, kFloat16, 70000)), std::numeric_limits<double>::infinity());
}

TEST(Constant, KeepsSignedZerosApartAndNaNsTogether) {
  Graph g;
  EXPECT_NE(constant(g, kFloat32, 0.0), constant(g, kFloat32, -0.0));
  EXPECT_EQ(constant(g, kFloat32, kNaN), constant(g, kFloat32, -kNaN));
}

TEST(Constant, OfAVectorTypeIsABroadcast) {
  Graph g;
  const Id ones = constant(g, kFloat32.vec(8), 1);
  EXPECT_EQ(ones, broadcast(g, constant(g, kFloat32, 1), 8));
  EXPECT_EQ(g.dtype(ones), kFloat32.vec(8));
}

TEST(IsConstValue, ComparesTheNumberOfAnyType) {
  Graph g;
  EXPECT_TRUE(is_const_value(g, constant(g, kFloat32, 2.0), 2));
  EXPECT_TRUE(is_const_value(g, constant(g, kUInt8, 2), 2));
  EXPECT_FALSE(is_const_value(g, constant(g, kFloat32, -0.0), 0));
  EXPECT_FALSE(is_const_value(g, range(g, 3, 0, AxisType::kLoop), 3));
}

TEST(Builders, InferTypesAndLanes) {
  Graph g;
  const Id x = constant(g, kFloat32, 1), v = broadcast(g, constant(g, kFloat32, 2), 4);
  EXPECT_EQ(g.dtype(add(g, x, v)), kFloat32.vec(4));
  EXPECT_EQ(g.src(add(g, x, v), 0), broadcast(g, x, 4));
  EXPECT_EQ(g.dtype(binary(g, Op::kCmpLt, v, x)), kBool.vec(4));
  EXPECT_EQ(g.dtype(where(g, bool_const(g, true), x, v)), kFloat32.vec(4));
  EXPECT_EQ(g.dtype(cast(g, v, kInt8)), kInt8.vec(4));
  EXPECT_EQ(cast(g, v, kFloat32), v);
  EXPECT_EQ(broadcast(g, v, 4), v);
  EXPECT_THROW(broadcast(g, v, 8), InternalError);
}

TEST(IdentityElement, LeavesEveryValueAsItIs) {
  Graph g;
  EXPECT_EQ(identity_element(g, Op::kAdd, kInt32), constant(g, kInt32, 0));
  EXPECT_EQ(identity_element(g, Op::kMul, kFloat32), constant(g, kFloat32, 1));
  EXPECT_EQ(identity_element(g, Op::kMax, kInt8), constant(g, kInt8, -128));
  EXPECT_EQ(identity_element(g, Op::kMax, kUInt64), constant(g, kUInt64, 0));
  EXPECT_EQ(float_value(g, identity_element(g, Op::kMax, kFloat16)),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(identity_element(g, Op::kAnd, kBool), bool_const(g, true));
  EXPECT_EQ(identity_element(g, Op::kAnd, kUInt8), constant(g, kUInt8, 255));
  EXPECT_EQ(identity_element(g, Op::kOr, kBool), bool_const(g, false));
  EXPECT_THROW(identity_element(g, Op::kSub, kInt32), InternalError);
}

TEST(ShapeValues, OfASymbolicDimensionAreItsUpperBound) {
  Graph g;
  const Id n = g.add(Op::kVariable, kIndex, {index_const(g, 1), index_const(g, 12)}, g.text("n"));
  EXPECT_EQ(shape_values(g, g.add(Op::kBuffer, kInt8, {n}, 0)), std::vector<int64_t>{12});
}

}  // namespace
}  // namespace loom
