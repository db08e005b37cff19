#include "medlar/data/raw_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "medlar/error.hpp"

namespace medlar {

RawBytes::RawBytes(const std::string& path)
    : name_(path == "-" ? "standard input" : path), block_(std::size_t{1} << 18, '\0') {
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
    return;
  }
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw DataError(fmt::format("{}: cannot open it: {}", path, std::strerror(errno)));
  struct stat about {};
  if (fstat(descriptor_, &about) == 0 && S_ISDIR(about.st_mode)) {
    close(descriptor_);
    throw DataError(fmt::format("{}: this is a directory; name a file in it", path));
  }
}

RawBytes::~RawBytes() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

void RawBytes::fill() {
  size_ = 0;
  while (size_ < block_.size()) {
    const ssize_t got = read(descriptor_, block_.data() + size_, block_.size() - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError(fmt::format("{}: cannot read it: {}", name_, std::strerror(errno)));
    if (got == 0) return;
    size_ += static_cast<std::size_t>(got);
  }
}

std::string_view RawBytes::next() {
  if (!pending_) fill();
  pending_ = false;
  return {block_.data(), size_};
}

bool RawBytes::starts_with(std::string_view magic) {
  if (!pending_) fill();
  pending_ = true;
  return std::string_view(block_.data(), size_).starts_with(magic);
}

}  // namespace medlar
