#include "ir/verify.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/settings.h"
#include "ir/build.h"
#include "ir/text.h"

namespace loom {
namespace {

// What the verifier says of a text; empty when it finds nothing wrong.
std::string problem(Stage stage, std::string_view text) {
  const ParsedGraph parsed = parse(text);
  try {
    verify(parsed.graph, parsed.roots, stage);
    return "";
  } catch (const InternalError& error) {
    return error.what();
  }
}

void expect_problem(Stage stage, std::string_view text, std::string_view expected) {
  const std::string found = problem(stage, text);
  EXPECT_NE(found.find(expected), std::string::npos) << text << "\nfound: " << found;
}

constexpr std::string_view kTensor = R"(
  %1 = CONST index {2}
  %2 = CONST index {3}
  %3 = CONST index {6}
  %4 = DEVICE {"CPU"}
  %5 = BUFFER float32 %3 %4 {0}
  %6 = RESHAPE float32 %5 %1 %2
  %7 = BUFFER float32 %3 %4 {1}
  %8 = RESHAPE float32 %7 %1 %2
  %9 = RANGE index %1 {0 LOOP}
)";

constexpr std::string_view kKernel = R"(
  %1 = CONST index {8}
  %2 = RANGE index %1 {0 LOOP}
  %3 = RANGE index %1 {1 REDUCE}
  %4 = CONST index {64}
  %5 = PARAM float32 %4 {1}
  %6 = MUL index %2 %1
  %7 = ADD index %6 %3
  %8 = CONST float32 {0.0}
  %9 = PARAM float32 %1 {0}
  %10 = CONST index {1}
)";

std::string tensor(std::string_view more) { return std::string(kTensor) + std::string(more); }
std::string kernel(std::string_view more) { return std::string(kKernel) + std::string(more); }

