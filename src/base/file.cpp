#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace loom {
namespace {

/// An open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

[[noreturn]] void fail_with_errno(const char* verb, const std::string& path) {
  fail<UserError>("cannot ", verb, " ", path, ": ", std::strerror(errno));
}

bool write_all(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

/// A name beside `path` that no other thread or process writes to.
std::string temporary_name(const std::string& path) {
  static std::atomic<uint64_t> counter{0};
  return str(path, ".", ::getpid(), ".", counter++, ".tmp");
}

/// Permissions for the file at `path`: those it has already, or what the umask grants a new one.
mode_t mode_for(const std::string& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0666;
}

}  // namespace

std::vector<uint8_t> read_file(const std::string& path, int64_t max_bytes) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail_with_errno("read", path);
  struct stat info = {};
  int64_t expected = ::fstat(file.get(), &info) == 0 ? int64_t{info.st_size} : 0;
  if (expected > max_bytes)
    fail<UserError>("cannot read ", path, ": larger than ", max_bytes, " bytes");

  constexpr int64_t kStep = 64 << 10;
  std::vector<uint8_t> bytes;
  size_t used = 0;
  for (;;) {
    // One byte more than the system promises shows the end of the file without growing again.
    if (used == bytes.size())
      bytes.resize(std::max<size_t>(static_cast<size_t>(expected) + 1, used * 2 + kStep));
    ssize_t n = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with_errno("read", path);
    if (n == 0) break;
    used += static_cast<size_t>(n);
    if (static_cast<int64_t>(used) > max_bytes) {
      fail<UserError>("cannot read ", path, ": larger than ", max_bytes, " bytes");
    }
  }
  bytes.resize(used);
  return bytes;
}

void write_file(const std::string& path, std::span<const uint8_t> bytes) {
  std::string temporary = temporary_name(path);
  Descriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_for(path)));
  if (!file.is_open()) fail_with_errno("write", path);
  bool written = write_all(file.get(), bytes) && file.close() &&
                 ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written) return;
  int reason = errno;
  ::unlink(temporary.c_str());
  errno = reason;
  fail_with_errno("write", path);
}

}  // namespace loom
