// A file that is complete or untouched: written beside its place, synced, and renamed into it. Pipes, devices and
// standard output ("-") have no place to rename into and are written directly.
#pragma once

#include <string>
#include <string_view>

namespace medlar {

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();  // without commit(): removes what was written
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(std::string_view action) const;  // with errno's text
  void open_directly(const std::string& path);
  void open_beside(const std::string& path);
  void sync_directory() const;

  std::string name_;       // as the user wrote it
  std::string place_;      // the file itself, symbolic links followed; empty when written directly
  std::string temporary_;  // beside it; empty once it is renamed or removed
  int descriptor_ = -1;
};

}  // namespace medlar
