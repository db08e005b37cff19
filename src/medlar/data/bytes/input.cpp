#include "medlar/data/bytes/input.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "medlar/data/bytes/archive_decoder.hpp"
#include "medlar/data/bytes/gzip_decoder.hpp"
#include "medlar/data/bytes/memory.hpp"
#include "medlar/data/bytes/raw_bytes.hpp"

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

// The room is judged by the part of the file that was read: a plain file is met by the second guess.
WholeText Input::rest() {
  WholeText text;
  for (std::size_t room = std::size_t{1} << 18;;) {
    auto bytes = std::make_unique_for_overwrite<char[]>(room + WholeText::padding);
    prefer_large_pages(bytes.get(), room);
    std::copy_n(text.bytes.get(), text.size, bytes.get());
    text.bytes = std::move(bytes);
    text.size += read(text.bytes.get() + text.size, room - text.size);
    if (text.size < room) break;
    const double whole = fraction() > 0 ? static_cast<double>(text.size) / fraction() : 0;
    room = std::max(2 * room, static_cast<std::size_t>(whole) + (std::size_t{1} << 16));
  }
  std::fill_n(text.bytes.get() + text.size, WholeText::padding, '\0');
  return text;
}

}  // namespace medlar
