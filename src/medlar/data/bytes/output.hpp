// Bytes to a file, compressed by its name's suffix, complete or not at all.
#pragma once

#include <string>
#include <string_view>

#include "medlar/data/bytes/atomic_file.hpp"

struct archive;

namespace medlar {

class Output {
 public:
  Output(const std::string& path, const std::string& compression);  // "", gzip, xz, zstd, bzip2
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);
  void finish();  // without it nothing is written

  // What the callback of libarchive needs: the file, and what was thrown while it was written.
  struct Drain {
    AtomicFile file;
    std::string error;
  };

 private:
  void check(int status) const;

  std::string path_;
  Drain drain_;
  archive* archive_ = nullptr;  // none when nothing is compressed
  std::string buffer_;
};

}  // namespace medlar
