// Values and layout of a model file.
#include "medlar/modelfile/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace medlar {
namespace {

constexpr char substitute = '\x1a';

// How many bytes the UTF-8 sequence at the front has; 0 if it is none (overlong forms and surrogates are none).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

bool all_plain(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& each) { return each.is_structured(); });
}

void lay_out(const Json& value, int depth, std::string& out) {
  const bool broken =
      value.is_structured() && !value.empty() && (!all_plain(value) || (value.is_object() && depth < 2));
  if (!broken) {
    out += value.dump();
    return;
  }
  const std::string indent(static_cast<std::size_t>(2 * (depth + 1)), ' ');
  out += value.is_object() ? "{" : "[";
  const char* separator = "\n";
  for (const auto& [key, each] : value.items()) {
    out += separator;
    out += indent;
    if (value.is_object()) out += Json(key).dump() + ": ";
    lay_out(each, depth + 1, out);
    separator = ",\n";
  }
  out += '\n';
  out.append(static_cast<std::size_t>(2 * depth), ' ');
  out += value.is_object() ? "}" : "]";
}

}  // namespace

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json json_numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = bytes.front() == substitute ? 0 : sequence_length(bytes);
    if (length == 0) {
      text += fmt::format("{}{:02x}", substitute, static_cast<unsigned char>(bytes.front()));
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == substitute && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      bytes += static_cast<char>(byte);
      i += 2;
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

std::string laid_out(const Json& value) {
  std::string out;
  lay_out(value, 0, out);
  out += '\n';
  return out;
}

}  // namespace medlar
