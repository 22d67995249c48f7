// Relocations: how the address of a symbol is written into code and data of each machine.
#pragma once
#include <cstdint>
#include <span>

namespace loom {

struct RelocationPlace {
  std::span<uint8_t> bytes;  // of the section, from the relocated place to its end
  uint64_t address = 0;      // of the place when the code runs
};

/// Writes `target` (the symbol's address plus addend) as relocation `type` of ELF machine `machine`
/// demands. Throws DeviceError for an unknown type, a place too small, or a target out of reach.
void relocate(uint16_t machine, uint32_t type, RelocationPlace place, uint64_t target);

}  // namespace loom
