#include "medlar/data/bytes/output.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <cerrno>

#include "medlar/error.hpp"

namespace medlar {
namespace {

// No exception may pass through libarchive's C code: the sentence is kept and thrown on the other side.
la_ssize_t drain_archive(archive* writer, void* data, const void* block, std::size_t size) {
  auto& drain = *static_cast<Output::Drain*>(data);
  try {
    drain.file.write({static_cast<const char*>(block), size});
    return static_cast<la_ssize_t>(size);
  } catch (const std::exception& error) {
    drain.error = error.what();
    archive_set_error(writer, EIO, "%s", error.what());
    return -1;
  }
}

int add_filter(archive* writer, const std::string& compression) {
  if (compression == "gzip") {
    const int status = archive_write_add_filter_gzip(writer);
    archive_write_set_filter_option(writer, "gzip", "timestamp", nullptr);  // the same bytes every time
    return status;
  }
  if (compression == "xz") return archive_write_add_filter_xz(writer);
  if (compression == "zstd") return archive_write_add_filter_zstd(writer);
  return archive_write_add_filter_bzip2(writer);
}

}  // namespace

Output::Output(const std::string& path, const std::string& compression) : path_(path), drain_{AtomicFile(path), {}} {
  if (compression.empty()) return;
  archive_ = archive_write_new();
  if (!archive_) throw DataError(path + ": cannot start libarchive");
  archive_entry* entry = nullptr;
  try {
    check(add_filter(archive_, compression));
    check(archive_write_set_format_raw(archive_));
    archive_write_set_bytes_per_block(archive_, 0);
    check(archive_write_open(archive_, &drain_, nullptr, drain_archive, nullptr));
    entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    check(archive_write_header(archive_, entry));
    archive_entry_free(entry);
  } catch (...) {
    archive_entry_free(entry);
    archive_write_free(archive_);
    throw;
  }
}

Output::~Output() {
  if (archive_) archive_write_free(archive_);
}

void Output::check(int status) const {
  if (status == ARCHIVE_OK) return;
  if (!drain_.error.empty()) throw DataError(drain_.error);
  const char* reason = archive_error_string(archive_);
  throw DataError(fmt::format("{}: cannot compress it: {}", path_, reason ? reason : "libarchive gives no reason"));
}

void Output::write(std::string_view bytes) {
  if (archive_) {
    if (archive_write_data(archive_, bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
      check(ARCHIVE_FATAL);
    return;
  }
  buffer_ += bytes;
  if (buffer_.size() < (std::size_t{1} << 18)) return;
  drain_.file.write(buffer_);
  buffer_.clear();
}

void Output::finish() {
  if (archive_) check(archive_write_close(archive_));
  drain_.file.write(buffer_);
  drain_.file.commit();
}

}  // namespace medlar
