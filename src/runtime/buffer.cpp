#include "runtime/device.h"

namespace loom {

Buffer::Buffer(Device& device, int64_t bytes) : device_(&device), bytes_(bytes) {}

Buffer::~Buffer() { device_->allocator().release(memory_, bytes_); }

void* Buffer::data() {
  if (!memory_) memory_ = device_->allocator().allocate(bytes_);
  return memory_;
}

}  // namespace loom
