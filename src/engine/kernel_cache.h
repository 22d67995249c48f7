// Compiled kernels, shared by everything that runs in the process.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/lru_cache.h"
#include "codegen/codegen.h"
#include "runtime/device.h"

namespace loom {

/// A kernel that is ready to be launched. Immutable.
struct CompiledKernel {
  std::string name;
  std::unique_ptr<Program> program;
  LaunchDims dims;
  std::vector<std::string> variables;  // in argument order
  std::vector<Opt> opts;
  std::vector<bool> reads, writes;  // by PARAM slot
  int64_t flops = 0, bytes = 0;
  int64_t size = 0;  // of the compiled program, in memory
};

/// A kernel body, SINK in kernel form, and the device that it is to run on.
struct KernelRequest {
  Id sink = 0;
  Device* device = nullptr;
};

/// Looks kernels up by structure and device and compiles what is missing: each once, several at a
/// time. Bounded in bytes; kernels that are in use outlive their place in the cache.
class KernelCache {
 public:
  explicit KernelCache(int64_t max_bytes = int64_t{16} << 20) : kernels_(max_bytes) {}

  /// The kernels in the order of the requests. Throws what lowering or compiling throws.
  std::vector<std::shared_ptr<const CompiledKernel>> get(const Graph& graph,
                                                         std::span<const KernelRequest> requests);
  /// How many kernels were compiled so far.
  int64_t compiled() const;

 private:
  using Kernel = std::shared_ptr<const CompiledKernel>;
  struct Key {
    StructuralHash hash;
    Device* device = nullptr;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.hash.lo; }
  };

  std::vector<size_t> claim(const std::vector<Key>& keys, std::vector<Kernel>& found);
  void compile(const Graph& graph, std::span<const KernelRequest> requests,
               const std::vector<Key>& keys, std::span<const size_t> jobs,
               std::vector<Kernel>& found);
  void finish(const Key& key, const Kernel& kernel);

  mutable std::mutex mutex_;
  std::condition_variable finished_;
  LruCache<Key, Kernel, KeyHash> kernels_;
  std::vector<Key> in_progress_;  // being compiled by some thread
  int64_t compiled_ = 0;
};

}  // namespace loom
