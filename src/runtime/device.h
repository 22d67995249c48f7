// Devices, buffers and loaded programs: moves bytes and runs binaries, never sees the IR.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"

namespace loom {

struct LaunchDims {
  int64_t threads = 1;
  int64_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

/// A compiled kernel, ready to run. Immutable and shared between threads.
class Program {
 public:
  virtual ~Program() = default;
  /// Runs to completion. `buffers[k]` is PARAM slot k, `variables` in the kernel's order.
  virtual void launch(std::span<void* const> buffers, std::span<const int64_t> variables,
                      const LaunchDims& dims) const = 0;
};

/// Memory of one device. Freed memory is kept in a byte-bounded LRU cache for the next allocation.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// At least `bytes` bytes, aligned to 64; throws DeviceError naming the size when there is none.
  virtual void* allocate(int64_t bytes) = 0;
  virtual void release(void* memory, int64_t bytes) noexcept = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;
  virtual const Target& target() const = 0;
  virtual Allocator& allocator() = 0;
  /// Which renderer its compiler reads: "llvm"; "" for a device that runs linear programs as they
  /// are.
  virtual std::string_view language() const = 0;
  /// Source text to binary, through the disk cache. Throws DeviceError with the compiler's message.
  virtual std::vector<uint8_t> compile(std::string_view source, std::string_view entry) = 0;
  virtual std::unique_ptr<Program> load(std::span<const uint8_t> binary,
                                        std::string_view entry) = 0;
};

/// A piece of device memory, allocated on first use and given back by the destructor.
class Buffer {
 public:
  Buffer(Device& device, int64_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Device& device() const { return *device_; }
  int64_t bytes() const { return bytes_; }
  bool is_allocated() const { return memory_ != nullptr; }
  /// The memory, allocated now when it wasn't yet: the first call must not race with another one.
  /// Host-accessible on CPU devices.
  void* data();

 private:
  Device* device_;
  int64_t bytes_;
  void* memory_ = nullptr;
};

/// The device of that name ("CPU", "INTERP"), opened on first use, thread-safe. Throws DeviceError
/// with the known names and a "did you mean".
Device& device(std::string_view name);
/// Adds a device to the registry; `open` runs once, at the first use of the name. A name that is
/// there already keeps its device.
void register_device(std::string name, std::unique_ptr<Device> (*open)());
std::vector<std::string> device_names();

}  // namespace loom
