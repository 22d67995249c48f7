// The command `loom`: parses the command line and turns every error into one line and exit code 1.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/error.h"
#include "tools/commands.h"

int main(int argc, char** argv) {
  CLI::App app{"Rangeloom: a tensor compiler and runtime", "loom"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "loom 0.1");
  loom::tools::add_warp_command(app);
  loom::tools::add_sample_frame_command(app);
  loom::tools::add_bench_command(app);
  loom::tools::add_devices_command(app);
  loom::tools::add_rules_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "loom: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