TEST(VerifyTensor, AcceptsWhatTensorsBuild) {
  EXPECT_EQ(problem(Stage::kTensor, tensor(R"(
    %10 = ADD float32 %6 %8
    %11 = REDUCE float32 %10 {ADD [1]}
    %12 = INDEX float32 %6 %9 %9
    %13 = CONST float32 {1.0}
    %14 = MAX float32 %12 %13
    %15 = CONTIGUOUS float32 %14
    %16 = BUFFER float32 %1 %4 {2}
    %17 = STORE %16 %15
    %18 = AFTER float32 %16 %17
    %19 = SINK %18 %11)")),
            "");
}

TEST(VerifyTensor, RefusesWhatDoesNotFit) {
  expect_problem(Stage::kTensor, tensor("%10 = ADD float32 %6 %5"),
                 "the shapes of the sources differ");
  expect_problem(Stage::kTensor, tensor("%10 = ADD float32 %6 %9"),
                 "its sources have the same type");
  expect_problem(Stage::kTensor, tensor("%10 = ADD int32 %6 %8"),
                 "its dtype is that of its source");
  expect_problem(Stage::kTensor, tensor("%10 = SHL float32 %6 %8"),
                 "the op exists for the type of its sources");
  expect_problem(Stage::kTensor, tensor("%10 = INDEX float32 %6 %9"),
                 "one index tensor for each axis");
  expect_problem(Stage::kTensor, tensor("%10 = STORE %5 %6"), "the type and shape of the target");
  expect_problem(Stage::kTensor, tensor("%10 = WHERE float32 %6 %6 %8"), "the condition is a bool");
  expect_problem(Stage::kTensor, tensor("%10 = CMPLT int8 %6 %8"), "its dtype is bool");
  expect_problem(Stage::kTensor, tensor("%10 = RESHAPE float32 %5 %3 %1"),
                 "number of elements changes");
  expect_problem(Stage::kTensor, tensor("%10 = REDUCE float32 %6 {SUB [1]}"),
                 "it reduces with ADD");
  expect_problem(Stage::kTensor, tensor("%10 = COPY float32 %6 %8"), "a copy names its device");
  expect_problem(Stage::kTensor, tensor("%10 = BITCAST int8 %6"), "both types are equally wide");
  expect_problem(Stage::kTensor, tensor("%10 = LANES indexx4"),
                 "the op does not occur at this stage");
}

TEST(VerifyTensor, ShowsTheNodeAndItsSources) {
  const std::string text = problem(Stage::kTensor, tensor("%10 = ADD int32 %6 %8"));
  EXPECT_EQ(text,
            "%10 = ADD int32 %6 %8\n"
            "  breaks the rule of the tensor form: its dtype is that of its source\n"
            "  source %6 = RESHAPE float32 %5 %1 %2\n"
            "  source %8 = RESHAPE float32 %7 %1 %2");
}

TEST(VerifyKernel, AcceptsAReduction) {
  EXPECT_EQ(problem(Stage::kKernel, kernel(R"(
    %11 = INDEX float32 %5 %7
    %12 = LOAD float32 %11
    %13 = REDUCE float32 %12 %3 {ADD}
    %14 = INDEX float32 %9 %2
    %15 = STORE %14 %13
    %16 = END %15 %2
    %17 = SINK %16)")),
            "");
}

TEST(VerifyKernel, WantsEveryIndexInBoundsOrGuarded) {
  expect_problem(Stage::kKernel, kernel("%11 = INDEX float32 %9 %7"), "the offset is in bounds");
  EXPECT_EQ(
      problem(Stage::kKernel, kernel("%11 = CMPLT bool %7 %1\n %12 = INDEX float32 %9 %7 %11")),
      "");
  expect_problem(Stage::kKernel, kernel("%11 = SUB index %2 %10\n %12 = INDEX float32 %9 %11"),
                 "the offset is in bounds");
}

TEST(VerifyKernel, CountsAllElementsOfAVectorAccess) {
  const std::string load = R"(
    %11 = CONST index {7}
    %12 = RANGE index %11 {2 LOOP}
    %13 = INDEX float32 %9 %12
    %14 = LOAD float32x)";
  EXPECT_EQ(problem(Stage::kKernel, kernel(load + "2 %13")), "");
  expect_problem(Stage::kKernel, kernel(load + "4 %13"), "all the elements it reads are in bounds");
  expect_problem(Stage::kKernel, kernel(R"(
    %11 = INDEX float32 %9 %2
    %12 = VECTORIZE float32x2 %8
    %13 = STORE %11 %12)"),
                 "all the elements it writes are in bounds");
  EXPECT_EQ(problem(Stage::kKernel, kernel(R"(
    %11 = LANES indexx8
    %12 = INDEX float32 %9 %11
    %13 = LOAD float32x8 %12)")),
            "");
}

TEST(VerifyKernel, GatesAndAlternativesComeTogether) {
  const std::string gated = R"(
    %11 = CMPLT bool %7 %1
    %12 = INDEX float32 %9 %7 %11
    %13 = LOAD float32 %12)";
  expect_problem(Stage::kKernel, kernel(gated), "a gated read has an alternative");
  EXPECT_EQ(problem(Stage::kKernel, kernel(gated + " %8")), "");
  expect_problem(Stage::kKernel, kernel("%11 = INDEX float32 %9 %2\n %12 = LOAD float32 %11 %8"),
                 "a gated read");
}

TEST(VerifyKernel, WantsItsLoopsClosed) {
  const std::string effect = "%11 = INDEX float32 %9 %2\n %12 = STORE %11 %8\n";
  expect_problem(Stage::kKernel, kernel(effect + "%13 = SINK %12"), "END closes all its loops");
  EXPECT_EQ(problem(Stage::kKernel, kernel(effect + "%13 = END %12 %2\n%14 = SINK %13")), "");
}

TEST(VerifyKernel, RefusesTensorOpsAndOddVectors) {
  expect_problem(Stage::kKernel, kernel("%11 = BUFFER float32 %1 {0}"),
                 "does not occur at this stage");
  expect_problem(Stage::kKernel, kernel("%11 = VECTORIZE float32x3 %8 %8"), "one for each lane");
  expect_problem(Stage::kKernel, kernel("%11 = LANES indexx4\n%12 = LANE index %11 {4}"),
                 "the lane exists");
  expect_problem(Stage::kKernel, kernel("%11 = LANES indexx4\n%12 = ADD indexx4 %11 %2"),
                 "as many lanes");
}

constexpr std::string_view kLinear = R"(
  %1 = CONST int32 {8}
  %2 = PARAM float32 %1 {0}
  %3 = RANGE int32 %1 {0 LOOP}
  %4 = INDEX float32 %2 %3
  %5 = LOAD float32 %4
  %6 = STORE %4 %5
  %7 = END %6 %3
)";

