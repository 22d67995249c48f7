#include "base/target.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

TEST(Target, TheGenericMachinesAreTheBaselineOfTheirArchitecture) {
  Target x86 = generic_x86_64(), arm = generic_arm64();
  EXPECT_EQ(x86.arch, "x86_64");
  EXPECT_EQ(x86.vector_bits, 128);
  EXPECT_FALSE(x86.has_fma);
  EXPECT_EQ(arm.arch, "aarch64");
  EXPECT_EQ(arm.vector_registers, 32);
  EXPECT_TRUE(arm.has_fma);
}

TEST(Target, TheHostIsAMachineThatCanExist) {
  const Target& host = host_target();
  EXPECT_GE(host.threads, 1);
  EXPECT_GE(host.vector_bits, 128);
  EXPECT_GE(host.l1_bytes, 8 << 10);
  EXPECT_GE(host.l2_bytes, host.l1_bytes);
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_EQ(host, host_target());
}

#if defined(__x86_64__)
TEST(Target, TheHostsVectorWidthFollowsFromItsFeatures) {
  const Target& host = host_target();
  auto has = [&](const char* name) { return host.features.find(name) != std::string::npos; };
  EXPECT_EQ(has("+avx512f"), static_cast<bool>(__builtin_cpu_supports("avx512f")));
  EXPECT_EQ(has("+avx2"), static_cast<bool>(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(host.has_fma, static_cast<bool>(__builtin_cpu_supports("fma")));
  EXPECT_TRUE(host.vector_bits != 512 || has("+avx512f"));
  EXPECT_TRUE(host.vector_bits != 256 || has("+avx2"));
}
#endif

}  // namespace
}  // namespace loom
