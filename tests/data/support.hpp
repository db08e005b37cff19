// Files for a test, in a folder that goes away with it, and the sentence that a refusal must hold.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "medlar/error.hpp"
#include "medlar/io.hpp"

namespace medlar {

class TempFolder {
 public:
  TempFolder() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";  // where it is there: tests write thousands of small files
    const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    std::string pattern = (parent / "medlar-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::string folder_;
};

class DataTest : public testing::Test {
 protected:
  Dataset read(const std::string& name, const std::string& content, const ReadOptions& options = {}) {
    return read_dataset(folder.write(name, content), options);
  }
  // The sentence with which the file is refused, without the folder.
  std::string refusal(const std::string& name, const std::string& content, const ReadOptions& options = {}) {
    return refusal_of(folder.write(name, content), options);
  }
  std::string refusal_of(const std::string& path, const ReadOptions& options = {}) {
    try {
      read_dataset(path, options);
    } catch (const Error& error) {
      std::string sentence = error.what();
      const std::string prefix = folder.path("");
      for (std::size_t at; (at = sentence.find(prefix)) != std::string::npos;) sentence.erase(at, prefix.size());
      return sentence;
    }
    return "(not refused)";
  }
  TempFolder folder;
};

inline double at(const Matrix& x, Index t, Index i) {
  double value = 0;
  for_each(x.row(t), [&](Index column, double stored) {
    if (column == i) value = stored;
  });
  return value;
}

inline std::vector<double> row_of(const Matrix& x, Index t) {
  std::vector<double> row(static_cast<std::size_t>(x.columns()), 0.0);
  for_each(x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
  return row;
}

inline bool noted(const Dataset& data, const std::string& part) {
  for (const std::string& note : data.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

using Strings = std::vector<std::string>;
using Doubles = std::vector<double>;

}  // namespace medlar
