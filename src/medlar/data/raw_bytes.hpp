// The bytes of a file descriptor as they are, in blocks, with what goes wrong said in words.
#pragma once

#include <string>
#include <string_view>

namespace medlar {

class RawBytes {
 public:
  explicit RawBytes(const std::string& path);  // "-" is standard input
  ~RawBytes();
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  const std::string& name() const { return name_; }
  std::string_view next();                   // one block; valid until the next call; empty at the end
  bool starts_with(std::string_view magic);  // before the first next() only

 private:
  void fill();

  std::string name_;
  int descriptor_ = -1;
  std::string block_;
  std::size_t size_ = 0;
  bool pending_ = false;  // the block was filled but not handed out
};

}  // namespace medlar
