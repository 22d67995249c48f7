#include "base/settings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace loom {
namespace {

Settings read(const std::vector<std::string>& environment) {
  std::vector<std::string> warnings;
  Settings result = read_settings(environment, warnings);
  EXPECT_TRUE(warnings.empty());
  return result;
}

TEST(Settings, AnEmptyEnvironmentGivesTheDefaults) {
  Settings result = read({});
  EXPECT_EQ(result.device, "CPU");
  EXPECT_EQ(result.debug, 0);
  EXPECT_EQ(result.threads, 0);
  EXPECT_EQ(result.cache_dir, "");
  EXPECT_FALSE(result.no_cache);
}

TEST(Settings, EachVariableSetsItsTwin) {
  Settings result =
      read({"LOOM_DEVICE=INTERP", "LOOM_DEBUG=3", "LOOM_THREADS=7", "LOOM_CACHE_DIR=/a=b",
            "LOOM_CACHE_MB=10", "LOOM_NO_CACHE=1", "LOOM_VERIFY=on", "LOOM_COLOR=0"});
  EXPECT_EQ(result.device, "INTERP");
  EXPECT_EQ(result.debug, 3);
  EXPECT_EQ(result.threads, 7);
  EXPECT_EQ(result.cache_dir, "/a=b");
  EXPECT_EQ(result.cache_mb, 10);
  EXPECT_TRUE(result.no_cache);
  EXPECT_TRUE(result.verify);
  EXPECT_FALSE(result.color);
}

TEST(Settings, WhatIsShownReadsBackAsTheSame) {
  Settings start =
      read({"LOOM_DEVICE=X", "LOOM_DEBUG=2", "LOOM_CACHE_DIR=/tmp/x", "LOOM_VERIFY=1"});
  std::vector<std::string> shown;
  for (const SettingInfo& info : setting_table()) {
    shown.push_back(str(info.variable, "=", info.show(start)));
  }
  Settings again = read(shown);
  for (const SettingInfo& info : setting_table()) EXPECT_EQ(info.show(start), info.show(again));
}

TEST(Settings, TheCacheLiesInTheUsersCacheFolder) {
  EXPECT_EQ(read({"HOME=/home/a"}).cache_dir, "/home/a/.cache/rangeloom");
  EXPECT_EQ(read({"HOME=/home/a", "XDG_CACHE_HOME=/c"}).cache_dir, "/c/rangeloom");
}

TEST(Settings, AnUnknownVariableIsWarnedAboutWithTheClosestName) {
  std::vector<std::string> warnings;
  read_settings(std::vector<std::string>{"LOOM_DEBGU=1", "OTHER=1"}, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0], "unknown setting LOOM_DEBGU, did you mean \"LOOM_DEBUG\"?");
}

TEST(Settings, AValueThatMakesNoSenseIsAnErrorNamingTheVariable) {
  for (const char* line : {"LOOM_THREADS=many", "LOOM_THREADS=-1", "LOOM_THREADS=1x", "LOOM_DEBUG=",
                           "LOOM_DEBUG=10", "LOOM_NO_CACHE=maybe", "LOOM_CACHE_MB=1e9"}) {
    std::vector<std::string> warnings;
    try {
      read_settings(std::vector<std::string>{line}, warnings);
      ADD_FAILURE() << line;
    } catch (const UserError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(line)) << error.what();
    }
  }
}

TEST(Settings, AScopeChangesThemForItsTime) {
  Settings before = *settings();
  {
    Settings changed = before;
    changed.debug = before.debug + 1;
    ScopedSettings scope(changed);
    EXPECT_EQ(settings()->debug, before.debug + 1);
  }
  EXPECT_EQ(settings()->debug, before.debug);
}

}  // namespace
}  // namespace loom