std::string linear(std::string_view more) { return std::string(kLinear) + std::string(more); }

TEST(VerifyLinear, AcceptsALoop) {
  EXPECT_EQ(problem(Stage::kLinear, linear("%8 = LINEAR %1 %2 %3 %4 %5 %6 %7")), "");
}

TEST(VerifyLinear, WantsSourcesFirst) {
  expect_problem(Stage::kLinear, linear("%8 = LINEAR %1 %2 %3 %5 %4 %6 %7"),
                 "its sources come before it");
  expect_problem(Stage::kLinear, linear("%8 = LINEAR %1 %2 %3 %4 %5 %6 %6 %7"),
                 "each node is listed once");
}

TEST(VerifyLinear, WantsLoopsClosedInOrder) {
  expect_problem(Stage::kLinear, linear("%8 = LINEAR %1 %2 %3 %4 %5 %6"),
                 "it is closed in the list");
  expect_problem(Stage::kLinear, linear(R"(
    %8 = RANGE int32 %1 {1 LOOP}
    %9 = LINEAR %1 %2 %3 %8 %4 %5 %6 %7)"),
                 "the loop or IF that was opened last");
}

TEST(VerifyLinear, WantsValuesUsedInsideTheirLoops) {
  expect_problem(Stage::kLinear, linear(R"(
    %8 = NEG float32 %5
    %9 = LINEAR %1 %2 %3 %4 %5 %6 %7 %8)"),
                 "its sources belong to loops that are still open");
}

TEST(VerifyLinear, SeesThroughAfter) {
  EXPECT_EQ(problem(Stage::kLinear, linear(R"(
    %8 = AFTER float32 %2 %7
    %9 = CONST int32 {0}
    %10 = INDEX float32 %8 %9
    %11 = LOAD float32 %10
    %12 = LINEAR %1 %2 %3 %4 %5 %6 %7 %9 %10 %11)")),
            "");
}

TEST(VerifyLinear, BracketsConditionsWithIf) {
  const std::string guarded = R"(
    %1 = CONST int32 {8}
    %2 = PARAM float32 %1 {0}
    %3 = CONST int32 {0}
    %4 = CONST float32 {1.0}
    %5 = CONST bool {true}
    %6 = INDEX float32 %2 %3
    %7 = IF %5
    %8 = STORE %6 %4
    %9 = ENDIF %7
  )";
  EXPECT_EQ(problem(Stage::kLinear, guarded + "%10 = LINEAR %1 %2 %3 %4 %5 %6 %7 %8 %9"), "");
  expect_problem(Stage::kLinear, guarded + "%10 = LINEAR %1 %2 %3 %4 %5 %6 %7 %8",
                 "it is closed in the list");
}

TEST(VerifyPass, ChecksWhenTheSettingsAskForIt) {
  const ParsedGraph parsed = parse(tensor("%10 = ADD int32 %6 %8"));
  Settings changed = *settings();
  changed.verify = false;
  {
    const ScopedSettings off(changed);
    EXPECT_NO_THROW(verify_pass(parsed.graph, parsed.roots, Stage::kTensor, "fuse"));
  }
  changed.verify = true;
  const ScopedSettings on(changed);
  try {
    verify_pass(parsed.graph, parsed.roots, Stage::kTensor, "fuse");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("after fuse: %10 = ADD int32 %6 %8"));
  }
}

}  // namespace
}  // namespace loom
