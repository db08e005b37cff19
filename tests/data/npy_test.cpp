// NumPy arrays: every type and order, and headers that lie.
#include <bit>
#include <cmath>
#include <cstring>

#include "data/support.hpp"

namespace medlar {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_endian != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& content, int version = 1,
                const std::string& fortran = "False") {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) text += static_cast<char>(header.size() >> (8 * k) & 0xff);
  return text + header + content;
}

class Npy : public DataTest {
 protected:
  template <class T>
  void expect_reads(const std::string& descr) {
    for (const bool big : {false, true}) {
      const std::string type = (big ? ">" : "<") + descr;
      const Dataset data = read("a.npy", npy(type, "(2, 3)", bytes_of<T>({1, 2, 3, 4, 5, 100}, big)));
      EXPECT_EQ(row_of(data.x, 0), (Doubles{1, 2})) << type;
      EXPECT_EQ(data.target.values, (Doubles{3, 100})) << type;
    }
  }
};

TEST_F(Npy, ReadsEveryTypeInBothByteOrders) {
  expect_reads<float>("f4");
  expect_reads<double>("f8");
  expect_reads<std::int8_t>("i1");
  expect_reads<std::int16_t>("i2");
  expect_reads<std::int32_t>("i4");
  expect_reads<std::int64_t>("i8");
  expect_reads<std::uint8_t>("u1");
  expect_reads<std::uint16_t>("u2");
  expect_reads<std::uint32_t>("u4");
  expect_reads<std::uint64_t>("u8");
  EXPECT_EQ(row_of(read("a.npy", npy("|b1", "(1, 3)", std::string("\1\0\1", 3))).x, 0), (Doubles{1, 0}));
  EXPECT_EQ(row_of(read("a.npy", npy("<i2", "(1, 2)", bytes_of<std::int16_t>({-300, 1}))).x, 0), Doubles{-300});
}

TEST_F(Npy, ReadsFortranOrderAllVersionsAndOneDimension) {
  const std::string content = bytes_of<double>({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(row_of(read("a.npy", npy("<f8", "(2, 3)", content, 2, "True")).x, 1), (Doubles{2, 4}));
  EXPECT_EQ(read("a.npy", npy("<f8", "(2, 3)", content, 3)).target.values, (Doubles{3, 6}));
  EXPECT_EQ(read("a.npy", npy("<f8", "(2L, 3L)", content)).target.values, (Doubles{3, 6}));
  ReadOptions options;
  options.target_file = folder.write("a.labels", "1\n0\n1\n0\n1\n0\n");
  EXPECT_EQ(read("a.npy", npy("<f8", "(6,)", content), options).features(), 1);
  EXPECT_EQ(read("anything", npy("<f8", "(2, 3)", content)).schema.format, "npy");
  const Dataset data = read("a.npy", npy("<f8", "(2, 3)", content), {.target = "1"});
  EXPECT_EQ(data.target.values, (Doubles{1, 4}));
  EXPECT_EQ(data.names, (Strings{"x2", "x3"}));
}

TEST_F(Npy, TreatsNaNAsMissing) {
  const std::string content = npy("<f8", "(2, 2)", bytes_of<double>({1, 2, NAN, 4}));
  EXPECT_EQ(refusal("a.npy", content),
            "a.npy:2:1: column 'x1' has no value here (nan); use --missing mean to fill in the column's mean, "
            "--model generative, which does without it, or leave the "
            "column out with --ignore x1");
  EXPECT_EQ(read("a.npy", content, {.missing = "mean"}).x.values()[1], 1);
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(1, 2)", bytes_of<double>({INFINITY, 4}))),
            "a.npy:1:1: column 'x1' holds inf, but a value must be a finite number; write NA where it is not known");
}

TEST_F(Npy, ReplaysFeaturesWithOrWithoutTheTarget) {
  const Dataset trained = read("t.npy", npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6})));
  ReadOptions options;
  options.schema = &trained.schema;
  options.target_required = false;
  EXPECT_EQ(row_of(read("p.npy", npy("<f8", "(1, 2)", bytes_of<double>({7, 8})), options).x, 0), (Doubles{7, 8}));
  EXPECT_EQ(read("p.npy", npy("<f8", "(1, 3)", bytes_of<double>({7, 8, 9})), options).target.values, Doubles{9});
  EXPECT_EQ(row_of(read("p.csv", "7,8\n", options).x, 0), (Doubles{7, 8}));
  EXPECT_EQ(refusal("p.npy", npy("<f8", "(1, 1)", bytes_of<double>({7})), options),
            "p.npy: it has 1 column and no names, but the model needs 2 feature columns; leave those and no others, or "
            "name the columns in a header line (CSV)");
}

TEST_F(Npy, RefusesHeadersThatLie) {
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(2, 3)", std::string(40, '\0'))),
            "a.npy: the array of 2 by 3 needs 48 bytes, but 40 are there; the file is truncated");
  EXPECT_NE(refusal("a.npy", npy("<f8", "(9000000000000000000, 9000000000000000000)", "")).find("would take about"),
            std::string::npos);
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(-1, 3)", "")).find("a.npy: the npy header"), 0u);
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(0, 3)", "")), "a.npy: the npy array of 0 by 3 holds no example");
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(2, 3, 4)", "")),
            "a.npy: the npy array has 3 dimensions, but must have one or two");
  EXPECT_EQ(refusal("a.npy", npy("<f8", "()", "")), "a.npy: the npy array has 0 dimensions, but must have one or two");
  EXPECT_EQ(refusal("a.npy", npy("|O", "(2, 3)", "")),
            "a.npy: the npy array is of type '|O', but must be of float32, float64, integers or bool");
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(1, 1)", bytes_of<double>({1}), 4)),
            "a.npy: npy version 4, but 1, 2 and 3 are known");
  EXPECT_EQ(refusal("a.npy", "hello, world"), "a.npy: this is no npy file: its first bytes are others");
  EXPECT_EQ(refusal("a.npy", std::string("\x93NUMPY\x01\0\xff", 9)), "a.npy: the npy header ends too early");
  EXPECT_EQ(refusal("a.npy", std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12)),
            "a.npy: the npy header claims 4294967295 bytes, which no array of numbers needs");
  EXPECT_EQ(refusal("a.npy", npy("<f8", "(1, 1)", bytes_of<double>({1}))), "a.npy: no column is left for features");
}

}  // namespace
}  // namespace medlar
