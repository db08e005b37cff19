// Bytes of a file or of standard input, decompressed. gzip, xz, zstd and bzip2 are recognised by their content, never
// by the file's name. A stream that ends too early or fails its own check is an error, not a short file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace medlar {

// One way to turn a stream of bytes into decompressed ones.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::size_t read(char* to, std::size_t room) = 0;  // fills the room; less, down to 0, only at the end
  virtual double fraction() const = 0;                       // of the file that was read; 0 where its size is unknown
};

// A text as a whole; bytes after its end may be read, not used.
struct WholeText {
  static constexpr std::size_t padding = 32;
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::string_view view() const { return {bytes.get(), size}; }
};

class Input {
 public:
  explicit Input(const std::string& path);  // "-" is standard input
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }  // for messages

  // The first bytes without consuming them: as many as wanted, or all there are. Before the first read() only.
  std::string_view peek(std::size_t wanted);

  std::size_t read(char* to, std::size_t room);  // fills the room; less, down to 0, only at the end
  WholeText rest();                              // everything that is left
  double fraction() const { return decoder_->fraction(); }

 private:
  std::string name_;
  std::unique_ptr<Decoder> decoder_;
  std::string ahead_;      // bytes that were peeked at
  std::size_t taken_ = 0;  // of them, handed out
};

}  // namespace medlar
