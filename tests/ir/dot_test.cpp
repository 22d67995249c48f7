#include "ir/dot.h"

#include <gtest/gtest.h>

#include "ir/build.h"

namespace loom {
namespace {

TEST(Dot, HasABoxForEachNodeAndAnArrowForEachSource) {
  Graph g;
  const Id x = index_const(g, 3), sum = add(g, x, x);
  EXPECT_EQ(dot(g, std::span(&sum, 1)),
            "digraph {\n"
            "  node [shape=box, style=\"filled,rounded\", fontname=monospace];\n"
            "  n1 [label=\"1: CONST index\\n{3}\", fillcolor=\"#d8e2dc\"];\n"
            "  n2 [label=\"2: ADD index\", fillcolor=\"#ffffff\"];\n"
            "  n1 -> n2 [taillabel=0];\n"
            "  n1 -> n2 [taillabel=1];\n"
            "}\n");
}

TEST(Dot, QuotesTexts) {
  Graph g;
  const Id device = g.add(Op::kDevice, kVoid, {}, g.text("a\"b"));
  EXPECT_NE(dot(g, std::span(&device, 1)).find(R"({\"a\\\"b\"})"), std::string::npos);
}

}  // namespace
}  // namespace loom
