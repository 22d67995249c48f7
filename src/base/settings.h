#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/settings.h"

namespace loom {

/// One setting as the environment sees it.
struct SettingInfo {
  std::string_view variable;  // "LOOM_DEBUG"
  std::string_view help;
  void (*read)(Settings& settings, const std::string& text);
  std::string (*show)(const Settings& settings);
};

/// All settings; the one table that reading, listing and "did you mean" go by.
std::span<const SettingInfo> setting_table();

/// Settings from an environment given as "NAME=value" lines. Unknown LOOM_ names are described in
/// `warnings`. Throws UserError naming the variable for a value that makes no sense.
Settings read_settings(std::span<const std::string> environment,
                       std::vector<std::string>& warnings);

/// Puts other settings in force and brings the old ones back at the end of the scope; for tests.
class ScopedSettings {
 public:
  explicit ScopedSettings(Settings changed);
  ~ScopedSettings();
  ScopedSettings(const ScopedSettings&) = delete;
  ScopedSettings& operator=(const ScopedSettings&) = delete;

 private:
  std::shared_ptr<const Settings> before_;
};

}  // namespace loom
