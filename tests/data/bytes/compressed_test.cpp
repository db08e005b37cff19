// Compressed inputs: recognised by content, checked to their end. Written through libarchive.
#include "data/support.hpp"
#include "medlar/data/bytes/output.hpp"

namespace medlar {
namespace {

class Compressed : public DataTest {
 protected:
  std::string compress(const std::string& name, const std::string& compression, const std::string& content) {
    Output out(folder.path(name), compression);
    out.write(content);
    out.finish();
    return folder.read(name);
  }
  static std::string long_file() {
    std::string content = "x,y\n";
    for (int t = 0; t < 60000; ++t) content += std::to_string(t * 7919 % 10007) + "," + std::to_string(t) + "\n";
    return content;
  }
};

const Strings kinds{"gzip", "xz", "zstd", "bzip2"};

TEST_F(Compressed, ReadsEveryKindWhateverTheName) {
  for (const std::string& kind : kinds) {
    const std::string bytes = compress("a.csv", kind, long_file());
    ASSERT_LT(bytes.size(), long_file().size()) << kind;
    const Dataset data = read_dataset(folder.path("a.csv"));
    ASSERT_EQ(data.examples(), 60000) << kind;
    EXPECT_EQ(data.target.values[59999], 59999) << kind;
    compress("a", kind, "1 2:5\n");
    EXPECT_EQ(read_dataset(folder.path("a")).schema.format, "svmlight") << kind;
  }
}

// Down to 14 bytes, by which every kind has said what it is.
TEST_F(Compressed, RefusesEveryTruncation) {
  for (const std::string& kind : kinds) {
    const std::string bytes = compress("a.csv", kind, long_file());
    for (std::size_t size = bytes.size() - 1; size >= 14; size = size > 40 ? size * 2 / 3 : size - 1) {
      const std::string sentence = refusal("b.csv", bytes.substr(0, size));
      EXPECT_TRUE(sentence.find("truncated") != std::string::npos) << kind << " cut to " << size << ": " << sentence;
    }
  }
}

// One flipped bit in the middle. gzip's own check is in its last eight bytes, which libarchive would not read.
TEST_F(Compressed, RefusesCorruption) {
  for (const std::string kind : {"gzip", "xz", "bzip2"}) {
    const std::string bytes = compress("a.csv", kind, long_file());
    for (std::size_t place = bytes.size() / 3; place < bytes.size(); place += bytes.size() / 50 + 1) {
      std::string changed = bytes;
      changed[place] = static_cast<char>(changed[place] ^ 0x10);
      const std::string sentence = refusal("b.csv", changed);
      EXPECT_TRUE(sentence.find("corrupt") != std::string::npos || sentence.find("truncated") != std::string::npos)
          << kind << " changed at " << place << ": " << sentence;
    }
  }
}

TEST_F(Compressed, ReadsGzipMembersOneAfterAnother) {
  const std::string first = compress("a.csv", "gzip", "x,y\n1,2\n"), second = compress("a.csv", "gzip", "3,4\n");
  EXPECT_EQ(read("b.csv", first + second).target.values, (Doubles{2, 4}));
  EXPECT_EQ(read("b.csv", first + std::string(100, '\0')).target.values, Doubles{2});  // padding
  EXPECT_NE(refusal("b.csv", first + "more").find("the gzip data is corrupt"), std::string::npos);
}

TEST_F(Compressed, SaysWhenNothingIsInside) {
  for (const std::string& kind : kinds) {
    compress("a.csv", kind, "");
    EXPECT_EQ(refusal_of(folder.path("a.csv")), "a.csv: the file is empty") << kind;
  }
}

}  // namespace
}  // namespace medlar
