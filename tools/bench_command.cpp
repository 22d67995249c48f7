// `loom bench [NAME...] [--json]`: runs benchmarks and prints their figures.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "bench/bench.h"
#include "bench/machine.h"
#include "runtime/device.h"
#include "tools/commands.h"

namespace loom::tools {

namespace {

using bench::Benchmark;
using bench::Result;

const Benchmark& find_benchmark(const std::string& wanted) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : bench::benchmarks()) {
    if (benchmark.name == wanted) return benchmark;
    names.emplace_back(benchmark.name);
  }
  fail<UserError>("bench: there is no benchmark \"", wanted, "\" among ", names,
                  did_you_mean(wanted, names));
}

nlohmann::ordered_json json_of(const Result& result) {
  nlohmann::ordered_json json = {
      {"id", result.id}, {"value", result.value}, {"unit", result.unit}, {"spread", result.spread}};
  if (!result.peers.empty()) json["peers"] = result.peers;
  return json;
}

nlohmann::ordered_json machine_json() {
  const Target& target = device("CPU").target();
  nlohmann::ordered_json json = {
      {"cpu", target.cpu}, {"threads", target.threads}, {"vector_bits", target.vector_bits}};
  for (const Result& limit : bench::machine())
    json[limit.id.substr(limit.id.find('.') + 1)] = limit.value;
  return json;
}

void print_json(const Benchmark& benchmark) {
  nlohmann::ordered_json json = {{"bench", benchmark.name}, {"machine", machine_json()}};
  json["results"] = nlohmann::ordered_json::array();
  for (const Result& result : benchmark.run()) json["results"].push_back(json_of(result));
  std::cout << json.dump() << std::endl;
}

void print_table(const Benchmark& benchmark) {
  std::printf("%.*s: %.*s\n", static_cast<int>(benchmark.name.size()), benchmark.name.data(),
              static_cast<int>(benchmark.what.size()), benchmark.what.data());
  for (const Result& result : benchmark.run()) {
    std::printf("  %-28s %12.4g %-8s +-%.1f%%", result.id.c_str(), result.value,
                result.unit.c_str(), 100 * result.spread);
    for (const auto& [name, value] : result.peers) std::printf("   %s %.4g", name.c_str(), value);
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Run benchmarks; all of them when none is named");
  auto names = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  std::string help = "Which:";
  for (const Benchmark& benchmark : bench::benchmarks())
    help += str("\n  ", benchmark.name, ": ", benchmark.what);
  command->add_option("name", *names, help);
  command->add_flag("--json", *json, "One JSON object per benchmark");
  command->callback([names, json] {
    std::vector<const Benchmark*> chosen;
    for (const std::string& name : *names) chosen.push_back(&find_benchmark(name));
    if (names->empty()) {
      for (const Benchmark& benchmark : bench::benchmarks()) chosen.push_back(&benchmark);
    }
    for (const Benchmark* benchmark : chosen)
      *json ? print_json(*benchmark) : print_table(*benchmark);
  });

  // The child of `bench warp`; see bench/warp_bench.cpp.
  app.add_subcommand("first-warp", "Time the first warp of a process, in ns")
      ->group("")
      ->callback([] { std::printf("%.0f\n", bench::first_warp_ns()); });
}

}  // namespace loom::tools
