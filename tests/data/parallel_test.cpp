// Reading in blocks on several threads gives, bit for bit, what a plain reader gives: the same data and the same
// refusals, however the lines fall on the blocks.
#include <charconv>
#include <cstring>
#include <random>

#include "data/support.hpp"
#include "medlar/data/bytes/input.hpp"
#include "medlar/data/bytes/output.hpp"
#include "medlar/data/readers.hpp"

namespace medlar {
namespace {

// Everything that was read, as text; or the refusal.
std::string told(const Dataset& data) {
  std::string text = std::to_string(data.examples()) + " x " + std::to_string(data.features());
  const auto add = [&](double value) {
    char digits[40];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::hex).ptr) += ' ';
  };
  for (Index t = 0; t < data.examples(); ++t) {
    text += '\n' + std::to_string(data.lines[static_cast<std::size_t>(t)]) + ": ";
    if (data.target.present && data.target.numeric) add(data.target.values[static_cast<std::size_t>(t)]);
    if (data.target.present && !data.target.numeric) {
      text += std::to_string(data.target.codes[static_cast<std::size_t>(t)]) + ' ';
    }
    if (!data.weights.empty()) add(data.weights[static_cast<std::size_t>(t)]);
    for_each(data.x.row(t), [&](Index i, double value) {
      text += std::to_string(i) + ':';
      add(value);
    });
  }
  for (const std::string& label : data.target.labels) text += "\nlabel " + label;
  for (const std::string& name : data.names) text += "\nname " + name;
  for (const std::string& note : data.notes) text += "\nnote " + note;
  return text;
}

template <class Read>
std::string outcome(Read&& read) {
  try {
    return told(read());
  } catch (const Error& error) {
    return error.what();
  }
}

class Parallel : public DataTest {
 protected:
  using Reader = Dataset (*)(Input&, const ReadOptions&, std::size_t);

  std::string by_blocks(Reader reader, const std::string& path, ReadOptions options, Index threads, std::size_t size) {
    return outcome([&] {
      Input input(path);
      options.threads = threads;
      return reader(input, options, size);
    });
  }

  // One block that holds all, against blocks of many sizes on none to many threads.
  std::string agreed(Reader reader, const std::string& content, const ReadOptions& options = {}) {
    const std::string path = folder.write("file", content);
    const std::string whole = by_blocks(reader, path, options, 1, content.size() + 1);
    for (const std::size_t size : {1, 2, 7, 16, 64, 1000}) {
      if (content.size() / size > 2000) continue;
      for (const Index threads : {0, 1, 2, 5}) {
        const std::string parts = by_blocks(reader, path, options, threads, size);
        EXPECT_EQ(parts, whole) << threads << " threads, blocks of " << size;
        if (parts != whole) return whole;
      }
    }
    return whole;
  }
};

std::string random_number(std::mt19937_64& random) {
  const auto digits = [&](std::size_t count) {
    std::string text;
    while (text.size() < count) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  const std::string sign = random() % 3 == 0 ? "-" : random() % 9 == 0 ? "+" : "";
  switch (random() % 8) {
    case 0:
      return sign + digits(1 + random() % 20);
    case 1:
      return sign + "0." + digits(1 + random() % 20);
    case 2:
      return sign + digits(1 + random() % 9) + "." + digits(random() % 18);
    case 3:
      return sign + "." + digits(1 + random() % 17);
    case 4:
      return sign + digits(1 + random() % 3) + "." + digits(random() % 4) + "e" +
             std::to_string(int(random() % 40) - 20);
    case 5:
      return sign + "0.000" + digits(1 + random() % 6);
    case 6:
      return "1";
    default:
      return sign + "0." + digits(6);
  }
}

std::string random_svmlight(std::mt19937_64& random, bool texts) {
  std::string content = random() % 4 == 0 ? "\xef\xbb\xbf" : "";
  const Strings labels = texts ? Strings{"spam", "ham", "NA", "1"} : Strings{"+1", "-1", "1", "3.25", "nan"};
  for (std::size_t lines = 1 + random() % 30; lines-- > 0;) {
    if (random() % 8 == 0) content += random() % 2 ? "# a comment 3:4" : "  \t";
    if (content.empty() || content.back() == '\n') {
      content += labels[random() % labels.size()];
      if (random() % 6 == 0) content += " qid:7";
      Index index = 0;
      for (std::size_t k = random() % 12; k-- > 0;) {
        index += 1 + static_cast<Index>(random() % (random() % 9 == 0 ? 1000 : 30));
        content += std::string(1 + random() % 2, random() % 9 ? ' ' : '\t') + std::to_string(index) + ':' +
                   random_number(random);
      }
      if (random() % 8 == 0) content += random() % 2 ? " # end" : "#end";
    }
    content += random() % 5 == 0 ? "\r\n" : "\n";
  }
  if (random() % 3 == 0) content.pop_back();
  return content;
}

// One character changed, left out or put in.
std::string damaged(std::string content, std::mt19937_64& random) {
  const std::string spice("\"\",;:\t\r\n #+-.0e9\xff?NA=\0", 23);
  const std::size_t place = random() % content.size();
  const char c = spice[random() % spice.size()];
  if (random() % 3 == 0) return content.erase(place, 1);
  if (random() % 2 == 0) return content.insert(place, 1, c);
  content[place] = c;
  return content;
}

TEST_F(Parallel, SvmlightInBlocks) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string content = random_svmlight(random, seed % 2 == 0);
    if (seed % 3 == 0) content = damaged(content, random);
    if (!content.empty()) agreed(read_svmlight, content, {.target_required = seed % 5 != 0});
  }
}

