// `loom devices` and `loom rules`: what this build of Rangeloom has.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "base/error.h"
#include "codegen/decompositions.h"
#include "engine/engine.h"
#include "rewrite/rule_book.h"
#include "rewrite/rules/symbolic.h"
#include "runtime/device.h"
#include "schedule/kernel_rules.h"
#include "tools/commands.h"
#include "tools/rule_book.h"

namespace loom::tools {

namespace {

void print_device(const std::string& name) {
  try {
    const Target& target = device(name).target();
    std::printf("%-8s %s %s, %d threads, %d-bit vectors\n", name.c_str(), target.arch.c_str(),
                target.cpu.c_str(), target.threads, target.vector_bits);
  } catch (const DeviceError& error) {
    std::printf("%-8s cannot be opened: %s\n", name.c_str(), error.what());
  }
}

}  // namespace

void add_devices_command(CLI::App& app) {
  app.add_subcommand("devices", "List the devices and what they can do")->callback([] {
    engine();  // brings the interpreter
    for (const std::string& name : device_names()) print_device(name);
  });
}

void add_rules_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("rules", "Print every rewrite rule (docs/rules.md)");
  command->callback([] { std::cout << rule_book(); });
}

std::string rule_book() {
  const RuleSet* const sets[] = {&symbolic(), &reductions(), &masked_loads(), &decompositions()};
  return rules_markdown(sets);
}

}  // namespace loom::tools
