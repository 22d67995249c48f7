#include "runtime/cpu/cpu_device.h"

#include <mutex>
#include <optional>

#include "base/disk_cache.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "runtime/cpu/elf_loader.h"
#include "runtime/cpu/llvm_compiler.h"
#include "runtime/host_allocator.h"

namespace loom {
namespace {

/// A thread pool that starts its threads when the first loop wants them.
class LazyPool {
 public:
  explicit LazyPool(int threads) : threads_(threads) {}

  ThreadPool& get() {
    std::call_once(once_, [this] { pool_.emplace(static_cast<size_t>(threads_)); });
    return *pool_;
  }

 private:
  int threads_;
  std::once_flag once_;
  std::optional<ThreadPool> pool_;
};

class CpuProgram : public Program {
 public:
  CpuProgram(std::span<const uint8_t> binary, std::string_view entry, LazyPool& pool)
      : object_(binary), pool_(pool) {
    if (!object_.is_for_host())
      fail<DeviceError>("kernel ", entry, " was compiled for another machine");
    function_ = reinterpret_cast<Function>(object_.function(entry));
  }

  void launch(std::span<void* const> buffers, std::span<const int64_t> variables,
              const LaunchDims& dims) const override {
    if (dims.threads == 1) return function_(buffers.data(), variables.data(), 0);
    pool_.get().parallel_for(static_cast<size_t>(dims.threads), [&](size_t thread) {
      function_(buffers.data(), variables.data(), static_cast<int64_t>(thread));
    });
  }

 private:
  using Function = void (*)(void* const* buffers, const int64_t* variables, int64_t thread);

  LoadedObject object_;
  LazyPool& pool_;
  Function function_;
};

Target target_for(const Settings& settings) {
  Target target = host_target();
  if (settings.threads > 0) target.threads = settings.threads;
  return target;
}

/// Null when the settings want none.
std::unique_ptr<DiskCache> disk_cache_for(const Settings& settings) {
  if (settings.no_cache || settings.cache_dir.empty()) return nullptr;
  return std::make_unique<DiskCache>(settings.cache_dir + "/kernels.db", "objects",
                                     settings.cache_mb << 20);
}

class CpuDevice : public Device {
 public:
  explicit CpuDevice(const Settings& settings)
      : target_(target_for(settings)),
        pool_(target_.threads),
        disk_cache_(disk_cache_for(settings)) {}

  const std::string& name() const override { return name_; }
  const Target& target() const override { return target_; }
  Allocator& allocator() override { return allocator_; }
  std::string_view language() const override { return "llvm"; }

  /// The text names its CPU and features, so text and compiler together are the whole key.
  std::vector<uint8_t> compile(std::string_view source, std::string_view) override {
    if (!disk_cache_) return compile_llvm(source);
    const Hash128 key = content_hash({llvm_compiler_version(), source});
    if (auto known = disk_cache_->get(key)) return *std::move(known);
    std::vector<uint8_t> object = compile_llvm(source);
    disk_cache_->put(key, object);
    return object;
  }

  std::unique_ptr<Program> load(std::span<const uint8_t> binary, std::string_view entry) override {
    return std::make_unique<CpuProgram>(binary, entry, pool_);
  }

 private:
  const std::string name_ = "CPU";
  const Target target_;
  HostAllocator allocator_;
  LazyPool pool_;
  std::unique_ptr<DiskCache> disk_cache_;
};

}  // namespace

std::unique_ptr<Device> open_cpu(const Settings& settings) {
  return std::make_unique<CpuDevice>(settings);
}
std::unique_ptr<Device> open_cpu() { return open_cpu(*settings()); }

}  // namespace loom
