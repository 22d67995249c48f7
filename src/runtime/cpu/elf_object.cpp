#include "runtime/cpu/elf_object.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace loom {
namespace {

void check(bool condition, std::string_view what) {
  if (!condition) fail<DeviceError>("malformed object: ", what);
}

std::span<const uint8_t> slice(std::span<const uint8_t> bytes, uint64_t offset, uint64_t size) {
  check(offset <= bytes.size() && size <= bytes.size() - offset, "something lies outside the file");
  return bytes.subspan(offset, size);
}

template <class T>
T read(std::span<const uint8_t> bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, slice(bytes, offset, sizeof value).data(), sizeof value);
  return value;
}

template <class T>
std::vector<T> read_table(std::span<const uint8_t> bytes, uint64_t entry_size) {
  check(entry_size == sizeof(T) && bytes.size() % sizeof(T) == 0,
        "a table with entries of an unknown size");
  std::vector<T> table(bytes.size() / sizeof(T));
  if (!table.empty()) std::memcpy(table.data(), bytes.data(), bytes.size());
  return table;
}

std::string_view text_at(std::span<const uint8_t> strings, uint64_t offset) {
  const auto tail =
      slice(strings, offset, strings.size() - std::min<uint64_t>(offset, strings.size()));
  const void* end = tail.empty() ? nullptr : std::memchr(tail.data(), 0, tail.size());
  check(end != nullptr, "a name without end");
  return reinterpret_cast<const char*>(tail.data());
}

Elf64_Ehdr read_header(std::span<const uint8_t> bytes) {
  const auto header = read<Elf64_Ehdr>(bytes, 0);
  check(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "it is not ELF");
  check(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB,
        "it is not 64-bit little-endian");
  check(header.e_type == ET_REL, "it is not relocatable");
  check(header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64,
        "it is for an unknown machine");
  check(header.e_shentsize == sizeof(Elf64_Shdr), "its section headers have an unknown size");
  return header;
}

std::vector<ElfSection> read_sections(std::span<const uint8_t> bytes, const Elf64_Ehdr& header) {
  std::vector<ElfSection> sections(header.e_shnum);
  for (size_t k = 0; k < sections.size(); ++k) {
    ElfSection& section = sections[k];
    section.header = read<Elf64_Shdr>(
        slice(bytes, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)), k * sizeof(Elf64_Shdr));
    const bool has_content =
        section.header.sh_type != SHT_NOBITS && section.header.sh_type != SHT_NULL;
    if (has_content) section.bytes = slice(bytes, section.header.sh_offset, section.header.sh_size);
  }
  return sections;
}

const ElfSection& section_at(const ElfObject& object, uint64_t position) {
  check(position < object.sections.size(), "a section that is not there");
  return object.sections[position];
}

void read_symbols(ElfObject& object, const ElfSection& table) {
  check(object.symbols.empty(), "more than one symbol table");
  const auto strings = section_at(object, table.header.sh_link).bytes;
  for (const auto& symbol : read_table<Elf64_Sym>(table.bytes, table.header.sh_entsize))
    object.symbols.push_back({text_at(strings, symbol.st_name), symbol.st_shndx, symbol.st_value});
}

void read_relocations(ElfObject& object, const ElfSection& table) {
  const uint32_t target = table.header.sh_info;
  if (!(section_at(object, target).header.sh_flags & SHF_ALLOC)) return;
  check(table.header.sh_type == SHT_RELA, "relocations without addends");
  for (const auto& entry : read_table<Elf64_Rela>(table.bytes, table.header.sh_entsize)) {
    const auto symbol = static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
    const auto type = static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info));
    check(symbol < object.symbols.size(), "a relocation against a symbol that is not there");
    object.relocations.push_back({target, entry.r_offset, type, symbol, entry.r_addend});
  }
}

}  // namespace

ElfObject parse_elf(std::span<const uint8_t> bytes) {
  const Elf64_Ehdr header = read_header(bytes);
  ElfObject object{header.e_machine, read_sections(bytes, header), {}, {}};
  for (const ElfSection& section : object.sections)
    if (section.header.sh_type == SHT_SYMTAB) read_symbols(object, section);
  for (const ElfSection& section : object.sections)
    if (section.header.sh_type == SHT_RELA || section.header.sh_type == SHT_REL)
      read_relocations(object, section);
  return object;
}

}  // namespace loom
