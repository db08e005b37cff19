// Everything that is printed.
#include "output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace medlar::cli {

// Output is always finished, however slowly it is read, because there is nothing left to stop. A second interrupt ends
// the program.
void print(std::string_view text) {
  const auto before = std::signal(SIGINT, [](int) { std::signal(SIGINT, SIG_DFL); });
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  std::signal(SIGINT, before);
  if (!written && errno != EPIPE) {
    throw DataError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

void print_json(const Json& object) {
  print(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void check_writable(const std::string& path, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (path == "-") throw OptionError("output = '-', but must name a file");
  for (const std::string& input : inputs) {
    if (input == "-" || !fs::equivalent(input, path, ignored) || !fs::is_regular_file(path, ignored)) continue;
    throw DataError(fmt::format("{}: cannot be written: it is the file that is read; give another name", path));
  }
  if (fs::is_directory(path, ignored)) throw DataError(fmt::format("{}: cannot be written: it is a folder", path));
  if (!fs::is_directory(folder, ignored)) {
    throw DataError(fmt::format("{}: cannot be written: there is no folder '{}'", path, folder.string()));
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw DataError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
}

void check_model_writable(const std::string& path, const std::vector<std::string>& inputs) {
  check_writable(path, inputs);
  struct stat file, words;
  if (stat(path.c_str(), &file) == 0 && fstat(STDOUT_FILENO, &words) == 0 && file.st_dev == words.st_dev &&
      file.st_ino == words.st_ino && !S_ISCHR(file.st_mode)) {
    throw OptionError(fmt::format("output = {}, but what is said of the fit goes there; name a file of its own", path));
  }
}

void talk(const Globals& globals, std::string_view sentence) {
  if (!globals.quiet) std::fprintf(stderr, "%s\n", shown(sentence).c_str());
}

std::string shown(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0; };
    const bool control = byte(0) < 0x20 || byte(0) == 0x7f;
    // U+200E, 200F, 202A to 202E and 2066 to 2069 turn what follows around.
    const bool turns = byte(0) == 0xe2 && ((byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f)) ||
                                           (byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) ||
                                           (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
    safe += control || turns ? '?' : text[i];
    if (turns) i += 2;
  }
  return safe;
}

std::string brief(double value) {
  return fmt::format("{:.6g}", value);
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string clipped(std::string text) {
  constexpr std::size_t most = 60;
  if (width(text) <= most) return text;
  std::size_t bytes = 0;
  for (std::size_t seen = 0; seen < most; ++bytes) {  // whole characters: stop before the first byte of the next
    if ((static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80) ++seen;
  }
  while ((static_cast<unsigned char>(text[bytes - 1]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes - 1) + "\u2026";
}

namespace {

// As many of its characters, from the `first` on; whole ones.
std::string characters(const std::string& text, std::size_t first, std::size_t count) {
  std::string some;
  std::size_t seen = 0;
  for (const char byte : text) {
    if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) ++seen;
    if (seen > first && seen <= first + count) some += byte;
  }
  return some;
}

std::string clipped_inside(const std::string& text) {
  constexpr std::size_t head = 29, tail = 30;
  if (width(text) <= head + tail + 1) return text;
  return characters(text, 0, head) + "\u2026" + characters(text, width(text) - tail, tail);
}

bool all_differ(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return std::adjacent_find(texts.begin(), texts.end()) == texts.end();
}

}  // namespace

std::vector<std::string> clipped_apart(const std::vector<std::string>& names) {
  std::vector<std::string> ends, insides;
  for (const std::string& name : names) ends.push_back(clipped(name)), insides.push_back(clipped_inside(name));
  if (all_differ(ends)) return ends;
  return all_differ(insides) ? insides : names;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width(row[j]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string pad(widths[j] - width(row[j]), ' ');
      line += j == 0 ? row[j] + pad : "  " + pad + row[j];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace medlar::cli
