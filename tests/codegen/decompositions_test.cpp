// What `decompose` leaves alone, what it never leaves, and THREEFRY.
#include "codegen/decompositions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "rewrite/rules/symbolic.h"
#include "tests/codegen/elementwise.h"

namespace loom::testing {
namespace {

// Known answers of Random123 (threefry2x32, 20 rounds).
TEST(Threefry, HasThePublishedKnownAnswers) {
  const Elementwise kernel({kUInt64, kUInt64}, [](Graph&, std::span<const Expr> in) {
    return in[0].apply(Op::kThreefry, in[1]).id;
  });
  const auto word = [](uint32_t first, uint32_t second) { return uint64_t{second} << 32 | first; };
  const std::vector<uint64_t> counter = {0, ~uint64_t{0}, word(0x243f6a88, 0x85a308d3)};
  const std::vector<uint64_t> key = {0, ~uint64_t{0}, word(0x13198a2e, 0x03707344)};
  const std::vector<uint64_t> want = {word(0x6b200159, 0x99ba4efe), word(0x1cb996fc, 0xbb002be7),
                                      word(0xc4923a9c, 0x483df7a0)};
  EXPECT_EQ(kernel.run<uint64_t>(counter, key), want);
}

// One expression with everything that has an expansion.
Id everything(Graph& g, std::span<const Expr> in) {
  const Expr real = in[0], wide = in[1], half = in[2], integer = in[3], word = in[4];
  Expr sum = real;
  for (Op op : {Op::kExp2, Op::kLog2, Op::kSin}) {
    sum = sum + real.apply(op) + wide.apply(op).to(kFloat32) + half.apply(op).to(kFloat32);
  }
  sum = sum + real.apply(Op::kPow, sum) + Expr(g, muladd(g, real, real, sum));
  const Expr number = integer.apply(Op::kPow, integer) / integer % integer << integer >> integer;
  const Expr random = word.apply(Op::kThreefry, word);
  return sum + number.to(kFloat32) + random.to(kFloat32) + random.to(kBFloat16).to(kFloat32);
}

const std::vector<DType> kEverything = {kFloat32, kFloat64, kFloat16, kInt32, kUInt64};

TEST(Decompose, LeavesNothingThatATargetLacks) {
  const Elementwise kernel(kEverything, everything, Target{});
  for (Op op : {Op::kExp2, Op::kLog2, Op::kSin, Op::kPow, Op::kThreefry, Op::kMulAcc})
    EXPECT_EQ(kernel.count(op), 0) << name(op);
}

TEST(Decompose, DoesNothingASecondTime) {
  Elementwise kernel(kEverything, everything, Target{});
  EXPECT_EQ(decompose(kernel.graph(), kernel.root(), Target{}), kernel.root());
}

TEST(Decompose, GivesTheSameOnEveryTargetButForFusing) {
  Target fusing;
  fusing.has_fma = true;
  const auto expand = [](const Target& target) {
    return Elementwise(
        kEverything,
        [](Graph& g, std::span<const Expr> in) {
          return unary(g, Op::kSin, unary(g, Op::kExp2, in[0]));
        },
        target);
  };
  const Elementwise plain = expand(Target{}), fused = expand(fusing);
  EXPECT_EQ(structural_hash(plain.graph(), plain.root()),
            structural_hash(fused.graph(), fused.root()));
}

TEST(Decompose, KeepsMulAccOnlyWhereTheTargetFuses) {
  const auto build = [](Graph& g, std::span<const Expr> in) {
    return muladd(g, in[0], in[0], in[0]);
  };
  Target fusing;
  fusing.has_fma = true;
  EXPECT_EQ(Elementwise({kFloat32}, build, fusing).count(Op::kMulAcc), 1);
  EXPECT_EQ(Elementwise({kFloat32}, build, Target{}).count(Op::kMulAcc), 0);
  EXPECT_EQ(Elementwise({kInt32}, build, fusing).count(Op::kMulAcc), 0);
}

TEST(Decompose, MakesWhatSimplifyDoesNotChange) {
  std::mt19937_64 random(1);
  std::vector<float> x(20'000), y(20'000);
  for (float& value : x) value = std::bit_cast<float>(static_cast<uint32_t>(random()));
  for (float& value : y) value = static_cast<float>(random() % 4000) / 64 - 30;
  const auto spelt = [](Op op) {
    return [op](Graph&, std::span<const Expr> in) { return in[0].apply(op).id; };
  };
  const std::vector<Elementwise::Build> functions = {
      spelt(Op::kExp2),
      spelt(Op::kLog2),
      spelt(Op::kSin),
      [](Graph&, std::span<const Expr> in) { return in[0].apply(Op::kPow, in[1]).id; },
      [](Graph&, std::span<const Expr> in) { return in[0].to(kBFloat16).to(kFloat32).id; },
      [](Graph&, std::span<const Expr> in) { return in[0].to(kFloat16).to(kFloat32).id; },
  };
  for (const auto& function : functions) {
    Elementwise kernel({kFloat32, kFloat32}, function);
    const std::vector<float> before = kernel.run<float>(x, y);
    kernel.become(simplify(kernel.graph(), kernel.root()));
    const std::vector<float> after = kernel.run<float>(x, y);
    EXPECT_EQ(std::memcmp(before.data(), after.data(), sizeof(float) * x.size()), 0);
  }
}

// What the expansion of an expression over 0 <= i < 100 is, beside what it was.
Elementwise over_range(const std::function<Expr(Expr)>& f) {
  return Elementwise({}, [&](Graph& g, std::span<const Expr>) {
    return f({g, range(g, 100, 0, AxisType::kLoop)}).id;
  });
}

TEST(Decompose, LeavesProvenDivisionsAndShiftsAlone) {
  const std::function<Expr(Expr)> proven[] = {
      [](Expr i) { return i / 7; },
      [](Expr i) { return i % (i + 1); },
      [](Expr i) { return i.to(kInt32) / -1; },
      [](Expr i) { return i.to(kUInt8) << (i % 8).to(kUInt8); },
      [](Expr i) { return i.to(kInt64) >> (i / 2).to(kInt64); },
  };
  for (const auto& f : proven) {
    const Elementwise kernel = over_range(f);
    EXPECT_EQ(kernel.root(), kernel.source());
  }
}

TEST(Decompose, GuardsWhatIsNotProven) {
  const std::function<Expr(Expr)> unproven[] = {
      [](Expr i) { return 7 / i; },
      [](Expr i) { return 7 % i; },
      [](Expr i) { return i.to(kInt32) << i.to(kInt32); },
  };
  for (const auto& f : unproven) EXPECT_GT(over_range(f).count(Op::kWhere), 0);
}

TEST(Decompose, TakesDepthWithoutRecursion) {
  Graph g;
  Expr x{g, load(g, index(g, g.add(Op::kParam, kFloat32, {index_const(g, 1)}), index_const(g, 0)))};
  for (int k = 0; k < 100'000; ++k) x = {g, muladd(g, x, x, x.number(k))};
  const Id root = decompose(g, x, Target{});
  for (Id id : reachable(g, root)) ASSERT_NE(g.op(id), Op::kMulAcc);
}

}  // namespace
}  // namespace loom::testing
