#include "ir/text.h"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>
#include <random>

#include "base/error.h"
#include "ir/build.h"

namespace loom {
namespace {

constexpr std::string_view kKernel = R"(%1 = CONST index {8}
%2 = RANGE index %1 {0 LOOP}
%3 = RANGE index %1 {1 REDUCE}
%4 = CONST index {64}
%5 = PARAM float32 %4 {1}
%6 = MUL index %2 %1
%7 = ADD index %6 %3
%8 = INDEX float32 %5 %7
%9 = LOAD float32 %8
%10 = REDUCE float32 %9 %3 {ADD}
%11 = PARAM float32 %1 {0}
%12 = INDEX float32 %11 %2
%13 = STORE %12 %10
%14 = END %13 %2
%15 = SINK %14
%16 = KERNEL %15 {"sum_8_8"}
)";

std::string message_of(std::string_view text, const ParseLimits& limits = {}) {
  try {
    parse(text, limits);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Print, GivesOneLineANodeInTopologicalOrder) {
  const ParsedGraph parsed = parse(kKernel);
  ASSERT_EQ(parsed.roots.size(), 1U);
  EXPECT_EQ(parsed.graph.op(parsed.roots[0]), Op::kKernel);
  EXPECT_EQ(print(parsed.graph, parsed.roots), kKernel);
}

TEST(Print, NumbersOnlyWhatTheRootsNeed) {
  Graph g;
  index_const(g, 5);
  const Id x = index_const(g, 6);
  EXPECT_EQ(print(g, x), "%1 = CONST index {6}\n");
  EXPECT_EQ(print_node(g, add(g, x, x)), "%3 = ADD index %2 %2");
}

TEST(Print, NamesRootsUnlessTheLastNodeIsTheOne) {
  Graph g;
  const Id x = index_const(g, 1), y = add(g, x, x);
  const Id roots[] = {y, x};
  const std::string text = print(g, roots);
  EXPECT_EQ(text, "%1 = CONST index {1}\n%2 = ADD index %1 %1\n-> %2 %1\n");
  const ParsedGraph parsed = parse(text);
  EXPECT_EQ(print(parsed.graph, parsed.roots), text);
}

// The text of a constant, and that it reads back to the same bits.
std::string const_text(DType dtype, int64_t bits) {
  Graph g;
  const Id x = g.add(Op::kConst, dtype, {}, bits);
  const std::string text = print_node(g, x);
  const ParsedGraph parsed = parse(text);
  EXPECT_EQ(parsed.graph.arg(parsed.roots[0]), bits) << text;
  return text.substr(text.find('{'));
}

std::string float_text(DType dtype, double value) {
  return const_text(dtype, std::bit_cast<int64_t>(value));
}

TEST(PrintConst, IsExactAndShort) {
  EXPECT_EQ(float_text(kFloat32, 1.5), "{1.5}");
  EXPECT_EQ(float_text(kFloat32, 0.1F), "{0.1}");
  EXPECT_EQ(float_text(kFloat64, 0.1), "{0.1}");
  EXPECT_EQ(float_text(kFloat32, 3), "{3.0}");
  EXPECT_EQ(float_text(kFloat32, -0.0), "{-0.0}");
  EXPECT_EQ(float_text(kFloat64, std::numeric_limits<double>::infinity()), "{inf}");
  EXPECT_EQ(float_text(kFloat16, -std::numeric_limits<double>::infinity()), "{-inf}");
  EXPECT_EQ(float_text(kFloat32, std::numeric_limits<double>::quiet_NaN()), "{nan}");
  EXPECT_EQ(float_text(kFloat32, -std::numeric_limits<double>::quiet_NaN()),
            "{nan:fff8000000000000}");
  EXPECT_EQ(float_text(kFloat64, std::numeric_limits<double>::denorm_min()), "{5e-324}");
  EXPECT_EQ(const_text(kBool, 1), "{true}");
  EXPECT_EQ(const_text(kUInt64, -1), "{18446744073709551615}");
  EXPECT_EQ(const_text(kInt64, INT64_MIN), "{-9223372036854775808}");
}

TEST(PrintConst, RandomNumbersReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; i++) {
    const_text(kFloat64, static_cast<int64_t>(random()));
    float_text(kFloat32, std::bit_cast<float>(static_cast<uint32_t>(random())));
    float_text(kFloat16, float_from_half(static_cast<uint16_t>(random())));
  }
}

TEST(PrintArgument, OfEachKindReadsBack) {
  const std::string_view lines[] = {"%1 = RANGE index %9 {-3 GROUP_REDUCE}",
                                    "%1 = SPECIAL index %9 {LOCAL_ID 2}",
                                    "%1 = STAGE index %9 {LOCAL removable}",
                                    "%1 = STAGE index %9 {GLOBAL}",
                                    "%1 = FLIP index %9 {5}",
                                    "%1 = PERMUTE index %9 {[1,0,-2]}",
                                    "%1 = REDUCE index %9 {MAX [0,2]}",
                                    "%1 = REDUCE index %9 {MAX}",
                                    "%1 = WMMA index %9 %9 %9 {[]}",
                                    "%1 = DEVICE {\"CPU \\\"1\\\" \\\\ \\x0a#}\"}",
                                    "%1 = SINK",
                                    "%1 = VECTORIZE float32x16 %9",
                                    "%1 = LANES indexx4"};
  for (std::string_view line : lines) {
    const ParsedGraph parsed = parse("%9 = CONST index {1}\n" + std::string(line));
    std::string printed = print_node(parsed.graph, parsed.roots[0]);
    printed.replace(0, printed.find('='), "%1 ");
    for (size_t at = printed.find("%1", 2); at != std::string::npos; at = printed.find("%1", at))
      printed.replace(at, 2, "%9");
    EXPECT_EQ(printed, line);
  }
}

TEST(Parse, IgnoresCommentsEmptyLinesAndSpaces) {
  const ParsedGraph parsed =
      parse("# a sum\n\n  %7=CONST   index{ 3 } # three\r\n%9 = ADD index %7 %7\n\n");
  EXPECT_EQ(print(parsed.graph, parsed.roots), "%1 = CONST index {3}\n%2 = ADD index %1 %1\n");
  EXPECT_TRUE(parse("").roots.empty());
}

TEST(Parse, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(message_of("%1 = CONST index {1}\n%2 = MULL index %1 %1"),
            "line 2: unknown op \"MULL\", did you mean \"MUL\"?");
  EXPECT_EQ(message_of("%1 = CONST flaot32 {1}"),
            "line 1: unknown dtype \"flaot32\", did you mean \"float32\"?");
  EXPECT_EQ(message_of("%1 = NEG index %2"), "line 1: %2 is not defined above");
  EXPECT_EQ(message_of("%1 = NEG index %1"), "line 1: %1 is not defined above");
  EXPECT_EQ(message_of("%1 = LANES indexx4\n%1 = LANES indexx4"), "line 2: %1 is defined twice");
  EXPECT_EQ(message_of("%1 = CONST int8 {128}"), "line 1: 128 does not fit int8");
  EXPECT_EQ(message_of("%1 = CONST int8 {1.5}"), "line 1: expected an integer, got \"1.5\"");
  EXPECT_EQ(message_of("%1 = CONST float32 {1e40}"), "line 1: 1e40 is out of the type's range");
  EXPECT_EQ(message_of("%1 = CONST index {3"), "line 1: expected \"}\", got the end of the line");
  EXPECT_EQ(message_of("%1 = CONST index"), "line 1: expected \"{\", got the end of the line");
  EXPECT_EQ(message_of("%1 = SINK {3}"), "line 1: SINK has no argument");
  EXPECT_EQ(message_of("%1 = SINK\n%2 = KERNEL %1 {x}"),
            "line 2: expected a quoted text, got \"x}\"");
  EXPECT_EQ(message_of("%1 = SINK\n%2 = KERNEL"), "line 2: KERNEL takes 1 sources, got 0");
  EXPECT_EQ(message_of("%1 = SINK\n%2 = END"), "line 2: END takes 1 or more sources, got 0");
  EXPECT_EQ(message_of("%1 = SINK\n%2 = RANGE index %1 {0 LOPO}"),
            "line 2: unknown axis type \"LOPO\", did you mean \"LOOP\"?");
  EXPECT_EQ(message_of("%1 = SINK\n-> %1\n%2 = SINK"), "line 3: nothing may follow the roots");
  EXPECT_EQ(message_of("%99999999999 = SINK"),
            "line 1: 99999999999 is out of range for a node number");
  EXPECT_EQ(message_of("hello"), "line 1: expected \"%\", got \"hello\"");
  EXPECT_EQ(message_of("%1 = DEVICE {\"CPU}"), "line 1: the text has no closing quote");
}

TEST(Parse, HasLimits) {
  EXPECT_EQ(message_of("%1 = SINK\n%2 = LANES indexx2", {.nodes = 1}), "line 2: more than 1 nodes");
  EXPECT_EQ(message_of("%1 = SINK", {.bytes = 5}), "the text has more than 5 bytes");
  EXPECT_NE(message_of("%1 = " + std::string(1 << 20, 'A')), "");
}

TEST(Parse, ReadsADeepGraph) {
  std::string text = "%0 = CONST index {1}\n";
  for (int i = 1; i <= 100000; i++)
    text += "%" + std::to_string(i) + " = NEG index %" + std::to_string(i - 1) + "\n";
  const ParsedGraph parsed = parse(text);
  EXPECT_EQ(parsed.graph.size(), 100002U);
}

// Reads a damaged text; whatever comes out must be an error or a graph that prints and answers all
// questions.
void parse_damaged(std::mt19937_64& random) {
  std::string text(kKernel);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t damage = 1 + below(4); damage > 0; damage--) {
    const size_t at = below(text.size()), length = below(12);
    switch (below(4)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(below(text.size()), length)); break;
      default: text.insert(at, std::to_string(random() >> below(64))); break;
    }
    if (text.empty()) return;
  }
  try {
    const ParsedGraph parsed = parse(text);
    const std::string printed = print(parsed.graph, parsed.roots);
    const ParsedGraph again = parse(printed);
    ASSERT_EQ(print(again.graph, again.roots), printed);
    for (Id id = 1; id < parsed.graph.size(); id++) {
      parsed.graph.bounds(id);
      parsed.graph.ranges(id);
      try {
        parsed.graph.shape(id);
      } catch (const InternalError&) {
      }
    }
  } catch (const UserError&) {
  }
}

TEST(ParseFuzz, DamagedTextIsAnErrorOrAGraph) {
  const uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << '\n';
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20000 && !testing::Test::HasFatalFailure(); i++) parse_damaged(random);
}

}  // namespace
}  // namespace loom
