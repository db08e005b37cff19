#include "medlar/data/bytes/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "medlar/error.hpp"
#include "medlar/io.hpp"

namespace medlar {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// The file behind symbolic links, so that a link stays a link.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : name_(path == "-" ? "standard output" : path) {
  struct stat about {};
  if (path == "-") {
    descriptor_ = dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail("write it");
  } else if (stat(path.c_str(), &about) != 0) {
    if (lstat(path.c_str(), &about) == 0) {
      throw DataError(fmt::format("{}: cannot write it: it is a link to a file that is not there; remove it", path));
    }
    open_beside(path);
  } else if (S_ISREG(about.st_mode)) {
    if (access(path.c_str(), W_OK) != 0) fail("write it");
    open_beside(resolved(path));
    if (fchmod(descriptor_, about.st_mode & 07777) != 0) {
      const int error = errno;
      close(descriptor_);
      unlink(temporary_.c_str());
      errno = error;
      fail("keep its permissions");
    }
  } else {
    open_directly(path);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::fail(std::string_view action) const {
  throw DataError(fmt::format("{}: cannot {}: {}", name_, action, std::strerror(errno)));
}

void AtomicFile::open_directly(const std::string& path) {
  descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("write it");
}

void AtomicFile::open_beside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  place_ = path;
  const std::string base = path.substr(path.find_last_of('/') + 1);
  if (base.empty()) {
    errno = EISDIR;
    fail("write it");
  }
  do {
    temporary_ = fmt::format("{}/.{:.100}.{}.{}.tmp", folder_of(path), base, getpid(), counter++);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("write it");
  }
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write it");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (!place_.empty() && fsync(descriptor_) != 0) fail("write it");
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) fail("write it");
  if (place_.empty()) return;
  if (std::rename(temporary_.c_str(), place_.c_str()) != 0) fail("put it in its place");
  temporary_.clear();
  sync_directory();
}

// The new name survives a crash as well. Some file systems cannot sync a directory; the file itself is safe then.
void AtomicFile::sync_directory() const {
  const int directory = open(folder_of(place_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  fsync(directory);
  close(directory);
}

void write_file_atomically(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace medlar
