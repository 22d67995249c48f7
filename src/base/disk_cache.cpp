#include "base/disk_cache.h"

#include <sqlite3.h>

#include <array>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace loom {
namespace {

constexpr int kBusyMs = 200;
// Reading an entry notes the time only when the note has grown so old: most reads write nothing.
constexpr int64_t kNoteSeconds = 3600;
// A full cache is emptied to this part of its limit, so that the next entries find room.
constexpr double kKeptPart = 0.9;

/// What SQLite said no with. It does not leave this file.
struct SqliteError {
  int code;
};

void check(int code) {
  if (code != SQLITE_OK) throw SqliteError{code};
}

/// The file is not a database, or no longer a sound one.
bool is_damage(int code) { return code == SQLITE_CORRUPT || code == SQLITE_NOTADB; }

using Key = std::array<uint8_t, sizeof(Hash128)>;

Key key_bytes(const Hash128& key) {
  Key bytes;
  std::memcpy(bytes.data(), &key.low, sizeof(key.low));
  std::memcpy(bytes.data() + sizeof(key.low), &key.high, sizeof(key.high));
  return bytes;
}

/// A prepared statement. Bound bytes are not copied and must live until the statement has run.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& text) {
    check(sqlite3_prepare_v2(database, text.c_str(), -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::span<const uint8_t> bytes) {
    check(sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
  }
  Statement& bind(int64_t value) {
    check(sqlite3_bind_int64(statement_, ++bound_, value));
    return *this;
  }

  /// Goes to the next row; false when there is none.
  bool step() {
    int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) throw SqliteError{code};
    return code == SQLITE_ROW;
  }

  /// For what does not matter enough to fail over a file that is busy or read-only.
  void step_if_possible() { sqlite3_step(statement_); }

  int64_t integer(int column) { return sqlite3_column_int64(statement_, column); }
  std::vector<uint8_t> bytes(int column) {
    const auto* data = static_cast<const uint8_t*>(sqlite3_column_blob(statement_, column));
    return {data, data + sqlite3_column_bytes(statement_, column)};
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace

/// An open file with our table in it. Every function may throw SqliteError.
class DiskCache::Database {
 public:
  Database(const std::string& path, const std::string& table, int64_t max_bytes)
      : table_(table), max_bytes_(max_bytes) {
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path.c_str(), &handle_, kFlags, nullptr);
    try {
      check(code);
      prepare_file();
    } catch (...) {
      sqlite3_close(handle_);
      throw;
    }
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::optional<std::vector<uint8_t>> get(const Key& key) {
    Statement select(handle_, "SELECT value, sum, used FROM " + table_ + " WHERE key = ?");
    if (!select.bind(key).step()) return std::nullopt;
    std::vector<uint8_t> value = select.bytes(0);
    if (select.integer(1) != checksum(value)) return std::nullopt;
    if (std::time(nullptr) - select.integer(2) > kNoteSeconds) note_use(key);
    return value;
  }

  void put(const Key& key, std::span<const uint8_t> value) {
    Statement(handle_, "INSERT OR REPLACE INTO " + table_ + " VALUES (?, ?, ?, ?, ?)")
        .bind(key)
        .bind(static_cast<int64_t>(value.size()))
        .bind(std::time(nullptr))
        .bind(checksum(value))
        .bind(value)
        .step();
    // Counted once; after that this process adds up what it writes itself.
    bytes_ = bytes_ < 0 ? count_bytes() : bytes_ + static_cast<int64_t>(value.size());
    if (bytes_ > max_bytes_) evict();
  }

 private:
  void prepare_file() {
    sqlite3_busy_timeout(handle_, kBusyMs);
    // What a power cut destroys is made again, so nothing waits for the disk, not even the next
    // line. Readers and a writer do not wait for each other either.
    run("PRAGMA synchronous = OFF");
    run("PRAGMA journal_mode = WAL");
    run("CREATE TABLE IF NOT EXISTS " + table_ +
        " (key BLOB PRIMARY KEY, size INTEGER, used INTEGER, sum INTEGER, value BLOB)");
    run("CREATE INDEX IF NOT EXISTS " + table_ + "_used ON " + table_ + " (used, size)");
  }

  void run(const std::string& text) {
    Statement statement(handle_, text);
    while (statement.step()) {
    }
  }

  static int64_t checksum(std::span<const uint8_t> value) {
    return static_cast<int64_t>(hash_bytes(value));
  }

  void note_use(const Key& key) {
    Statement(handle_, "UPDATE " + table_ + " SET used = ? WHERE key = ?")
        .bind(std::time(nullptr))
        .bind(key)
        .step_if_possible();
  }

  int64_t count_bytes() {
    Statement sum(handle_, "SELECT total(size) FROM " + table_);
    sum.step();
    return sum.integer(0);
  }

  /// Keeps the most recently used entries that together fit, and deletes the others.
  void evict() {
    auto kept = static_cast<int64_t>(static_cast<double>(max_bytes_) * kKeptPart);
    Statement(handle_, "DELETE FROM " + table_ +
                           " WHERE rowid IN (SELECT rowid FROM (SELECT rowid, sum(size) OVER "
                           "(ORDER BY used DESC, rowid DESC) AS total FROM " +
                           table_ + ") WHERE total > ?)")
        .bind(kept)
        .step();
    bytes_ = count_bytes();
  }

  std::string table_;
  int64_t max_bytes_;
  int64_t bytes_ = -1;  // of all entries, -1 before they are counted
  sqlite3* handle_ = nullptr;
};

namespace {

/// Makes the folder of the file, for this user alone: whoever can write there can choose what we
/// run.
void make_folder(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(path).parent_path();
  std::error_code error;  // a failure shows when the file is opened
  if (fs::create_directories(folder, error)) {
    fs::permissions(folder, fs::perms::owner_all, error);
  }
}

/// Takes a damaged file out of the way of the processes to come.
void remove_file(const std::string& path) {
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix, error);
}

}  // namespace

DiskCache::DiskCache(std::string path, std::string table, int64_t max_bytes)
    : path_(std::move(path)), table_(std::move(table)), max_bytes_(max_bytes) {
  opened_ = path_.empty();  // without a path there is nothing to open
}

DiskCache::~DiskCache() = default;

DiskCache::Database* DiskCache::open() {
  if (!opened_) {
    opened_ = true;
    make_folder(path_);
    database_ = std::make_unique<Database>(path_, table_, max_bytes_);
  }
  return database_.get();
}

template <class Work>
void DiskCache::attempt(const Work& work) {
  std::lock_guard lock(mutex_);
  try {
    if (Database* database = open()) work(*database);
  } catch (const SqliteError& error) {
    if (error.code == SQLITE_BUSY) {
      opened_ = database_ != nullptr;  // a matter of the moment, even while opening
    } else if (error.code != SQLITE_READONLY) {
      database_.reset();  // this process does without
      if (is_damage(error.code)) remove_file(path_);
    }
  }
}

std::optional<std::vector<uint8_t>> DiskCache::get(const Hash128& key) {
  std::optional<std::vector<uint8_t>> result;
  attempt([&](Database& database) { result = database.get(key_bytes(key)); });
  return result;
}

void DiskCache::put(const Hash128& key, std::span<const uint8_t> value) {
  if (static_cast<int64_t>(value.size()) > max_bytes_) return;
  attempt([&](Database& database) { database.put(key_bytes(key), value); });
}

}  // namespace loom
