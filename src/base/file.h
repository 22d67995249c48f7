#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loom {

/// The whole file. Throws UserError with the path and the system's reason when it cannot be read or
/// has more than `max_bytes` bytes. Reads pipes too.
std::vector<uint8_t> read_file(const std::string& path, int64_t max_bytes);

/// Writes the whole file or nothing: the bytes go to a new file beside it that takes its name only
/// when all are written. Throws UserError with the path and the system's reason.
void write_file(const std::string& path, std::span<const uint8_t> bytes);

}  // namespace loom
