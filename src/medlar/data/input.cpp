#include "medlar/data/input.hpp"

#include "medlar/data/archive_decoder.hpp"
#include "medlar/data/gzip_decoder.hpp"
#include "medlar/data/raw_bytes.hpp"

namespace medlar {

Input::Input(const std::string& path) {
  auto raw = std::make_unique<RawBytes>(path);
  name_ = raw->name();
  if (raw->starts_with("\x1f\x8b")) {
    decoder_ = std::make_unique<GzipDecoder>(std::move(raw));
  } else {
    decoder_ = std::make_unique<ArchiveDecoder>(std::move(raw));
  }
}

Input::~Input() = default;

std::string_view Input::peek(std::size_t wanted) {
  while (ahead_.size() < wanted) {
    const std::string_view block = decoder_->next();
    if (block.empty()) break;
    ahead_ += block;
  }
  peeked_ = !ahead_.empty();
  return ahead_;
}

std::string_view Input::next() {
  if (peeked_) {
    peeked_ = false;
    return ahead_;
  }
  return decoder_->next();
}

std::string Input::rest() {
  std::string all;
  for (std::string_view block = next(); !block.empty(); block = next()) all += block;
  return all;
}

}  // namespace medlar