// Each value against strtod, which rounds correctly, and each index and line against a plain walk over the text.
TEST_F(Parallel, SvmlightAgainstAPlainReader) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string content;
    struct Entry {
      Index line, index;
      double value;
    };
    std::vector<Entry> wanted;
    const Index lines = 1 + static_cast<Index>(random() % 40);
    for (Index line = 1; line <= lines; ++line) {
      content += "1";
      Index index = 0;
      for (std::size_t k = 1 + random() % 30; k-- > 0;) {
        const auto most = k > 0 || seed % 25 != 0 ? 50UL : seed % 50 == 0 ? 12'345'678UL : 1UL << 61;
        index += 1 + static_cast<Index>(random() % most);
        const std::string number = random_number(random);
        const double value = std::strtod(number.c_str(), nullptr);
        if (value != 0) wanted.push_back({line, index, value});
        content += ' ' + std::to_string(index) + ':' + number;
      }
      content += '\n';
    }
    const std::string path = folder.write("a.svm", content);
    Input input(path);
    const Dataset data = read_svmlight(input, {.threads = 2}, 128);
    ASSERT_EQ(data.examples(), lines);
    ASSERT_EQ(data.x.stored(), static_cast<Index>(wanted.size()));
    auto next = wanted.begin();
    for (Index t = 0; t < lines; ++t) {
      for_each(data.x.row(t), [&](Index i, double value) {
        ASSERT_EQ(next->line, t + 1);
        ASSERT_EQ(std::to_string(next->index), data.names[static_cast<std::size_t>(i)]);
        ASSERT_EQ(std::memcmp(&next->value, &value, sizeof value), 0) << next->value << " and " << value;
        ++next;
      });
    }
  }
}

std::string random_csv(std::mt19937_64& random, char delimiter, bool quotes) {
  const std::size_t columns = 2 + random() % 5;
  std::string content = random() % 5 == 0 ? "\xef\xbb\xbf" : "";
  if (random() % 3) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c) content += delimiter;
      content += random() % 3 ? "n" + std::to_string(c) : "\"n " + std::to_string(c) + "\"";
    }
    content += '\n';
  }
  const std::string end = random() % 4 == 0 ? "\r\n" : random() % 9 == 0 ? "\r" : "\n";
  std::vector<int> kind(columns);  // 0 to 5: numbers, 6 gaps, 7 late texts, 8 texts, 9 odd NaN among texts
  for (int& k : kind) k = static_cast<int>(random() % 10);
  const std::size_t rows = 2 + random() % 60;
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c) content += delimiter;
      if (random() % 12 == 0) content += ' ';
      const bool text = kind[c] == 8 || (kind[c] >= 7 && 2 * t > rows);
      if (kind[c] >= 6 && random() % 8 == 0) {
        content += kind[c] == 9 ? "Nan" : random() % 2 ? "NA" : "?";
      } else if (text) {
        content +=
            quotes && random() % 4 == 0 ? "\"a \"\"b\"\"\n c\"" : std::string(1, static_cast<char>('a' + random() % 3));
      } else {
        content += random() % 400 == 0 ? "inf" : random_number(random);
      }
      if (random() % 15 == 0) content += ' ';
    }
    content += end;
    if (random() % 15 == 0) content += "  " + end;
  }
  if (random() % 3 == 0) content.resize(content.size() - end.size());
  return content;
}

