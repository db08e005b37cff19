// xz, zstd and bzip2 through libarchive's raw format.
#pragma once

#include <memory>
#include <string>

#include "medlar/data/bytes/input.hpp"
#include "medlar/data/bytes/raw_bytes.hpp"

struct archive;

namespace medlar {

class ArchiveDecoder : public Decoder {
 public:
  explicit ArchiveDecoder(std::unique_ptr<RawBytes> raw);
  ~ArchiveDecoder() override;
  std::size_t read(char* to, std::size_t room) override;
  double fraction() const override { return feed_.raw->fraction(); }

  // What the callback of libarchive needs: the bytes, and what was thrown while they were read.
  struct Feed {
    std::unique_ptr<RawBytes> raw;
    std::string block;
    std::string error;
  };

 private:
  [[noreturn]] void fail() const;

  Feed feed_;
  archive* archive_ = nullptr;
  bool finished_ = false;
};

}  // namespace medlar
