// Our own loader for the objects that the compiler makes: a kernel from the disk cache runs without
// waking LLVM.
//
// In:  a relocatable ELF64 object without writable data, whose code calls nothing but a few
//      functions of the C library.
// Out: its code and constants in memory that is executable and no longer writable.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace loom {

class LoadedObject {
 public:
  /// Throws DeviceError for an object that is malformed or needs something that isn't there.
  explicit LoadedObject(std::span<const uint8_t> object);
  ~LoadedObject();
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;

  /// Can this process run it? Objects for other machines are loaded all the same, for tests.
  bool is_for_host() const;
  /// The address of a function that the object defines. Throws DeviceError when it doesn't.
  void* function(std::string_view name) const;

 private:
  uint16_t machine_ = 0;
  uint8_t* memory_ = nullptr;
  size_t size_ = 0;
  std::unordered_map<std::string, uint8_t*> functions_;
};

}  // namespace loom
