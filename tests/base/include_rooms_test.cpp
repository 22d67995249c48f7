// Reads every #include "room/..." of the house and holds it against the table of rooms: strictly
// downwards. A room may include itself and what the rooms it uses may include.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loom {
namespace {

namespace fs = std::filesystem;

using Rooms = std::set<std::string>;

// Lowest first, as in docs/architecture.md and CMakeLists.txt.
const std::vector<std::pair<std::string, Rooms>> kTable = {
    {"base", {}},
    {"ir", {"base"}},
    {"rewrite", {"ir"}},
    {"schedule", {"rewrite"}},
    {"codegen", {"rewrite"}},
    {"runtime", {"base"}},
    {"engine", {"schedule", "codegen", "runtime"}},
    {"tensor", {"engine"}},
    {"model", {"tensor"}},
};

// bench/ and tools/ together are the command: they may use every room, and each other.
const std::vector<std::string> kCommand = {"bench", "tools"};

// Public headers and the room that each describes; the ones not named here are the tensor room's.
const std::map<std::string, std::string> kPublicHeaders = {
    {"error.h", "base"}, {"settings.h", "base"}, {"function_ref.h", "base"}, {"dtype.h", "ir"}};

/// For each room, all rooms that it may include.
std::map<std::string, Rooms> allowed_rooms() {
  std::map<std::string, Rooms> allowed;
  for (const auto& [room, uses] : kTable) {
    allowed[room].insert(room);
    for (const std::string& used : uses) allowed[room].merge(Rooms(allowed[used]));
  }
  Rooms everything(kCommand.begin(), kCommand.end());
  for (const auto& [room, uses] : kTable) everything.insert(room);
  for (const std::string& folder : kCommand) allowed[folder] = everything;
  return allowed;
}

std::string public_room(const std::string& header) {
  auto found = kPublicHeaders.find(header);
  return found == kPublicHeaders.end() ? "tensor" : found->second;
}

/// The paths that a file includes in quotes.
std::vector<std::string> quoted_includes(const fs::path& file) {
  std::vector<std::string> found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view kStart = "#include \"";
    if (!line.starts_with(kStart)) continue;
    found.push_back(line.substr(kStart.size(), line.rfind('"') - kStart.size()));
  }
  return found;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    fs::path extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
  }
  return files;
}

const fs::path kRoot = LOOM_SOURCE_DIR;

fs::path folder_of(const std::string& room) {
  bool is_command = std::find(kCommand.begin(), kCommand.end(), room) != kCommand.end();
  return is_command ? kRoot / room : kRoot / "src" / room;
}

void expect_allowed(const fs::path& file, const std::string& include, const Rooms& allowed) {
  size_t slash = include.find('/');
  ASSERT_NE(slash, std::string::npos)
      << file << " includes \"" << include << "\": say which room it is in";
  std::string room = include.substr(0, slash);
  if (room == "loom") room = public_room(include.substr(slash + 1));
  EXPECT_TRUE(allowed.contains(room)) << file << " may not include \"" << include << '"';
}

TEST(IncludeRooms, EveryIncludeGoesDownwards) {
  for (const auto& [room, allowed] : allowed_rooms()) {
    for (const fs::path& file : sources_below(folder_of(room))) {
      for (const std::string& include : quoted_includes(file))
        expect_allowed(file, include, allowed);
    }
  }
}

TEST(IncludeRooms, PublicHeadersIncludeOnlyPublicHeaders) {
  auto allowed = allowed_rooms();
  for (const fs::path& file : sources_below(kRoot / "include" / "loom")) {
    for (const std::string& include : quoted_includes(file)) {
      EXPECT_TRUE(include.starts_with("loom/")) << file << " includes \"" << include << '"';
      expect_allowed(file, include, allowed[public_room(file.filename().string())]);
    }
  }
}

TEST(IncludeRooms, EverySourceFolderIsARoomWithAReadme) {
  auto allowed = allowed_rooms();
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    std::string room = entry.path().filename().string();
    EXPECT_TRUE(allowed.contains(room)) << entry.path() << " is in no row of the table of rooms";
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path() << " has no README.md";
  }
}

}  // namespace
}  // namespace loom
