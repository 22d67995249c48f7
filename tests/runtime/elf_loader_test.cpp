#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>
#include <iostream>
#include <random>

#include "loom/error.h"
#include "runtime/cpu/elf_loader.h"
#include "runtime/cpu/elf_object.h"
#include "runtime/cpu/elf_relocate.h"
#include "runtime/cpu/llvm_compiler.h"
#include "tests/runtime/kernels.h"

namespace loom {
namespace {

using Kernel = void (*)(void* const*, const int64_t*, int64_t);

TEST(ElfLoader, ResolvesConstantsAndLibraryCalls) {
  const LoadedObject object(compile_llvm(module_for(host_target().arch, kTableAndCalls)));
  ASSERT_TRUE(object.is_for_host());
  std::vector<float> out(4), in(1024, 1.5f), copy(1024);
  void* const buffers[] = {out.data(), in.data(), copy.data()};
  reinterpret_cast<Kernel>(object.function("calls"))(buffers, nullptr, 0);
  EXPECT_EQ(out, (std::vector<float>{4.0f, 5.5f, 8.5f, 11.5f}));
  EXPECT_EQ(copy, in);
}

TEST(ElfLoader, KnowsTheRelocationsOfBothMachines) {
  for (const char* arch : {"x86_64", "aarch64"}) {
    const auto bytes = compile_llvm(module_for(arch, kTableAndCalls));
    EXPECT_GE(parse_elf(bytes).relocations.size(), 3u) << arch;
    EXPECT_NE(LoadedObject(bytes).function("calls"), nullptr) << arch;
  }
}

TEST(ElfLoader, RefusesUnknownFunctionsAndWritableData) {
  EXPECT_THROW(LoadedObject(compile_llvm(module_for("x86_64", R"(
declare void @launch_missiles()
define void @f() nounwind {
  call void @launch_missiles()
  ret void
}
)"))),
               DeviceError);
  EXPECT_THROW(LoadedObject(compile_llvm(module_for("x86_64", "@counter = global i32 7\n"))),
               DeviceError);
}

TEST(ElfLoader, RefusesWhatIsNoObject) {
  const auto good = compile_llvm(kThreadNumbers);
  EXPECT_THROW(LoadedObject({}), DeviceError);
  for (size_t size : {size_t{1}, size_t{63}, size_t{64}, good.size() - 1})
    EXPECT_THROW(LoadedObject(std::span(good).first(size)), DeviceError) << size;
  auto executable = good;
  executable[offsetof(Elf64_Ehdr, e_type)] = ET_EXEC;
  EXPECT_THROW(LoadedObject{executable}, DeviceError);
}

// Damaged objects are refused or loaded, but nothing outside their memory is touched. The
// sanitizers watch.
TEST(ElfLoader, SurvivesDamagedObjectsFuzz) {
  const uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937_64 random(seed);
  int refused = 0;
  for (const char* arch : {"x86_64", "aarch64"}) {
    const auto good = compile_llvm(module_for(arch, kTableAndCalls));
    for (int round = 0; round < 20000; ++round) {
      auto bytes = good;
      for (uint64_t changes = random() % 4 + 1; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
      if (random() % 8 == 0) bytes.resize(random() % bytes.size());
      try {
        const LoadedObject object(bytes);
      } catch (const DeviceError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

struct RelocationCase {
  uint16_t machine;
  uint32_t type;
  uint64_t place, target;
  uint64_t before, after;  // the eight bytes at the place
};

// Worked out by hand from the ABI documents.
constexpr uint64_t kFar = uint64_t{1} << 40;
const RelocationCase kRelocations[] = {
    {EM_X86_64, R_X86_64_64, 0x1000, 0x1122334455667788, 0, 0x1122334455667788},
    {EM_X86_64, R_X86_64_PC32, 0x1000, 0x0ffc, 0xaaaaaaaa00000000, 0xaaaaaaaafffffffc},
    {EM_X86_64, R_X86_64_PLT32, kFar, kFar + 0x10, 0, 0x10},
    {EM_X86_64, R_X86_64_PC64, 0x10, 0x8, 0, 0xfffffffffffffff8},
    {EM_X86_64, R_X86_64_32, 0, 0xfedcba98, 0, 0xfedcba98},
    {EM_X86_64, R_X86_64_32S, 0, 0xffffffff80000000, 0, 0x80000000},
    {EM_AARCH64, R_AARCH64_ABS64, 0, 0x1122334455667788, 0, 0x1122334455667788},
    {EM_AARCH64, R_AARCH64_PREL32, 0x100, 0xf0, 0, 0xfffffff0},
    {EM_AARCH64, R_AARCH64_PREL64, 0x100, 0xf0, 0, 0xfffffffffffffff0},
    {EM_AARCH64, R_AARCH64_CALL26, 0x1000, 0x2000, 0x94000000, 0x94000400},            // bl
    {EM_AARCH64, R_AARCH64_JUMP26, 0x1000, 0x0ffc, 0x14000000, 0x17ffffff},            // b
    {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 0x1234, 0x6789, 0x90000000, 0xb0000020},  // 5 pages
    {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 0x5000, 0x4fff, 0x90000000, 0xf0ffffe0},  // -1 page
    {EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, 0, 0x6789, 0x91000000, 0x911e2400},
    {EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, 0, 0x6789, 0x39400000, 0x395e2400},
    {EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, 0, 0x6788, 0x79400000, 0x794f1000},
    {EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, 0, 0x6788, 0xb9400000, 0xb9478800},
    {EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, 0, 0x6788, 0xf9400000, 0xf943c400},
    {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 0, 0x6780, 0x3dc00000, 0x3dc1e000},
};

TEST(ElfRelocate, WritesTargetsAsTheAbiSays) {
  for (const RelocationCase& c : kRelocations) {
    uint8_t bytes[8];
    std::memcpy(bytes, &c.before, 8);
    relocate(c.machine, c.type, {bytes, c.place}, c.target);
    uint64_t after = 0;
    std::memcpy(&after, bytes, 8);
    EXPECT_EQ(after, c.after) << "machine " << c.machine << " type " << c.type;
  }
}

TEST(ElfRelocate, RefusesTargetsOutOfReachUnknownTypesAndSmallPlaces) {
  uint8_t bytes[8] = {};
  const auto expect_refused = [&](uint16_t machine, uint32_t type, uint64_t target, size_t size) {
    EXPECT_THROW(relocate(machine, type, {std::span(bytes).first(size), 0}, target), DeviceError)
        << "machine " << machine << " type " << type;
  };
  expect_refused(EM_X86_64, R_X86_64_PC32, kFar, 8);
  expect_refused(EM_X86_64, R_X86_64_32, kFar, 8);
  expect_refused(EM_X86_64, R_X86_64_32S, 0x80000000, 8);
  expect_refused(EM_X86_64, R_X86_64_64, 0, 7);
  expect_refused(EM_X86_64, R_X86_64_TLSGD, 0, 8);
  expect_refused(EM_AARCH64, R_AARCH64_CALL26, 1 << 28, 8);
  expect_refused(EM_AARCH64, R_AARCH64_CALL26, 2, 8);
  expect_refused(EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, kFar, 8);
  expect_refused(EM_AARCH64, R_AARCH64_TLSDESC_CALL, 0, 8);
}

}  // namespace
}  // namespace loom
