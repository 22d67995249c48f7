#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace loom {

/// Everything that the environment can say about a run, as a value. None of it changes a result.
struct Settings {
  std::string device = "CPU";  ///< LOOM_DEVICE: the device of tensors that name none
  int debug = 0;    ///< LOOM_DEBUG: 0 silent, 1 programs, 2 kernels and their times, 3 opts,
                    ///< 4 source, 5 graphs
  int threads = 0;  ///< LOOM_THREADS: threads of the CPU device; 0: as many as the machine has
  std::string cache_dir;   ///< LOOM_CACHE_DIR: folder of compiled kernels; empty: no disk cache
  int64_t cache_mb = 512;  ///< LOOM_CACHE_MB: size at which the least used kernels are dropped
  bool no_cache = false;   ///< LOOM_NO_CACHE: compile everything anew, read and write no disk cache
  bool verify = false;     ///< LOOM_VERIFY: check the graph after every pass; on in debug builds
  bool color = true;       ///< LOOM_COLOR: colour where the output is a terminal
};

/// The settings in force: the environment's, read once at the first call, until set_settings
/// replaces them. Throws UserError when a variable has a value that makes no sense.
std::shared_ptr<const Settings> settings();

/// Replaces the settings for everything that starts from now on.
void set_settings(Settings settings);

}  // namespace loom
