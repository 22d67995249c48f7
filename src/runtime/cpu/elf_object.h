// A relocatable ELF64 object, read from memory with every offset and size checked.
//
// In:  the bytes of an object for x86-64 or AArch64, from a compiler or a file: nothing is trusted.
// Out: its sections, symbols and relocations.
//
// Throws DeviceError for whatever does not fit together.
#pragma once
#include <elf.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace loom {

struct ElfSection {
  Elf64_Shdr header;
  std::span<const uint8_t> bytes;  // empty for sections without content in the file
};

struct ElfSymbol {
  std::string_view name;
  uint16_t section = SHN_UNDEF;
  uint64_t value = 0;
};

struct ElfRelocation {
  uint32_t section = 0;  // where it is applied
  uint64_t offset = 0;   // in that section
  uint32_t type = 0;
  uint32_t symbol = 0;  // position in ElfObject::symbols
  int64_t addend = 0;
};

struct ElfObject {
  uint16_t machine = EM_NONE;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;  // of the sections that are loaded
};

/// Views into `bytes`, which must outlive the result.
ElfObject parse_elf(std::span<const uint8_t> bytes);

}  // namespace loom
