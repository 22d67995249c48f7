// PLAIN: the CPU as any machine of its architecture, without wide vectors, threads or a disk cache.
#pragma once
#include "runtime/cpu/elf_loader.h"
#include "runtime/cpu/llvm_compiler.h"
#include "runtime/host_allocator.h"

namespace loom {

class PlainProgram : public Program {
 public:
  PlainProgram(std::span<const uint8_t> binary, std::string_view entry) : object_(binary) {
    function_ = reinterpret_cast<Function>(object_.function(entry));
  }
  void launch(std::span<void* const> buffers, std::span<const int64_t> variables,
              const LaunchDims& dims) const override {
    for (int64_t thread = 0; thread < dims.threads; ++thread)
      function_(buffers.data(), variables.data(), thread);
  }

 private:
  using Function = void (*)(void* const*, const int64_t*, int64_t);
  LoadedObject object_;
  Function function_;
};

class PlainDevice : public Device {
 public:
  const std::string& name() const override { return name_; }
  const Target& target() const override { return target_; }
  Allocator& allocator() override { return allocator_; }
  std::string_view language() const override { return "llvm"; }
  std::vector<uint8_t> compile(std::string_view source, std::string_view) override {
    return compile_llvm(source);
  }
  std::unique_ptr<Program> load(std::span<const uint8_t> binary, std::string_view entry) override {
    return std::make_unique<PlainProgram>(binary, entry);
  }

 private:
  const std::string name_ = "PLAIN";
  const Target target_ = host_target().arch == "aarch64" ? generic_arm64() : generic_x86_64();
  HostAllocator allocator_;
};

inline std::unique_ptr<Device> open_plain() { return std::make_unique<PlainDevice>(); }

}  // namespace loom
