#include "medlar/data/bytes/raw_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "medlar/error.hpp"

namespace medlar {

RawBytes::RawBytes(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw DataError(fmt::format("{}: cannot open it: {}", path, std::strerror(errno)));
  struct stat about {};
  if (fstat(descriptor_, &about) != 0) return;
  if (S_ISREG(about.st_mode)) size_ = static_cast<double>(about.st_size);
  if (path != "-" && S_ISDIR(about.st_mode)) {
    close(descriptor_);
    throw DataError(fmt::format("{}: this is a directory; name a file in it", path));
  }
}

RawBytes::~RawBytes() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

std::size_t RawBytes::fill(char* to, std::size_t room) {
  std::size_t size = 0;
  while (size < room) {
    const ssize_t got = ::read(descriptor_, to + size, room - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError(fmt::format("{}: cannot read it: {}", name_, std::strerror(errno)));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  read_ += static_cast<double>(size);
  return size;
}

std::string_view RawBytes::start() {
  start_.resize(16);
  start_.resize(fill(start_.data(), start_.size()));
  return start_;
}

std::size_t RawBytes::read(char* to, std::size_t room) {
  const std::size_t ready = std::min(room, start_.size());
  std::memcpy(to, start_.data(), ready);
  start_.erase(0, ready);
  return ready == room ? room : ready + fill(to + ready, room - ready);
}

double RawBytes::fraction() const {
  return size_ > 0 ? std::min(read_ / size_, 1.0) : 0.0;
}

}  // namespace medlar
