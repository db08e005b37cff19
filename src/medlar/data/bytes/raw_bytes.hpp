// The bytes of a file descriptor as they are, with what goes wrong said in words.
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
  std::string_view start();  // the first bytes, without consuming them; before the first read() only
  std::size_t read(char* to, std::size_t room);  // fills the room; less, down to 0, only at the end
  double fraction() const;                       // of the file that was read; 0 where its size is unknown

 private:
  std::size_t fill(char* to, std::size_t room);

  std::string name_;
  int descriptor_ = -1;
  std::string start_;  // bytes that start() gave and read() has not yet
  double size_ = 0, read_ = 0;
};

}  // namespace medlar
