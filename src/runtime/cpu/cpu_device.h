// The CPU: LLVM text compiled for the host, kept on disk, run by a pool of threads.
#pragma once
#include <memory>

#include "loom/settings.h"
#include "runtime/device.h"

namespace loom {

/// A CPU device of its own, with the number of threads and the disk cache that the settings say.
std::unique_ptr<Device> open_cpu(const Settings& settings);
/// The same with the settings in force: what the registry calls "CPU".
std::unique_ptr<Device> open_cpu();

}  // namespace loom
