// Ten times the graph costs at most twelve times the work in every pass. Work is counted, not
// timed: the instructions that valgrind sees in a child process that does one workload once.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/str.h"
#include "tests/scaling/workloads.h"

/// What is counted, found by its name.
extern "C" [[gnu::noinline]] void loom_counted_work(const loom::testing::Workload& workload,
                                                    loom::Graph& g, loom::Id root) {
  workload.work(g, root);
}

namespace loom::testing {
namespace {

constexpr std::string_view kCounter =
    "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
    "--toggle-collect=loom_counted_work";

std::string output_of(const std::string& command) {
  const auto close = [](FILE* pipe) { pclose(pipe); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  std::string output;
  char piece[256];
  while (size_t got = std::fread(piece, 1, sizeof piece, pipe.get())) output.append(piece, got);
  return output;
}

std::string own_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length < 0 ? "" : std::string(path, static_cast<size_t>(length));
}

/// Instructions of a workload; 0 and a failure when they could not be counted.
double count_instructions(const Workload& workload, int size) {
  const std::string output =
      output_of(str(kCounter, " '", own_path(), "' --work '", workload.name, "' ", size, " 2>&1"));
  const size_t found = output.find("Collected : ");
  if (found == std::string::npos) ADD_FAILURE() << output;
  return found == std::string::npos ? 0 : std::strtod(output.c_str() + found + 12, nullptr);
}

class Scaling : public ::testing::TestWithParam<Workload> {};

TEST_P(Scaling, TenTimesTheGraphCostsTwelveTimesTheWorkAtMost) {
  if (std::system("command -v valgrind >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "valgrind, which counts the work, is not installed";
  const Workload& workload = GetParam();
  const double small = count_instructions(workload, workload.size),
               large = count_instructions(workload, 10 * workload.size);
  EXPECT_GT(small, 10'000) << "too little to count";
  EXPECT_LE(large / small, 12);
  std::printf("%s: %.0f instructions, %.1f times that\n", workload.name.data(), small,
              large / small);
}

INSTANTIATE_TEST_SUITE_P(All, Scaling, ::testing::ValuesIn(workloads().begin(), workloads().end()),
                         [](const auto& chosen) {
                           std::string name(chosen.param.name);
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

int work(std::string_view name, int size) {
  for (const Workload& workload : workloads()) {
    if (workload.name != name) continue;
    Graph first, g;  // the first use of a pass builds its tables
    workload.work(first, workload.prepare(first, 2));
    loom_counted_work(workload, g, workload.prepare(g, size));
    return 0;
  }
  return 1;
}

}  // namespace
}  // namespace loom::testing

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--work")
    return loom::testing::work(argv[2], std::atoi(argv[3]));
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
