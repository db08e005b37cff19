// Datasets written and read back are the same to the bit; a file is complete or untouched.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <random>

#include "data/support.hpp"

namespace medlar {
namespace {

class Write : public DataTest {
 protected:
  // Values over the whole range of a double, some of them zero.
  static Dataset sample(bool sparse, bool text_target, unsigned seed) {
    std::mt19937_64 random(seed);
    const Index rows = 17, columns = 9;
    Dataset data;
    std::vector<double> cells(static_cast<std::size_t>(rows * columns), 0.0);
    for (double& cell : cells) {
      if (random() % 3 == 0)
        cell = std::ldexp(std::generate_canonical<double, 53>(random) - 0.5, static_cast<int>(random() % 2000) - 1000);
    }
    data.x = Matrix::dense(rows, columns, cells);
    if (sparse) {
      std::vector<Index> starts{0};
      std::vector<Column> column_of;
      std::vector<double> values;
      for (Index t = 0; t < rows; ++t) {
        for_each(data.x.row(t), [&](Index i, double value) {
          if (value == 0) return;
          column_of.push_back(static_cast<Column>(i));
          values.push_back(value);
        });
        starts.push_back(static_cast<Index>(values.size()));
      }
      data.x = Matrix::sparse(rows, columns, starts, column_of, values);
    }
    for (Index i = 0; i < columns; ++i) data.names.push_back(i == 3 ? "odd, \"name\"" : "f" + std::to_string(i));
    data.target.present = true;
    data.target.numeric = !text_target;
    if (text_target) data.target.labels = {"maybe", "no", "yes"};
    for (Index t = 0; t < rows; ++t) {
      if (text_target)
        data.target.codes.push_back(static_cast<Column>(t % 3));
      else
        data.target.values.push_back(std::generate_canonical<double, 53>(random) * 1e-3);
    }
    return data;
  }
  void expect_same(const Dataset& a, const Dataset& b) {
    ASSERT_EQ(a.examples(), b.examples());
    ASSERT_EQ(a.features(), b.features());
    for (Index t = 0; t < a.examples(); ++t) EXPECT_EQ(row_of(a.x, t), row_of(b.x, t)) << "row " << t;
    EXPECT_EQ(a.target.values, b.target.values);
    EXPECT_EQ(a.target.labels, b.target.labels);
    EXPECT_EQ(a.target.codes, b.target.codes);
  }
};

TEST_F(Write, EveryFormatReadsBackToTheSameBits) {
  for (const std::string suffix : {".csv", ".tsv", ".svm", ".npy"}) {
    for (const std::string compression : {"", ".gz", ".xz", ".zst", ".bz2"}) {
      for (unsigned seed = 1; seed <= 4; ++seed) {
        const bool text = seed % 2 == 0 && suffix != ".npy";
        const Dataset data = sample(seed > 2, text, seed);
        const std::string path = folder.path("a" + suffix + compression);
        SCOPED_TRACE(path + " with seed " + std::to_string(seed));
        write_dataset(path, data);
        const Dataset back = read_dataset(path, {.features = 9});
        expect_same(data, back);
        if (suffix == ".csv") {
          EXPECT_EQ(data.names, back.names);
        }
      }
    }
  }
}

TEST_F(Write, KeepsMissingTargetsAndWeights) {
  Dataset data = sample(false, false, 5);
  data.target.values[2] = NAN;
  write_dataset(folder.path("a.svm"), data);
  EXPECT_TRUE(std::isnan(read_dataset(folder.path("a.svm")).target.values[2]));
  data.weights.assign(17, 0.25);
  write_dataset(folder.path("a.csv"), data);
  const Dataset back = read_dataset(folder.path("a.csv"), {.weights = "weight"});
  EXPECT_EQ(back.weights, data.weights);
  EXPECT_TRUE(std::isnan(back.target.values[2]));
  EXPECT_EQ(back.names, data.names);
}

TEST_F(Write, NamesOfNumbersStillReadBackAsNames) {
  const Dataset data = read("a.svm", "spam 1:1 2:2\nham 2:3\n");
  write_dataset(folder.path("b.csv"), data);
  EXPECT_EQ(folder.read("b.csv"), "1,2,label\n1,2,spam\n0,3,ham\n");
  EXPECT_EQ(read_dataset(folder.path("b.csv")).names, (Strings{"1", "2"}));
}

TEST_F(Write, RefusesWhatAFormatCannotHold) {
  const auto refused = [&](const std::string& name, const Dataset& data) -> std::string {
    try {
      write_dataset(folder.path(name), data);
    } catch (const Error& error) {
      EXPECT_FALSE(std::filesystem::exists(folder.path(name)));
      return std::string(error.what()).substr(folder.path("").size());
    }
    return "(not refused)";
  };
  Dataset text = sample(false, true, 1);
  EXPECT_EQ(refused("a.npy", text),
            "a.npy: npy files hold numbers only, but the target is text such as 'maybe'; write csv instead");
  text.target.labels[0] = "may be";
  EXPECT_EQ(refused("a.svm", text),
            "a.svm: svmlight files cannot hold the label 'may be', because of its spaces or signs; write csv instead");
  Dataset weighted = sample(false, false, 1);
  weighted.weights.assign(17, 1.0);
  EXPECT_EQ(refused("a.svm", weighted), "a.svm: svmlight files cannot hold example weights; write csv instead");
  EXPECT_EQ(refused("a.npy", weighted), "a.npy: npy files cannot hold example weights; write csv instead");
  EXPECT_EQ(refused("a.xlsx", weighted),
            "a.xlsx: the name does not say the format; end it in .csv, .tsv, .svm or .npy, and .gz, .xz, .zst or .bz2 "
            "to compress");
}

TEST_F(Write, AtomicFilesReplaceAndKeepPermissions) {
  const std::string path = folder.write("a.json", "old");
  chmod(path.c_str(), 0640);
  write_file_atomically(path, "new");
  EXPECT_EQ(folder.read("a.json"), "new");
  struct stat about {};
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
  EXPECT_EQ(folder.files(), 1u);

  std::filesystem::create_symlink("a.json", folder.path("link"));
  write_file_atomically(folder.path("link"), "through");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("a.json"), "through");

  const mode_t mask = umask(0);
  umask(mask);
  write_file_atomically(folder.path("fresh"), "");
  ASSERT_EQ(stat(folder.path("fresh").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0666u & ~mask);
}

TEST_F(Write, AFailureLeavesNothingBehind) {
  const auto refused = [&](const std::string& path) -> std::string {
    try {
      write_file_atomically(path, "text");
    } catch (const DataError& error) {
      return error.what();
    }
    return "(not refused)";
  };
  EXPECT_EQ(refused(folder.path("none/a")), folder.path("none/a") + ": cannot write it: No such file or directory");
  std::filesystem::create_directory(folder.path("d"));
  EXPECT_EQ(refused(folder.path("d")), folder.path("d") + ": cannot write it: Is a directory");
  EXPECT_EQ(refused("/dev/full"), "/dev/full: cannot write it: No space left on device");
  EXPECT_EQ(folder.files(), 1u);
  write_file_atomically("/dev/null", "text");  // a device is written directly
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Write, ReadsAndWritesThroughAPipe) {
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    write_file_atomically(pipe, "x,y\n1,2\n3,4\n");
    _exit(0);
  }
  EXPECT_EQ(read_dataset(pipe).target.values, (Doubles{2, 4}));
  int status = -1;
  EXPECT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace medlar
