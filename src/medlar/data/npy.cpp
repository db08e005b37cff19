// NumPy's .npy: a magic word, a header that is a Python dictionary, and the numbers of one array. It becomes a table of
// numbers without names. The header is parsed by hand, and believed only as far as the bytes that follow confirm it.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/data/columns.hpp"
#include "medlar/data/readers.hpp"

namespace medlar {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  char kind = 'f';  // f float, i int, u unsigned, b bool
  std::size_t size = 8;
  bool big_endian = false;
  bool fortran = false;
  Index rows = 0, columns = 1;
};

// Bytes in order.
class Bytes {
 public:
  explicit Bytes(Input& input) : input_(input) {}

  // As many as are there, up to `wanted`: a header that promises too much costs no memory.
  std::string read(std::size_t wanted) {
    std::string bytes;
    while (bytes.size() < wanted) {
      const std::size_t size = bytes.size(), room = std::min(wanted - size, std::max(size, std::size_t{1} << 18));
      bytes.resize(size + room);
      bytes.resize(size + input_.read(bytes.data() + size, room));
      if (bytes.size() < size + room) break;
    }
    return bytes;
  }

  std::size_t read_length(std::size_t size) {  // little endian
    const std::string bytes = read(size);
    if (bytes.size() < size) fail_at(input_.name(), {}, "the npy header ends too early");
    std::size_t value = 0;
    for (std::size_t k = size; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
    return value;
  }

 private:
  Input& input_;
};

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Header parse() {
    Header header;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        skip();
        if (peek() != '\'' && peek() != '"')
          fail_at(file_, {}, "the npy array has a structured type; save plain numbers");
        parse_type(quoted(), header);
        type = true;
      } else if (key == "fortran_order") {
        header.fortran = word() == "True";
        order = true;
      } else if (key == "shape") {
        parse_shape(header);
        shape = true;
      } else {
        fail_at(file_, {}, "the npy header has an unknown entry '{}'", shown(key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!type || !order || !shape) fail_at(file_, {}, "the npy header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\t') ++at_;
  }
  bool accept(char wanted) {
    skip();
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail_at(file_, {}, "the npy header '{}' cannot be understood", shown(text_));
  }
  std::string_view quoted() {
    skip();
    const char quote = peek();
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail_at(file_, {}, "the npy header '{}' cannot be understood", shown(text_));
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }
  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while ((peek() >= 'A' && peek() <= 'Z') || (peek() >= 'a' && peek() <= 'z')) ++at_;
    return text_.substr(start, at_ - start);
  }

  void parse_type(std::string_view descr, Header& header) const {
    const bool shaped = descr.size() == 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
    const char kind = shaped ? descr[1] : '\0';
    const char size = shaped ? descr[2] : '\0';
    const bool known = (kind == 'f' && (size == '4' || size == '8')) || (kind == 'b' && size == '1') ||
                       ((kind == 'i' || kind == 'u') && (size == '1' || size == '2' || size == '4' || size == '8'));
    if (!known) {
      fail_at(file_, {}, "the npy array is of type '{}', but must be of float32, float64, integers or bool",
              shown(descr));
    }
    header.kind = kind;
    header.size = static_cast<std::size_t>(size - '0');
    header.big_endian = descr[0] == '>' || (descr[0] == '=' && std::endian::native == std::endian::big);
  }

  void parse_shape(Header& header) {
    std::vector<Index> shape;
    expect('(');
    while (!accept(')')) {
      skip();
      Index extent = -1;
      const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0)
        fail_at(file_, {}, "the npy header '{}' has no valid shape", shown(text_));
      at_ = static_cast<std::size_t>(stop - text_.data());
      if (peek() == 'L') ++at_;
      shape.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    if (shape.empty() || shape.size() > 2) {
      fail_at(file_, {}, "the npy array has {}, but must have one or two",
              counted(static_cast<Index>(shape.size()), "dimension"));
    }
    header.rows = shape[0];
    if (shape.size() == 2) header.columns = shape[1];
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

template <class T>
double as_number(const char* bytes, bool swap) {
  char raw[sizeof(T)];
  std::memcpy(raw, bytes, sizeof(T));
  if (swap) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return static_cast<double>(value);
}

using Decode = double (*)(const char*, bool);

Decode decoder_of(const Header& header) {
  if (header.kind == 'f') return header.size == 4 ? as_number<float> : as_number<double>;
  if (header.kind == 'b') return [](const char* byte, bool) { return *byte == 0 ? 0.0 : 1.0; };
  const bool is_signed = header.kind == 'i';
  switch (header.size) {
    case 1:
      return is_signed ? as_number<std::int8_t> : as_number<std::uint8_t>;
    case 2:
      return is_signed ? as_number<std::int16_t> : as_number<std::uint16_t>;
    case 4:
      return is_signed ? as_number<std::int32_t> : as_number<std::uint32_t>;
    default:
      return is_signed ? as_number<std::int64_t> : as_number<std::uint64_t>;
  }
}

Header read_header(Bytes& bytes, const std::string& file) {
  const std::string opening = bytes.read(8);
  if (opening.empty()) fail_at(file, {}, "the file is empty");
  if (opening.size() < 8 || !opening.starts_with(kMagic))
    fail_at(file, {}, "this is no npy file: its first bytes are others");
  const int version = opening[6];
  if (version < 1 || version > 3) fail_at(file, {}, "npy version {}, but 1, 2 and 3 are known", version);
  const std::size_t length = bytes.read_length(version == 1 ? 2 : 4);
  if (length > 1'000'000) fail_at(file, {}, "the npy header claims {} bytes, which no array of numbers needs", length);
  const std::string text = bytes.read(length);
  if (text.size() < length) fail_at(file, {}, "the npy header ends too early");
  return HeaderParser(text, file).parse();
}

}  // namespace

Dataset read_npy(Input& input, const ReadOptions& options) {
  Bytes bytes(input);
  Table table;
  table.file = input.name();
  const Header header = read_header(bytes, table.file);
  if (header.rows == 0 || header.columns == 0)
    fail_at(table.file, {}, "the npy array of {} by {} holds no example", header.rows, header.columns);
  const double cells = static_cast<double>(header.rows) * static_cast<double>(header.columns);
  require_memory(cells * sizeof(double), fmt::format("{}: {} by {} numbers", table.file, header.rows, header.columns),
                 "split the array");
  const auto rows = static_cast<std::size_t>(header.rows), columns = static_cast<std::size_t>(header.columns);
  const std::string content = bytes.read(rows * columns * header.size);
  if (content.size() < rows * columns * header.size) {
    fail_at(table.file, {}, "the array of {} by {} needs {} bytes, but {} are there; the file is truncated", rows,
            columns, rows * columns * header.size, content.size());
  }
  if (!bytes.read(1).empty()) table.notes.push_back("bytes after the first array are ignored");

  const Decode decode = decoder_of(header);
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  table.rows = header.rows;
  table.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    table.columns[c].name = numbered_name(c);
    table.columns[c].numbers.resize(rows);
  }
  constexpr std::size_t kBlock = 256;  // rows whose bytes stay in the cache while each column takes its own
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    for (std::size_t c = 0; c < columns; ++c) {
      TableColumn& column = table.columns[c];
      for (std::size_t t = begin; t < std::min(rows, begin + kBlock); ++t) {
        const std::size_t at = header.fortran ? c * rows + t : t * columns + c;
        const double value = column.numbers[t] = decode(content.data() + at * header.size, swap);
        if (std::isfinite(value)) continue;
        auto& first = std::isnan(value) ? column.first_missing : column.first_infinite;
        if (!first) first = {{static_cast<Index>(t) + 1, static_cast<Index>(c) + 1}, std::isnan(value) ? "nan" : "inf"};
        column.missing += std::isnan(value);
      }
    }
  }
  const Plan plan = make_plan(table, options);
  find_outside(table, plan, options);
  Dataset data = make_dataset(std::move(table), plan, options);
  if (!options.schema) data.schema.format = "npy";
  return data;
}

}  // namespace medlar
