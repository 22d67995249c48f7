#include <map>
#include <mutex>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "runtime/cpu/cpu_device.h"
#include "runtime/device.h"

namespace loom {
namespace {

using Open = std::unique_ptr<Device> (*)();

struct Entry {
  Open open = nullptr;
  std::unique_ptr<Device> device;  // null until it is asked for
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;

  Registry() { entries["CPU"].open = open_cpu; }
};

/// Lives until the process ends, like the buffers that tensors in static variables hold.
Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

std::vector<std::string> names(const Registry& all) {
  std::vector<std::string> result;
  result.reserve(all.entries.size());
  for (const auto& [name, entry] : all.entries) result.push_back(name);
  return result;
}

}  // namespace

Device& device(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.entries.find(name);
  if (found == all.entries.end()) {
    const auto known = names(all);
    fail<DeviceError>("no device '", name, "'", did_you_mean(name, known), "; there are ", known);
  }
  Entry& entry = found->second;
  if (!entry.device) entry.device = entry.open();
  return *entry.device;
}

void register_device(std::string name, Open open) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.entries.try_emplace(std::move(name), Entry{open, nullptr});
}

std::vector<std::string> device_names() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return names(all);
}

}  // namespace loom
