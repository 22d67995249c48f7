#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "loom/error.h"
#include "loom/settings.h"
#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/elf_loader.h"
#include "runtime/cpu/llvm_compiler.h"
#include "tests/runtime/kernels.h"

namespace loom {
namespace {

Settings without_cache() {
  Settings settings;
  settings.no_cache = true;
  settings.threads = 2;
  return settings;
}

TEST(Registry, OpensADeviceOnceWhoeverAsks) {
  std::vector<Device*> found(8);
  std::vector<std::thread> threads;
  for (Device*& slot : found) threads.emplace_back([&slot] { slot = &device("CPU"); });
  for (std::thread& thread : threads) thread.join();
  for (Device* one : found) EXPECT_EQ(one, found[0]);
  EXPECT_EQ(found[0]->name(), "CPU");
}

TEST(Registry, SaysWhatWasProbablyMeant) {
  try {
    device("CPUU");
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"CPU\""), std::string::npos)
        << error.what();
  }
}

TEST(Registry, TakesFurtherDevices) {
  register_device("SECOND", +[] { return open_cpu(without_cache()); });
  const auto names = device_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "SECOND"), names.end());
  EXPECT_NE(&device("SECOND"), &device("CPU"));
}

TEST(Buffer, TakesItsMemoryAtFirstUse) {
  Device& cpu = device("CPU");
  Buffer buffer(cpu, 128);
  EXPECT_FALSE(buffer.is_allocated());
  void* memory = buffer.data();
  EXPECT_TRUE(buffer.is_allocated());
  EXPECT_EQ(buffer.data(), memory);
}

TEST(Buffer, OfAbsurdSizeThrowsInsteadOfCrashing) {
  Buffer buffer(device("CPU"), INT64_MAX);
  EXPECT_THROW(buffer.data(), DeviceError);
}

TEST(CpuDevice, RunsAKernelOnEachThread) {
  const auto cpu = open_cpu(without_cache());
  const auto program = cpu->load(cpu->compile(kThreadNumbers, "numbers"), "numbers");
  std::vector<int64_t> out(100);
  void* const buffers[] = {out.data()};
  LaunchDims dims;
  dims.threads = 100;
  const int64_t variables[] = {7};
  program->launch(buffers, variables, dims);
  for (int64_t k = 0; k < 100; ++k) EXPECT_EQ(out[static_cast<size_t>(k)], k + 7);
}

TEST(CpuDevice, TellsWhatTheCompilerSays) {
  const auto cpu = open_cpu(without_cache());
  try {
    cpu->compile("define void @f() {\n  ret i32 %nothing\n}\n", "f");
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(cpu->compile("target triple = \"vax-dec-ultrix\"\n", "f"), DeviceError);
}

TEST(CpuDevice, ThrowsWhereLlvmWouldEndTheProcess) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the frames of LLVM that the exception passes leak a few strings";
#endif
  EXPECT_THROW(compile_llvm(module_for("x86_64", R"(
declare i32 @llvm.aarch64.crc32b(i32, i32)
define void @f(ptr %buffers, ptr %variables, i64 %thread) nounwind {
  %sum = call i32 @llvm.aarch64.crc32b(i32 1, i32 2)
  store i32 %sum, ptr %buffers
  ret void
}
)")),
               DeviceError);
}

TEST(CpuDevice, RefusesAProgramWithoutItsEntry) {
  const auto cpu = open_cpu(without_cache());
  EXPECT_THROW(cpu->load(cpu->compile(kThreadNumbers, "numbers"), "letters"), DeviceError);
  EXPECT_THROW(cpu->load({}, "numbers"), DeviceError);
}

class DiskCachedCpu : public testing::Test {
 protected:
  DiskCachedCpu() {
    settings_.cache_dir = folder_;
    std::filesystem::remove_all(folder_);
  }
  ~DiskCachedCpu() override { std::filesystem::remove_all(folder_); }

  std::vector<uint8_t> compile() const {
    return open_cpu(settings_)->compile(kThreadNumbers, "numbers");
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      result.push_back(entry.path());
    return result;
  }

  const std::string folder_ = testing::TempDir() + "loom_device_test_cache";
  Settings settings_;
};

TEST_F(DiskCachedCpu, GivesTheSameObjectColdAndWarm) {
  const auto cold = compile();
  EXPECT_FALSE(files().empty());
  EXPECT_EQ(compile(), cold);
  EXPECT_EQ(compile_llvm(kThreadNumbers), cold);
}

TEST_F(DiskCachedCpu, ServesSeveralThreads) {
  const auto cpu = open_cpu(settings_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cpu, t] {
      for (int k = 0; k < 5; ++k) {
        // Two threads at a time ask for the same text.
        const std::string text = kThreadNumbers + "; " + std::to_string(t / 2 * 5 + k);
        const auto program = cpu->load(cpu->compile(text, "numbers"), "numbers");
        int64_t out = 0;
        void* const buffers[] = {&out};
        const int64_t first = t;
        program->launch(buffers, {&first, 1}, {});
        EXPECT_EQ(out, t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DiskCachedCpu, CompilesAnewWhenItsCacheIsDamaged) {
  const auto cold = compile();
  for (const auto& file : files()) std::filesystem::resize_file(file, 777);
  EXPECT_EQ(compile(), cold);
}

TEST_F(DiskCachedCpu, WorksWhereNoCacheCanBe) {
  settings_.cache_dir = "/proc/no/such/folder";
  EXPECT_EQ(compile(), compile_llvm(kThreadNumbers));
}

}  // namespace
}  // namespace loom
