// The subcommands of `loom`. Each file adds one to the command line and owns its options.
#pragma once

namespace CLI {
class App;
}

namespace loom::tools {

void add_warp_command(CLI::App& app);
void add_sample_frame_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_devices_command(CLI::App& app);
void add_rules_command(CLI::App& app);

}  // namespace loom::tools
