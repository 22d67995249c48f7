#include "runtime/cpu/elf_relocate.h"

#include <elf.h>

#include <cstring>

#include "base/error.h"

namespace loom {
namespace {

template <class T>
T get(RelocationPlace place) {
  if (place.bytes.size() < sizeof(T))
    fail<DeviceError>("malformed object: a relocation past the end of its section");
  T value;
  std::memcpy(&value, place.bytes.data(), sizeof value);
  return value;
}

template <class T>
void put(RelocationPlace place, T value) {
  get<T>(place);  // checks the size
  std::memcpy(place.bytes.data(), &value, sizeof value);
}

/// The target as T, which must hold it.
template <class T>
void put_checked(RelocationPlace place, int64_t value) {
  if (static_cast<T>(value) != value)
    fail<DeviceError>("malformed object: a relocation out of reach");
  put(place, static_cast<T>(value));
}

int64_t distance(RelocationPlace place, uint64_t target) {
  return static_cast<int64_t>(target - place.address);
}

bool relocate_x86_64(uint32_t type, RelocationPlace place, uint64_t target) {
  switch (type) {
    case R_X86_64_64: put(place, target); return true;
    case R_X86_64_PC64: put(place, distance(place, target)); return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: put_checked<int32_t>(place, distance(place, target)); return true;
    case R_X86_64_32: put_checked<uint32_t>(place, static_cast<int64_t>(target)); return true;
    case R_X86_64_32S: put_checked<int32_t>(place, static_cast<int64_t>(target)); return true;
    default: return false;
  }
}

/// Puts the low `width` bits of `value` into an instruction, from bit `shift` up.
void put_field(RelocationPlace place, int64_t value, int width, int shift) {
  const uint32_t mask = ((uint32_t{1} << width) - 1) << shift;
  put(place, (get<uint32_t>(place) & ~mask) | (static_cast<uint32_t>(value << shift) & mask));
}

// B and BL: a distance in words, 26 bits.
void put_branch(RelocationPlace place, int64_t offset) {
  if (offset % 4 != 0 || offset < -(1 << 27) || offset >= 1 << 27)
    fail<DeviceError>("malformed object: a branch out of reach");
  put_field(place, offset >> 2, 26, 0);
}

// ADRP: a distance in pages, its low two bits apart from the high nineteen.
void put_page_distance(RelocationPlace place, uint64_t target) {
  const int64_t pages = static_cast<int64_t>((target >> 12) - (place.address >> 12));
  if (pages < -(1 << 20) || pages >= 1 << 20)
    fail<DeviceError>("malformed object: a page out of reach");
  put_field(place, pages, 2, 29);
  put_field(place, pages >> 2, 19, 5);
}

// The offset in the page, in units of 2^scale bytes.
void put_page_offset(RelocationPlace place, uint64_t target, int scale) {
  put_field(place, static_cast<int64_t>((target & 0xfff) >> scale), 12, 10);
}

bool relocate_aarch64(uint32_t type, RelocationPlace place, uint64_t target) {
  switch (type) {
    case R_AARCH64_ABS64: put(place, target); return true;
    case R_AARCH64_PREL64: put(place, distance(place, target)); return true;
    case R_AARCH64_PREL32: put_checked<int32_t>(place, distance(place, target)); return true;
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26: put_branch(place, distance(place, target)); return true;
    case R_AARCH64_ADR_PREL_PG_HI21: put_page_distance(place, target); return true;
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: put_page_offset(place, target, 0); return true;
    case R_AARCH64_LDST16_ABS_LO12_NC: put_page_offset(place, target, 1); return true;
    case R_AARCH64_LDST32_ABS_LO12_NC: put_page_offset(place, target, 2); return true;
    case R_AARCH64_LDST64_ABS_LO12_NC: put_page_offset(place, target, 3); return true;
    case R_AARCH64_LDST128_ABS_LO12_NC: put_page_offset(place, target, 4); return true;
    default: return false;
  }
}

}  // namespace

void relocate(uint16_t machine, uint32_t type, RelocationPlace place, uint64_t target) {
  const bool known = machine == EM_X86_64 ? relocate_x86_64(type, place, target)
                                          : relocate_aarch64(type, place, target);
  if (!known) fail<DeviceError>("malformed object: unknown relocation type ", type);
}

}  // namespace loom
