#include "base/settings.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <mutex>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/log.h"

namespace loom {
namespace {

int64_t read_integer(const std::string& text, int64_t low, int64_t high) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  bool whole = error == std::errc{} && stop == end;
  if (!whole || value < low || value > high) {
    fail<UserError>("expected a number from ", low, " to ", high);
  }
  return value;
}

bool read_flag(const std::string& text) {
  if (text == "1" || text == "true" || text == "on") return true;
  if (text.empty() || text == "0" || text == "false" || text == "off") return false;
  fail<UserError>("expected 0 or 1");
}

constexpr int kMaxThreads = 4096;
constexpr int64_t kMaxCacheMb = int64_t{1} << 30;

constexpr SettingInfo kTable[] = {
    {"LOOM_DEVICE", "device of tensors that name none",
     [](Settings& s, const std::string& text) { s.device = text; },
     [](const Settings& s) { return s.device; }},
    {"LOOM_DEBUG", "1 programs, 2 kernels and times, 3 opts, 4 source, 5 graphs",
     [](Settings& s, const std::string& text) {
       s.debug = static_cast<int>(read_integer(text, 0, 9));
     },
     [](const Settings& s) { return str(s.debug); }},
    {"LOOM_THREADS", "threads of the CPU device, 0 for all of them",
     [](Settings& s, const std::string& text) {
       s.threads = static_cast<int>(read_integer(text, 0, kMaxThreads));
     },
     [](const Settings& s) { return str(s.threads); }},
    {"LOOM_CACHE_DIR", "folder of compiled kernels, empty for none",
     [](Settings& s, const std::string& text) { s.cache_dir = text; },
     [](const Settings& s) { return s.cache_dir; }},
    {"LOOM_CACHE_MB", "size of that folder at which the least used kernels are dropped",
     [](Settings& s, const std::string& text) { s.cache_mb = read_integer(text, 0, kMaxCacheMb); },
     [](const Settings& s) { return str(s.cache_mb); }},
    {"LOOM_NO_CACHE", "1 to neither read nor write compiled kernels on disk",
     [](Settings& s, const std::string& text) { s.no_cache = read_flag(text); },
     [](const Settings& s) { return str(int{s.no_cache}); }},
    {"LOOM_VERIFY", "1 to check the graph after every pass",
     [](Settings& s, const std::string& text) { s.verify = read_flag(text); },
     [](const Settings& s) { return str(int{s.verify}); }},
    {"LOOM_COLOR", "0 for no colour on terminals",
     [](Settings& s, const std::string& text) { s.color = read_flag(text); },
     [](const Settings& s) { return str(int{s.color}); }},
};

const SettingInfo* find_setting(std::string_view variable) {
  for (const SettingInfo& info : kTable) {
    if (info.variable == variable) return &info;
  }
  return nullptr;
}

std::string describe_unknown(std::string_view variable) {
  std::vector<std::string_view> known;
  for (const SettingInfo& info : kTable) known.push_back(info.variable);
  return str("unknown setting ", variable, did_you_mean(variable, known));
}

/// Where desktops and servers keep what can be made again. Nothing when there is no home: a shared
/// folder would let others plant code for us to run.
std::string default_cache_dir(std::string_view xdg_cache_home, std::string_view home) {
  if (!xdg_cache_home.empty()) return str(xdg_cache_home, "/rangeloom");
  if (!home.empty()) return str(home, "/.cache/rangeloom");
  return {};
}

std::string_view value_of(std::span<const std::string> environment, std::string_view name) {
  for (std::string_view line : environment) {
    size_t equals = line.find('=');
    if (line.substr(0, equals) == name) return line.substr(equals + 1);
  }
  return {};
}

Settings defaults(std::span<const std::string> environment) {
  Settings result;
  result.cache_dir =
      default_cache_dir(value_of(environment, "XDG_CACHE_HOME"), value_of(environment, "HOME"));
  result.color = value_of(environment, "NO_COLOR").empty();  // the custom of no-color.org
#ifdef LOOM_VERIFY
  result.verify = true;
#endif
  return result;
}

std::shared_ptr<const Settings> from_process_environment() {
  std::vector<std::string> lines, warnings;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
    lines.emplace_back(*entry);
  }
  auto result = std::make_shared<const Settings>(read_settings(lines, warnings));
  for (const std::string& warning : warnings) log_warning(warning);
  return result;
}

std::mutex mutex;
std::shared_ptr<const Settings> current;  // guarded by mutex; null until first used

}  // namespace

std::span<const SettingInfo> setting_table() { return kTable; }

Settings read_settings(std::span<const std::string> environment,
                       std::vector<std::string>& warnings) {
  Settings result = defaults(environment);
  for (const std::string& line : environment) {
    size_t equals = line.find('=');
    if (!line.starts_with("LOOM_") || equals == std::string::npos) continue;
    std::string name = line.substr(0, equals), text = line.substr(equals + 1);
    const SettingInfo* info = find_setting(name);
    if (info == nullptr) {
      warnings.push_back(describe_unknown(name));
      continue;
    }
    try {
      info->read(result, text);
    } catch (const UserError& error) {
      fail<UserError>(name, "=", text, ": ", error.what());
    }
  }
  return result;
}

std::shared_ptr<const Settings> settings() {
  std::lock_guard lock(mutex);
  if (current == nullptr) current = from_process_environment();
  return current;
}

void set_settings(Settings settings) {
  auto fresh = std::make_shared<const Settings>(std::move(settings));
  std::lock_guard lock(mutex);
  current = std::move(fresh);
}

ScopedSettings::ScopedSettings(Settings changed) : before_(settings()) {
  set_settings(std::move(changed));
}

ScopedSettings::~ScopedSettings() { set_settings(*before_); }

}  // namespace loom
