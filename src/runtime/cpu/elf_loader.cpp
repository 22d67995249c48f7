#include "runtime/cpu/elf_loader.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "runtime/cpu/elf_object.h"
#include "runtime/cpu/elf_relocate.h"

namespace loom {
namespace {

constexpr size_t kMaxSize = size_t{1} << 30;
constexpr size_t kMaxAlignment = 4096;
constexpr size_t kStubSize = 16;

template <class Function>
uint64_t address_of(Function* function) {
  return reinterpret_cast<uint64_t>(function);
}

/// The functions of the C library that LLVM may call in place of instructions that a machine lacks.
std::optional<uint64_t> library_function(std::string_view name) {
  static const std::unordered_map<std::string_view, uint64_t> kFunctions = {
      {"memcpy", address_of(&std::memcpy)},
      {"memmove", address_of(&std::memmove)},
      {"memset", address_of(&std::memset)},
      {"fmaf", address_of(&::fmaf)},
      {"fma", address_of<double(double, double, double)>(&::fma)},
      {"truncf", address_of(&::truncf)},
      {"trunc", address_of<double(double)>(&::trunc)},
  };
  const auto found = kFunctions.find(name);
  if (found == kFunctions.end()) return std::nullopt;
  return found->second;
}

/// Where each part of an object lies in the memory for it: the sections to load, then a stub for
/// each function from outside, because the C library may be further away than a call reaches.
struct Layout {
  std::vector<size_t> section;  // offset of each section
  std::vector<size_t> stub;  // offset of each symbol's stub; 0: none (the first section lies there)
  size_t size = 0;
};

bool is_loaded(const ElfSection& section) {
  return section.header.sh_flags & SHF_ALLOC && !section.bytes.empty();
}

size_t aligned(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

void place_section(Layout& layout, const ElfSection& section) {
  const Elf64_Shdr& header = section.header;
  if (header.sh_flags & SHF_WRITE) fail<DeviceError>("malformed object: it has writable data");
  const size_t alignment = std::max<size_t>(header.sh_addralign, 1);
  if (alignment > kMaxAlignment || section.bytes.size() > kMaxSize)
    fail<DeviceError>("malformed object: a section is too large");
  layout.section.back() = layout.size = aligned(layout.size, alignment);
  layout.size += section.bytes.size();
  if (layout.size > kMaxSize) fail<DeviceError>("malformed object: it is too large");
}

Layout lay_out(const ElfObject& object) {
  Layout layout;
  for (const ElfSection& section : object.sections) {
    layout.section.push_back(0);
    if (is_loaded(section)) place_section(layout, section);
  }
  layout.size = aligned(layout.size + 1, kStubSize);
  layout.stub.resize(object.symbols.size());
  for (const ElfRelocation& relocation : object.relocations) {
    size_t& stub = layout.stub[relocation.symbol];
    if (stub != 0 || object.symbols[relocation.symbol].section != SHN_UNDEF) continue;
    stub = layout.size;
    layout.size += kStubSize;
  }
  return layout;
}

/// Code that jumps to `target`, wherever that is.
std::array<uint8_t, kStubSize> make_stub(uint16_t machine, uint64_t target) {
  constexpr uint8_t kX86[] = {0xff, 0x25, 2, 0, 0, 0, 0, 0};  // jmp *[rip + 2]
  constexpr uint8_t kArm[] = {0x50, 0x00, 0x00, 0x58,
                              0x00, 0x02, 0x1f, 0xd6};  // ldr x16, #8; br x16
  std::array<uint8_t, kStubSize> stub;
  std::memcpy(stub.data(), machine == EM_X86_64 ? kX86 : kArm, 8);
  std::memcpy(stub.data() + 8, &target, 8);
  return stub;
}

class Linker {
 public:
  Linker(const ElfObject& object, const Layout& layout, uint8_t* memory)
      : object_(object), layout_(layout), memory_(memory) {}

  void link() {
    for (size_t k = 0; k < object_.sections.size(); ++k) {
      const auto bytes = object_.sections[k].bytes;
      if (is_loaded(object_.sections[k]))
        std::memcpy(memory_ + layout_.section[k], bytes.data(), bytes.size());
    }
    for (size_t k = 0; k < object_.symbols.size(); ++k)
      if (layout_.stub[k] != 0) write_stub(k);
    for (const ElfRelocation& relocation : object_.relocations) apply(relocation);
  }

  std::unordered_map<std::string, uint8_t*> functions() const {
    std::unordered_map<std::string, uint8_t*> result;
    for (const ElfSymbol& symbol : object_.symbols) {
      if (symbol.section == SHN_UNDEF || symbol.section >= object_.sections.size()) continue;
      const ElfSection& section = object_.sections[symbol.section];
      const bool is_code = is_loaded(section) && section.header.sh_flags & SHF_EXECINSTR;
      if (is_code && symbol.value < section.bytes.size())
        result.emplace(symbol.name, memory_ + layout_.section[symbol.section] + symbol.value);
    }
    return result;
  }

 private:
  void write_stub(size_t symbol) {
    const auto target = library_function(object_.symbols[symbol].name);
    if (!target)
      fail<DeviceError>("malformed object: unknown function '", object_.symbols[symbol].name, "'");
    const auto stub = make_stub(object_.machine, *target);
    std::memcpy(memory_ + layout_.stub[symbol], stub.data(), stub.size());
  }

  uint64_t address(uint32_t position) const {
    const ElfSymbol& symbol = object_.symbols[position];
    if (symbol.section == SHN_UNDEF) return address_of(memory_ + layout_.stub[position]);
    if (symbol.section == SHN_ABS) return symbol.value;
    const bool is_here =
        symbol.section < object_.sections.size() && is_loaded(object_.sections[symbol.section]);
    if (!is_here)
      fail<DeviceError>("malformed object: '", symbol.name, "' lies in no section that is loaded");
    return address_of(memory_ + layout_.section[symbol.section]) + symbol.value;
  }

  void apply(const ElfRelocation& relocation) {
    const auto size = object_.sections[relocation.section].bytes.size();
    if (relocation.offset >= size)
      fail<DeviceError>("malformed object: a relocation outside its section");
    uint8_t* place = memory_ + layout_.section[relocation.section] + relocation.offset;
    relocate(object_.machine, relocation.type,
             {{place, size - relocation.offset}, address_of(place)},
             address(relocation.symbol) + static_cast<uint64_t>(relocation.addend));
  }

  const ElfObject& object_;
  const Layout& layout_;
  uint8_t* memory_;
};

uint8_t* map_memory(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail<DeviceError>("no memory for ", size, " bytes of code");
  return static_cast<uint8_t*>(memory);
}

}  // namespace

LoadedObject::LoadedObject(std::span<const uint8_t> bytes) {
  const ElfObject object = parse_elf(bytes);
  const Layout layout = lay_out(object);
  machine_ = object.machine;
  size_ = layout.size;
  memory_ = map_memory(size_);
  try {
    Linker linker(object, layout, memory_);
    linker.link();
    functions_ = linker.functions();
    if (mprotect(memory_, size_, PROT_READ | PROT_EXEC) != 0)
      fail<DeviceError>("the system refuses executable memory");
  } catch (...) {
    munmap(memory_, size_);
    throw;
  }
  __builtin___clear_cache(reinterpret_cast<char*>(memory_),
                          reinterpret_cast<char*>(memory_ + size_));
}

LoadedObject::~LoadedObject() { munmap(memory_, size_); }

bool LoadedObject::is_for_host() const {
#if defined(__x86_64__)
  return machine_ == EM_X86_64;
#else
  return machine_ == EM_AARCH64;
#endif
}

void* LoadedObject::function(std::string_view name) const {
  const auto found = functions_.find(std::string(name));
  if (found == functions_.end())
    fail<DeviceError>("malformed object: it has no function '", name, "'");
  return found->second;
}

}  // namespace loom
