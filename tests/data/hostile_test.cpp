// Thousands of damaged files: every reader either understands them or says in words what is wrong.
#include <algorithm>
#include <random>

#include "data/support.hpp"
#include "medlar/data/bytes/output.hpp"

namespace medlar {
namespace {

class Hostile : public DataTest {
 protected:
  std::string compressed(const std::string& compression, const std::string& content) {
    Output out(folder.path("seed"), compression);
    out.write(content);
    out.finish();
    return folder.read("seed");
  }

  static std::string damaged(std::string bytes, std::mt19937_64& random) {
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const std::string spice = "\"\",;:\t\r\n #+-.0e9\xff?NA=[(";
    for (std::size_t k = 1 + below(4); k-- > 0 && !bytes.empty();) {
      const std::size_t place = below(bytes.size());
      switch (below(6)) {
        case 0:
          bytes.resize(place);
          break;
        case 1:
          bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
          break;
        case 2:
          bytes[place] = spice[below(spice.size())];
          break;
        case 3:
          bytes.insert(place, 1, spice[below(spice.size())]);
          break;
        case 4:
          bytes.erase(place, 1 + below(8));
          break;
        default:
          bytes.insert(place, bytes.substr(below(bytes.size()), below(20)));
          break;
      }
    }
    return bytes;
  }

  // Feeds `rounds` damaged copies; at least one must be refused, or the test tests nothing.
  void feed(const std::string& name, const std::string& bytes, ReadOptions options, unsigned rounds) {
    const Dataset sound = read("sound-" + name, bytes, options);
    ReadOptions replayed = options;
    replayed.schema = &sound.schema;
    replayed.target_required = false;
    unsigned refusals = 0;
    for (unsigned seed = 1; seed <= rounds; ++seed) {
      SCOPED_TRACE(name + " damaged with seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      const std::string path = folder.write(name, damaged(bytes, random));
      for (const ReadOptions* how : {&options, &replayed}) {
        try {
          const Dataset data = read_dataset(path, *how);
          EXPECT_EQ(static_cast<Index>(data.names.size()), data.features());
          EXPECT_GT(data.examples(), 0);
          for (Index t = 0; t < data.examples(); ++t) {
            for_each(data.x.row(t), [](Index, double value) { EXPECT_TRUE(std::isfinite(value)); });
          }
        } catch (const Error& error) {
          ++refusals;
          EXPECT_NE(std::string(error.what()), "");
        }
      }
    }
    EXPECT_GT(refusals, 0u);
  }
};

const std::string csv = "a,kind,\"b, c\",y\n1,u,5.5,0\n2,\"v \"\"x\"\"\",-6e3,1\n3,w,7,0\n4,u,8.25,1\n5,v,1e-3,0\n";
const std::string svm = "+1 1:0.5 3:2 7:-1e2 # c\n-1 qid:1 2:3\n\n+1 4:1 5:1 6:1\n";

std::string npy() {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3), }\n";
  std::string bytes = std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header;
  for (int k = 0; k < 12; ++k) bytes += std::string("\0\0\x80\x3f", 4);
  return bytes;
}

TEST_F(Hostile, Csv) {
  feed("a.csv", csv, {}, 3000);
}
TEST_F(Hostile, CsvWithGapsFilled) {
  feed("a.csv", csv, {.missing = "mean"}, 2000);
}
TEST_F(Hostile, SpaceSeparated) {
  feed("a.data", "1 2 3\n4 5 6\n7 8 9\n", {.missing = "mean"}, 2000);
}
TEST_F(Hostile, Svmlight) {
  feed("a.svm", svm, {}, 3000);
}
TEST_F(Hostile, FormatByContent) {
  feed("a", svm, {}, 1000);
  feed("b", csv, {}, 1000);
}
TEST_F(Hostile, Npy) {
  feed("a.npy", npy(), {}, 3000);
}
TEST_F(Hostile, CompressedFiles) {
  for (const std::string kind : {"gzip", "xz", "zstd", "bzip2"}) feed("a.csv", compressed(kind, csv), {}, 500);
}
TEST_F(Hostile, TargetFile) {
  unsigned refusals = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    ReadOptions options;
    options.target_file = folder.write("a.labels", damaged("1\n-1\n1\n", random));
    try {
      read("a.data", "1 2\n3 4\n5 6\n", options);
    } catch (const Error&) {
      ++refusals;
    }
  }
  EXPECT_GT(refusals, 0u);
}

}  // namespace
}  // namespace medlar
