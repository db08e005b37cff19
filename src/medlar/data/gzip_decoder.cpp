#include "medlar/data/gzip_decoder.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"

namespace medlar {

GzipDecoder::GzipDecoder(std::unique_ptr<RawBytes> raw) : raw_(std::move(raw)), out_(std::size_t{1} << 18, '\0') {
  if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw DataError(raw_->name() + ": cannot start zlib");
}

GzipDecoder::~GzipDecoder() {
  inflateEnd(&stream_);
}

bool GzipDecoder::refill() {
  const std::string_view block = raw_->next();
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
  stream_.avail_in = static_cast<uInt>(block.size());
  return !block.empty();
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

std::string_view GzipDecoder::next() {
  if (finished_) return {};
  stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
  stream_.avail_out = static_cast<uInt>(out_.size());
  while (stream_.avail_out > 0) {
    if (stream_.avail_in == 0 && !refill()) {
      throw DataError(raw_->name() + ": the gzip data ends too early; the file is truncated, fetch it again");
    }
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      if (another_member()) continue;
      finished_ = true;
      break;
    }
    if (status != Z_OK && status != Z_BUF_ERROR) {
      throw DataError(fmt::format("{}: the gzip data is corrupt ({}); fetch the file again", raw_->name(),
                                  stream_.msg ? stream_.msg : "it cannot be decoded"));
    }
  }
  return {out_.data(), out_.size() - stream_.avail_out};
}

}  // namespace medlar