TEST_F(Parallel, CsvInBlocks) {
  unsigned refused = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const char delimiter = std::string(",;\t ")[random() % 4];
    std::string content = random_csv(random, delimiter, seed % 3 == 0);
    if (seed % 4 == 0) content = damaged(content, random);
    const std::string result = agreed(read_csv, content, {.missing = seed % 2 ? "mean" : "refuse"});
    refused += result.starts_with(folder.path("file:"));
  }
  EXPECT_GT(refused, 20u);
  EXPECT_LT(refused, 380u);
}

// The block reader against the one that goes cell by cell: a quote in the last line sends everything there.
TEST_F(Parallel, CsvInBlocksAsCellByCell) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string content, last;
    const std::size_t columns = 2 + random() % 4;
    for (std::size_t t = 0; t < 20 + random() % 40; ++t) {
      for (std::size_t c = 0; c < columns; ++c) content += (c ? "," : "") + random_number(random);
      if (random() % 200 == 0) content += ",7";
      content += t % 7 == 3 ? "\r\n" : "\n";
    }
    for (std::size_t c = 0; c < columns; ++c) last += c ? ",2" : "1";
    const std::string plain = agreed(read_csv, content + last, {.header = "no"});
    last.replace(0, 1, "\"1\"");
    EXPECT_EQ(agreed(read_csv, content + last, {.header = "no"}), plain);
  }
}

// The first fault in the file is told, with its line, though a later block may meet its own fault earlier.
TEST_F(Parallel, SvmlightTellsTheFirstFault) {
  std::string content;
  for (int line = 1; line <= 400; ++line) content += line == 173 || line == 290 ? "1 3:x\n" : "1 3:1 4:2.5 # c\n";
  EXPECT_EQ(agreed(read_svmlight, content), folder.path("file:173:5: value 'x' is no number"));
  content.insert(content.find("1 3:x") + 3, 1, '\0');
  EXPECT_EQ(agreed(read_svmlight, content), folder.path("file:173:4: a zero byte; this is a binary file and no text"));
  EXPECT_EQ(agreed(read_svmlight, "#\n\n"), folder.path("file: the file holds no example"));
}

TEST_F(Parallel, CsvTellsTheFirstFault) {
  std::string content = "a,b,y\n";
  for (int line = 2; line <= 400; ++line) content += line == 173 || line == 290 ? "1,2\n" : "1, 2.5,3\r\n";
  EXPECT_EQ(agreed(read_csv, content),
            folder.path("file:173:3: 2 cells, but line 1 has 3; complete the line, put quotes "
                        "around a cell that holds the delimiter, or set --delimiter"));
  content = "a,b,y\n";
  for (int line = 2; line <= 400; ++line) content += line == 173 || line == 290 ? "1, 1e999,3\n" : "1,2.5,3\n";
  EXPECT_EQ(
      agreed(read_csv, content),
      folder.path(
          "file:173:4: column 'b' holds 1e999, but a value must be a finite number; write NA where it is not known"));
}

// A point or a digit may separate cells, though numbers are written with them.
TEST_F(Parallel, CsvWithAnOddDelimiter) {
  const Dataset data = read("a.csv", "1.2.3\n4.5.6\n", {.header = "no", .delimiter = "."});
  EXPECT_EQ(row_of(data.x, 1), (Doubles{4, 5}));
  const Dataset other = read("a.csv", "1-2-3\n4--6\n", {.missing = "mean", .header = "no", .delimiter = "-"});
  EXPECT_EQ(row_of(other.x, 1), (Doubles{4, 2}));
  EXPECT_EQ(row_of(read("a.csv", "15254\n35456\n", {.header = "no", .delimiter = "5"}).x, 1), (Doubles{3, 4}));
}

// Decompressed by whoever fetches a block; damage at the end is told after a fault before it.
TEST_F(Parallel, CompressedSvmlight) {
  std::mt19937_64 random(7);
  std::string content;
  for (int k = 0; k < 3000; ++k) content += "1 1:" + random_number(random) + " 5:" + random_number(random) + '\n';
  const std::string plain = by_blocks(read_svmlight, folder.write("a.svm", content), {}, 1, 1 << 20);
  for (const std::string kind : {"gzip", "xz", "zstd", "bzip2"}) {
    Output out(folder.path("b.svm"), kind);
    out.write(content);
    out.finish();
    for (const Index threads : {1, 3}) {
      EXPECT_EQ(by_blocks(read_svmlight, folder.path("b.svm"), {}, threads, 1000), plain) << kind;
    }
    const std::string bytes = folder.read("b.svm");
    const std::string cut = folder.write("c.svm", bytes.substr(0, bytes.size() - 9));
    EXPECT_NE(by_blocks(read_svmlight, cut, {}, 3, 1000).find("truncated"), std::string::npos) << kind;
  }
}

}  // namespace
}  // namespace medlar
