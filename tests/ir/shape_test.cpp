#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/build.h"
#include "ir/graph.h"

namespace loom {
namespace {

using Shape = std::vector<int64_t>;

class ShapeTest : public testing::Test {
 protected:
  Id buffer(int64_t size) { return g.add(Op::kBuffer, kFloat32, {index_const(g, size)}, slot++); }
  Id view(Op op, Id x, const Shape& numbers) {
    std::vector<Id> src{x};
    for (int64_t number : numbers) src.push_back(index_const(g, number));
    return g.add(op, g.dtype(x), src);
  }
  Id tensor(const Shape& shape) {
    int64_t size = 1;
    for (int64_t dim : shape) size *= dim;
    return view(Op::kReshape, buffer(size), shape);
  }
  Shape shape(Id id) { return shape_values(g, id); }
  Id variable() {
    const Id most = index_const(g, 16);
    return g.add(Op::kVariable, kIndex, {index_const(g, 1), most}, g.text("n"));
  }

  Graph g;
  int64_t slot = 0;
};

TEST_F(ShapeTest, LeavesHaveTheirSizeAndConstantsNone) {
  EXPECT_EQ(shape(buffer(6)), Shape{6});
  EXPECT_EQ(shape(range(g, 9, 0, AxisType::kLoop)), Shape{9});
  EXPECT_EQ(shape(constant(g, kFloat32, 1.0)), Shape{});
}

TEST_F(ShapeTest, ViewsGiveTheShapeThatTheySay) {
  const Id x = tensor({2, 1, 3});
  EXPECT_EQ(shape(view(Op::kExpand, x, {2, 5, 3})), (Shape{2, 5, 3}));
  EXPECT_EQ(shape(g.add(Op::kPermute, kFloat32, {x}, g.ints({2, 0, 1}))), (Shape{3, 2, 1}));
  EXPECT_EQ(shape(view(Op::kPad, x, {1, 0, 2, 0, 4, 3})), (Shape{3, 5, 8}));
  EXPECT_EQ(shape(view(Op::kShrink, x, {0, 0, 1, 1, 1, 2})), (Shape{1, 1, 2}));
  EXPECT_EQ(shape(g.add(Op::kFlip, kFloat32, {x}, 0b101)), (Shape{2, 1, 3}));
}

TEST_F(ShapeTest, PaddedConstantDimensionsAreConstants) {
  const Id padded = view(Op::kPad, tensor({2, 3}), {1, 1, 0, 2});
  for (Id dim : g.shape(padded)) EXPECT_TRUE(is_const(g, dim));
}

TEST_F(ShapeTest, SymbolicDimensionsArePaddedSymbolically) {
  const Id n = variable();
  const Id x = g.add(Op::kReshape, kFloat32, {buffer(16), n});
  const Id padded = view(Op::kPad, x, {2, 3});
  EXPECT_EQ(g.shape(padded)[0], add(g, n, index_const(g, 5)));
  EXPECT_EQ(g.shape(view(Op::kPad, x, {0, 0}))[0], n);
  EXPECT_EQ(shape(padded), Shape{21});
}

TEST_F(ShapeTest, AskingForAShapeAddsNoNodes) {
  const Id padded = view(Op::kPad, tensor({2, 3}), {1, 1, 0, 2});
  const Id sum =
      g.add(Op::kReduce, kFloat32, {padded}, g.ints({static_cast<int64_t>(Op::kAdd), 1}));
  const size_t before = g.size();
  EXPECT_EQ(shape(sum), (Shape{3, 1}));
  EXPECT_EQ(g.size(), before);
}

TEST_F(ShapeTest, ReducedAxesStayWithSizeOne) {
  const Id x = tensor({4, 5, 6});
  const auto sum = [&](std::vector<int64_t> axes) {
    axes.insert(axes.begin(), static_cast<int64_t>(Op::kAdd));
    return g.add(Op::kReduce, kFloat32, {x}, g.ints(axes));
  };
  EXPECT_EQ(shape(sum({0, 2})), (Shape{1, 5, 1}));
  EXPECT_EQ(shape(sum({})), (Shape{4, 5, 6}));
  EXPECT_THROW(shape(sum({3})), InternalError);
}

TEST_F(ShapeTest, ElementwiseTakesEqualShapesAndScalars) {
  const Id x = tensor({2, 3}), y = tensor({2, 3}), one = constant(g, kFloat32, 1.0);
  EXPECT_EQ(shape(add(g, x, y)), (Shape{2, 3}));
  EXPECT_EQ(shape(add(g, one, y)), (Shape{2, 3}));
  EXPECT_EQ(shape(where(g, bool_const(g, true), one, y)), (Shape{2, 3}));
  EXPECT_EQ(shape(cast(g, x, kInt32)), (Shape{2, 3}));
  EXPECT_EQ(shape(add(g, one, one)), Shape{});
}

TEST_F(ShapeTest, WhatDoesNotFitIsNamedWithBothShapes) {
  const Id bad = add(g, tensor({2, 3}), tensor({3, 2}));
  const Id above = unary(g, Op::kNeg, bad);
  try {
    shape(above);
    FAIL();
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("ADD %" + std::to_string(bad)), std::string::npos) << text;
    EXPECT_NE(text.find("(2, 3)"), std::string::npos) << text;
    EXPECT_NE(text.find("(3, 2)"), std::string::npos) << text;
  }
  EXPECT_EQ(shape(tensor({7})), Shape{7});  // others are not disturbed
}

TEST_F(ShapeTest, ViewsThatDoNotFitAreErrors) {
  const Id x = tensor({2, 3});
  EXPECT_THROW(shape(view(Op::kReshape, x, {7})), InternalError);
  EXPECT_THROW(shape(view(Op::kExpand, x, {2, 4})), InternalError);
  EXPECT_THROW(shape(view(Op::kExpand, x, {6})), InternalError);
  EXPECT_THROW(shape(view(Op::kPad, x, {1})), InternalError);
  EXPECT_THROW(shape(view(Op::kShrink, x, {1, 2, 3})), InternalError);
  EXPECT_THROW(shape(g.add(Op::kPermute, kFloat32, {x}, g.ints({0, 0}))), InternalError);
  EXPECT_THROW(shape(g.add(Op::kPermute, kFloat32, {x}, g.ints({0, 2}))), InternalError);
  EXPECT_THROW(shape(g.add(Op::kFlip, kFloat32, {x}, 4)), InternalError);
}

TEST_F(ShapeTest, AGatherHasTheShapeOfItsIndices) {
  const Id x = tensor({4, 5});
  const Id rows = cast(g, tensor({7, 2}), kInt32), columns = cast(g, tensor({7, 2}), kInt32);
  EXPECT_EQ(shape(g.add(Op::kIndex, kFloat32, {x, rows, columns})), (Shape{7, 2}));
}

TEST_F(ShapeTest, ATupleHasNoShapeButItsElementsDo) {
  const Id tuple = g.add(Op::kTuple, kVoid, {tensor({2}), tensor({3, 4})});
  EXPECT_TRUE(g.shape(tuple).empty());
  EXPECT_EQ(shape(g.add(Op::kGetTuple, kFloat32, {tuple}, 1)), (Shape{3, 4}));
  EXPECT_THROW(shape(g.add(Op::kGetTuple, kFloat32, {tuple}, 2)), InternalError);
}

TEST_F(ShapeTest, EffectsKeepTheShapeOfWhatTheyFollow) {
  const Id target = buffer(4);
  const Id assign = g.add(Op::kStore, kVoid, {target, tensor({4})});
  EXPECT_TRUE(g.shape(assign).empty());
  EXPECT_EQ(shape(g.add(Op::kAfter, kFloat32, {target, assign})), Shape{4});
}

TEST_F(ShapeTest, KernelReductionsHaveNone) {
  const Id r = range(g, 8, 0, AxisType::kReduce);
  EXPECT_TRUE(g.shape(reduce(g, Op::kAdd, constant(g, kFloat32, 1), std::span(&r, 1))).empty());
}

}  // namespace
}  // namespace loom
