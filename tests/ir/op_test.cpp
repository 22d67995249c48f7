#include "ir/op.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

TEST(OpTable, NamesReadBack) {
  for (int i = 1; i < kOpCount; i++) {
    const Op op = static_cast<Op>(i);
    EXPECT_EQ(op_from_name(name(op)), op) << name(op);
    EXPECT_EQ(info(op).op, op);
  }
  EXPECT_EQ(op_from_name("NONE"), Op::kNone);
  EXPECT_EQ(op_from_name("add"), Op::kNone);
  EXPECT_EQ(name(Op::kDefineReg), "DEFINE_REG");
}

TEST(OpTable, FlagsAgreeWithThePredicates) {
  for (int i = 0; i < kOpCount; i++) {
    const Op op = static_cast<Op>(i);
    const auto has = [&](OpFlag flag) { return (info(op).flags & flag) != 0; };
    EXPECT_EQ(has(kFlagUnary), is_unary(op)) << name(op);
    EXPECT_EQ(has(kFlagBinary), is_binary(op)) << name(op);
    EXPECT_EQ(has(kFlagTernary), is_ternary(op)) << name(op);
    EXPECT_EQ(has(kFlagView), is_view(op)) << name(op);
    EXPECT_EQ(has(kFlagCommutes), is_commutative(op)) << name(op);
    EXPECT_EQ(is_alu(op), is_unary(op) || is_binary(op) || is_ternary(op)) << name(op);
  }
}

TEST(OpTable, ALUOpsTakeAsManySourcesAsTheirKindSays) {
  for (int i = 0; i < kOpCount; i++) {
    const OpInfo& op = info(static_cast<Op>(i));
    if (!is_alu(op.op)) continue;
    const int count = is_unary(op.op) ? 1 : is_binary(op.op) ? 2 : 3;
    EXPECT_EQ(op.min_src, count) << op.name;
    EXPECT_EQ(op.max_src, count) << op.name;
  }
}

TEST(RangeArg, KeepsAxisAndType) {
  for (int64_t axis : {int64_t{0}, int64_t{7}, int64_t{1} << 40, int64_t{-3}}) {
    const int64_t arg = range_arg(axis, AxisType::kGroupReduce);
    EXPECT_EQ(range_axis(arg), axis);
    EXPECT_EQ(range_type(arg), AxisType::kGroupReduce);
  }
  EXPECT_EQ(special_dim(special_arg(SpecialKind::kLocalId, 2)), 2);
  EXPECT_EQ(special_kind(special_arg(SpecialKind::kLocalId, 2)), SpecialKind::kLocalId);
}

}  // namespace
}  // namespace loom
