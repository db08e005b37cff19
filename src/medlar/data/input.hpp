// Bytes of a file or of standard input, decompressed: gzip, xz, zstd and bzip2 are recognised by their content, never
// by the file's name. A stream that ends too early or fails its own check is an error and not a short file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace medlar {

// One way to turn a stream of bytes into blocks of decompressed ones.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::string_view next() = 0;  // valid until the next call; empty at the end
};

class Input {
 public:
  explicit Input(const std::string& path);  // "-" is standard input
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }  // for messages

  // The first bytes without consuming them: as many as wanted, or all there are. Before the first next() only.
  std::string_view peek(std::size_t wanted);

  std::string_view next();  // one block; valid until the next call; empty at the end
  std::string rest();       // everything that is left

 private:
  std::string name_;
  std::unique_ptr<Decoder> decoder_;
  std::string ahead_;  // bytes that were peeked at
  bool peeked_ = false;
};

}  // namespace medlar
