#include "medlar/data/bytes/gzip_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"

namespace medlar {

GzipDecoder::GzipDecoder(std::unique_ptr<RawBytes> raw) : raw_(std::move(raw)), in_(std::size_t{1} << 18, '\0') {
  if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw DataError(raw_->name() + ": cannot start zlib");
}

GzipDecoder::~GzipDecoder() {
  inflateEnd(&stream_);
}

bool GzipDecoder::refill() {
  stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
  stream_.avail_in = static_cast<uInt>(raw_->read(in_.data(), in_.size()));
  return stream_.avail_in > 0;
}

bool GzipDecoder::another_member() {
  while (stream_.avail_in > 0 || refill()) {
    if (*stream_.next_in != 0) {
      inflateReset(&stream_);
      return true;
    }
    ++stream_.next_in;
    --stream_.avail_in;
  }
  return false;
}

std::size_t GzipDecoder::read(char* to, std::size_t room) {
  std::size_t size = 0;
  while (!finished_ && size < room) {
    if (stream_.avail_in == 0 && !refill()) {
      throw DataError(raw_->name() + ": the gzip data ends too early; the file is truncated, fetch it again");
    }
    const auto step = static_cast<uInt>(std::min(room - size, std::size_t{1} << 30));  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(to + size);
    stream_.avail_out = step;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    size += step - stream_.avail_out;
    if (status == Z_STREAM_END) {
      finished_ = !another_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw DataError(fmt::format("{}: the gzip data is corrupt ({}); fetch the file again", raw_->name(),
                                  stream_.msg ? stream_.msg : "it cannot be decoded"));
    }
  }
  return size;
}

}  // namespace medlar
