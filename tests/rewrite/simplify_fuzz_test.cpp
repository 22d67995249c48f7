// The whole simplifier: random expressions over small ranges, evaluated for all assignments before
// and after; and random expressions of every dtype, evaluated for some.
#include <gtest/gtest.h>

#include <iostream>

#include "base/error.h"
#include "base/str.h"
#include "ir/build.h"
#include "ir/text.h"
#include "rewrite/rewrite.h"
#include "rewrite/rules/symbolic.h"
#include "tests/rewrite/random_expression.h"

namespace loom::testing {
namespace {

// Why simplifying `root` goes wrong, or nothing.
std::string problem(Graph& g, Id root, const std::vector<Id>& leaves,
                    const std::vector<Assignment>& assignments, Strategy strategy) {
  Id simple = 0;
  try {
    simple = rewrite(g, root, symbolic(), strategy);
    if (const Id again = simplify(g, simple); again != simple)
      return "is not in normal form:\n" + print(g, simple) + "becomes\n" + print(g, again);
  } catch (const InternalError& error) {
    return error.what();
  }
  if (g.dtype(simple) != g.dtype(root)) return "changes its dtype";
  for (const Assignment& assignment : assignments) {
    if (same(g.dtype(root), evaluate(g, root, leaves, assignment),
             evaluate(g, simple, leaves, assignment)))
      continue;
    return str("differs for ", text(g, leaves, assignment), " from\n", print(g, simple));
  }
  return "";
}

void check(Graph& g, Id root, const std::vector<Id>& leaves,
           const std::vector<Assignment>& assignments, uint64_t seed) {
  for (Strategy strategy : {Strategy::kBottomUp, Strategy::kTopDown}) {
    const auto fails = [&](Id id) {
      return !problem(g, id, leaves, assignments, strategy).empty();
    };
    if (!fails(root)) continue;
    const Id small = shrink(g, root, fails);
    ADD_FAILURE() << "seed " << seed << ", strategy " << static_cast<int>(strategy) << "\n"
                  << print(g, small) << "  " << problem(g, small, leaves, assignments, strategy);
    return;
  }
}

TEST(SimplifyFuzz, IndexExpressionsKeepTheirValues) {
  const int count = rounds(4000);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); i++) {
    const uint64_t seed = base_seed() + static_cast<uint64_t>(i);
    Graph g;
    RandomExpression random(g, seed, RandomExpression::kIndices);
    const Id root =
        random.make(random.one_in(3) ? kBool : kIndex, static_cast<int>(random.between(2, 6)));
    std::vector<Assignment> assignments;
    Assignment assignment = random.first_assignment();
    do assignments.push_back(assignment);
    while (random.next_assignment(assignment) && assignments.size() < 1000);
    check(g, root, random.leaves(), assignments, seed);
  }
}

TEST(SimplifyFuzz, ExpressionsOfAllDtypesKeepTheirValues) {
  const int count = rounds(6000);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); i++) {
    const uint64_t seed = base_seed() + static_cast<uint64_t>(i);
    Graph g;
    RandomExpression random(g, seed);
    const Id root = random.make(random.any_dtype(), 5);
    std::vector<Assignment> assignments;
    for (int k = 0; k < 20; k++) assignments.push_back(random.random_assignment());
    check(g, root, random.leaves(), assignments, seed);
  }
}

}  // namespace
}  // namespace loom::testing
