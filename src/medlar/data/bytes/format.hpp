// Format and compression of a file, by its name and by its first bytes.
#pragma once

#include <string>
#include <string_view>

namespace medlar {

struct FileKind {
  std::string format;       // csv, tsv, svmlight, npy; "" when the name does not say
  std::string compression;  // gzip, xz, zstd, bzip2; "" for none
};

FileKind kind_by_name(const std::string& path);

// csv, svmlight or npy from the start of the content.
std::string format_by_content(std::string_view start);

}  // namespace medlar
