// Which kernel needs what to have been stored, said in terms of versions: a version is a BUFFER
// (its content before any store of this schedule, or a fresh buffer's only content) or an AFTER.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// The version that an instance reads; 0 when it reads no memory.
Id version_read(const Graph& g, const Instance& instance);

/// By kernel: the instances in it that read memory.
std::vector<std::vector<uint32_t>> memory_reads(const Graph& g, const Fusion& fusion);

/// The kernels that must have run for `version` to be what it says, appended to `kernels`.
void append_writers(const Graph& g, const Fusion& fusion, Id version,
                    std::vector<uint32_t>& kernels);

/// BUFFERs that are stored into while somebody reads them or stores elsewhere into them: by id.
std::vector<bool> contested_memory(const Graph& g, const Fusion& fusion,
                                   const std::vector<Facts>& facts);

}  // namespace loom
