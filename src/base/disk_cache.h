#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"

namespace loom {

/// A map from content hashes to bytes that outlives the process, in one SQLite file that several
/// processes and threads may use at once. It never fails: what cannot be read is not there, what
/// cannot be written is not kept. Beyond `max_bytes` the entries not used for longest are dropped.
class DiskCache {
 public:
  /// Nothing is opened before the first use. The folder is made when it is missing, for the user
  /// alone. An empty path means no cache. `table` is an identifier; tables share a file but no
  /// entries and no limit.
  DiskCache(std::string path, std::string table, int64_t max_bytes);
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  std::optional<std::vector<uint8_t>> get(const Hash128& key);
  void put(const Hash128& key, std::span<const uint8_t> value);

 private:
  class Database;
  Database* open();
  template <class Work>
  void attempt(const Work& work);

  std::string path_, table_;
  int64_t max_bytes_;
  std::mutex mutex_;
  bool opened_ = false;
  std::unique_ptr<Database> database_;  // null before the first use, and when there is no cache
};

}  // namespace loom
