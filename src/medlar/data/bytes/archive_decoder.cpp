#include "medlar/data/bytes/archive_decoder.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <cerrno>

#include "medlar/error.hpp"

namespace medlar {
namespace {

// No exception may pass through libarchive's C code: the sentence is kept and thrown on the other side.
la_ssize_t feed_archive(archive* reader, void* data, const void** block) {
  auto& feed = *static_cast<ArchiveDecoder::Feed*>(data);
  try {
    feed.block.resize(std::size_t{1} << 18);
    *block = feed.block.data();
    return static_cast<la_ssize_t>(feed.raw->read(feed.block.data(), feed.block.size()));
  } catch (const std::exception& error) {
    feed.error = error.what();
    archive_set_error(reader, EIO, "%s", error.what());
    return -1;
  }
}

}  // namespace

ArchiveDecoder::ArchiveDecoder(std::unique_ptr<RawBytes> raw)
    : feed_{std::move(raw), {}, {}}, archive_(archive_read_new()) {
  if (!archive_) throw DataError(feed_.raw->name() + ": cannot start libarchive");
  archive_read_support_filter_xz(archive_);
  archive_read_support_filter_zstd(archive_);
  archive_read_support_filter_bzip2(archive_);
  archive_read_support_format_raw(archive_);
  archive_read_support_format_empty(archive_);
  archive_entry* entry = nullptr;
  int status = archive_read_open(archive_, &feed_, nullptr, feed_archive, nullptr);
  if (status == ARCHIVE_OK) status = archive_read_next_header(archive_, &entry);
  if (status == ARCHIVE_EOF) {
    finished_ = true;
  } else if (status != ARCHIVE_OK) {
    try {
      fail();
    } catch (...) {
      archive_read_free(archive_);
      throw;
    }
  }
}

ArchiveDecoder::~ArchiveDecoder() {
  archive_read_free(archive_);
}

void ArchiveDecoder::fail() const {
  if (!feed_.error.empty()) throw DataError(feed_.error);
  const char* reason = archive_error_string(archive_);
  throw DataError(fmt::format("{}: the compressed data is truncated or corrupt ({}); fetch the file again",
                              feed_.raw->name(), reason ? reason : "it cannot be decoded"));
}

std::size_t ArchiveDecoder::read(char* to, std::size_t room) {
  std::size_t size = 0;
  while (!finished_ && size < room) {
    const la_ssize_t got = archive_read_data(archive_, to + size, room - size);
    if (got < 0) fail();
    finished_ = got == 0;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

}  // namespace medlar
