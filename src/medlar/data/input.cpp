#include "medlar/data/input.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "medlar/data/archive_decoder.hpp"
#include "medlar/data/gzip_decoder.hpp"
#include "medlar/data/raw_bytes.hpp"

namespace medlar {
namespace {

// Bytes that need no decoding.
class PlainDecoder : public Decoder {
 public:
  explicit PlainDecoder(std::unique_ptr<RawBytes> raw) : raw_(std::move(raw)) {}
  std::size_t read(char* to, std::size_t room) override { return raw_->read(to, room); }
  double fraction() const override { return raw_->fraction(); }

 private:
  std::unique_ptr<RawBytes> raw_;
};

// What libarchive may know how to decode: xz, bzip2, zstd and the frames that zstd skips.
bool for_libarchive(std::string_view start) {
  using namespace std::string_view_literals;
  constexpr std::array magic{"\xfd\x37zXZ"sv, "BZh"sv, "\x28\xb5\x2f\xfd"sv};
  return std::any_of(magic.begin(), magic.end(), [&](std::string_view word) { return start.starts_with(word); }) ||
         (start.size() >= 4 && (start[0] & '\xf0') == '\x50' && start.substr(1).starts_with("\x2a\x4d\x18"sv));
}

std::unique_ptr<Decoder> decoder_for(std::unique_ptr<RawBytes> raw) {
  const std::string_view start = raw->start();
  if (start.starts_with("\x1f\x8b")) return std::make_unique<GzipDecoder>(std::move(raw));
  if (for_libarchive(start)) return std::make_unique<ArchiveDecoder>(std::move(raw));
  return std::make_unique<PlainDecoder>(std::move(raw));
}

}  // namespace

Input::Input(const std::string& path) {
  auto raw = std::make_unique<RawBytes>(path);
  name_ = raw->name();
  decoder_ = decoder_for(std::move(raw));
}

Input::~Input() = default;

std::string_view Input::peek(std::size_t wanted) {
  if (const std::size_t size = ahead_.size(); size < wanted) {
    ahead_.resize(wanted);
    ahead_.resize(size + decoder_->read(ahead_.data() + size, wanted - size));
  }
  return ahead_;
}

std::size_t Input::read(char* to, std::size_t room) {
  const std::size_t ready = std::min(room, ahead_.size() - taken_);
  std::memcpy(to, ahead_.data() + taken_, ready);
  taken_ += ready;
  return ready == room ? room : ready + decoder_->read(to + ready, room - ready);
}

std::string Input::rest() {
  std::string all;
  for (std::size_t size = 0, room = std::size_t{1} << 18;; room = all.size()) {
    all.resize(size + room);
    const std::size_t got = read(all.data() + size, room);
    size += got;
    if (got == room) continue;
    all.resize(size);
    return all;
  }
}

}  // namespace medlar
