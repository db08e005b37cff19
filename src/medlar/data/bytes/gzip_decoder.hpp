// gzip through zlib, which checks each member's CRC and length; libarchive's own gzip filter checks neither.
#pragma once

#include <zlib.h>

#include <memory>
#include <string>

#include "medlar/data/bytes/input.hpp"
#include "medlar/data/bytes/raw_bytes.hpp"

namespace medlar {

class GzipDecoder : public Decoder {
 public:
  explicit GzipDecoder(std::unique_ptr<RawBytes> raw);
  ~GzipDecoder() override;
  std::size_t read(char* to, std::size_t room) override;
  double fraction() const override { return raw_->fraction(); }

 private:
  bool refill();          // false at the end of the file
  bool another_member();  // after the end of one: more gzip follows; padding with zeros is skipped

  std::unique_ptr<RawBytes> raw_;
  z_stream stream_{};
  std::string in_;
  bool finished_ = false;
};

}  // namespace medlar
