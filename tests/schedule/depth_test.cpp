// The scheduler does not recurse on the depth of a graph. That it is linear is counted in
// tests/scaling.
#include "tests/oracle/networks.h"
#include "tests/schedule/scheduled.h"

namespace loom::oracle {
namespace {

TEST(Depth, OfAHundredThousandNodes) {
  Graph g;
  Id x = buffer(g, kFloat32, 0, {64});
  for (int k = 0; k < 100'000; k++) x = unary(g, k % 2 ? Op::kSqrt : Op::kNeg, x);
  EXPECT_GT(kernel_count(g, realize(g, {x})), 1u);
  Id y = buffer(g, kFloat32, 0, {8, 8});
  for (int k = 0; k < 50'000; k++) y = flip(g, permute(g, y, {1, 0}), 1);
  EXPECT_EQ(kernel_count(g, realize(g, {y})), 1u);
}

}  // namespace
}  // namespace loom::oracle
