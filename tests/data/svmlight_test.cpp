// svmlight / LIBSVM files.
#include <fmt/format.h>

#include <cmath>

#include "data/support.hpp"

namespace medlar {
namespace {

class Svmlight : public DataTest {};

TEST_F(Svmlight, ReadsLabelsIndicesAndValues) {
  const Dataset data = read("a.svm", "+1 1:0.5 4:-2e1 # note 7:7\n# a comment\n\n-1 qid:3 2:+3 3:0\r\n  +1\n");
  EXPECT_EQ(data.examples(), 3);
  EXPECT_EQ(data.features(), 4);
  EXPECT_TRUE(data.x.is_sparse());
  EXPECT_EQ(data.x.stored(), 3);  // the zero is not stored
  EXPECT_EQ(row_of(data.x, 0), (Doubles{0.5, 0, 0, -20}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{0, 3, 0, 0}));
  EXPECT_EQ(data.target.values, (Doubles{1, -1, 1}));
  EXPECT_EQ(data.names, (Strings{"1", "2", "3", "4"}));
  EXPECT_EQ(data.group_names, data.names);
  EXPECT_EQ(data.group_of, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(data.lines, (std::vector<Index>{1, 4, 5}));
  EXPECT_TRUE(noted(data, "qid is ignored (1 time)"));
}

TEST_F(Svmlight, TakesTextLabelsAndAtLeastTheFeaturesAskedFor) {
  const Dataset data = read("a.libsvm", "spam 1:1\nham 2:1\nspam 1:2\n", {.features = 5});
  EXPECT_EQ(data.target.labels, (Strings{"ham", "spam"}));
  EXPECT_EQ(data.target.codes, (std::vector<Column>{1, 0, 1}));
  EXPECT_EQ(data.features(), 5);
}

TEST_F(Svmlight, KnowsTheFormatFromTheContent) {
  EXPECT_EQ(read("a.txt", "3\n1 2:5\n").schema.format, "svmlight");
  EXPECT_EQ(read("a", "1 qid:1 2:5\n").schema.format, "svmlight");
  EXPECT_EQ(read("a.data", "1 2 5\n").schema.format, "csv");
  EXPECT_EQ(read("a", "12:30,5\n12:30,6\n12:31,6\n").schema.format, "csv");  // times of day
}

TEST_F(Svmlight, RefusesByLineAndColumn) {
  EXPECT_EQ(refusal("a.svm", "1 2:1\n1 9:1 3:1\n"),
            "a.svm:2:7: feature index 3 follows 9; indices must increase within a line");
  EXPECT_EQ(refusal("a.svm", "1 3:1 3:2\n"),
            "a.svm:1:7: feature index 3 follows 3; indices must increase within a line");
  EXPECT_EQ(refusal("a.svm", "1 0:1\n"), "a.svm:1:3: feature index 0, but indices count from 1; add 1 to every index");
  EXPECT_EQ(refusal("a.svm", "1 99999999999999999999:1\n"),
            "a.svm:1:3: feature index 99999999999999999999 is above 9223372036854775807, the largest there can be; "
            "renumber the features");
  EXPECT_EQ(refusal("a.svm", "1 9223372036854775808:1\n"),
            "a.svm:1:3: feature index 9223372036854775808 is above 9223372036854775807, the largest there can be; "
            "renumber the features");
  EXPECT_EQ(refusal("a.svm", "1 2:1 abc\n"), "a.svm:1:7: 'abc' found where index:value should be");
  EXPECT_EQ(refusal("a.svm", "1 -2:1\n"), "a.svm:1:3: '-2:1' found where index:value should be");
  EXPECT_EQ(refusal("a.svm", "1 2:x\n"), "a.svm:1:5: value 'x' is no number");
  EXPECT_EQ(refusal("a.svm", "1 2:\n"), "a.svm:1:5: value '' is no number");
  EXPECT_EQ(refusal("a.svm", "1 2:1:3\n"), "a.svm:1:5: value '1:3' is no number");
  EXPECT_EQ(refusal("a.svm", "1 2:nan\n"),
            "a.svm:1:5: value nan, but a value must be a finite number; leave the entry out or replace it");
  EXPECT_EQ(refusal("a.svm", "1 2:1e999\n"),
            "a.svm:1:5: value 1e999, but a value must be a finite number; leave the entry out or replace it");
  EXPECT_EQ(refusal("a.svm", "1 2:1\n2:1\n"), "a.svm:2:1: the line starts with '2:1' where its label should be");
  EXPECT_EQ(refusal("a.svm", "inf 2:1\n"), "a.svm:1:1: target inf, but a target must be a finite number");
  EXPECT_EQ(refusal("a.svm", "# nothing\n\n"), "a.svm: the file holds no example");
  EXPECT_EQ(refusal("a.svm", "1\n-1\n"), "a.svm: no line has a feature, index:value; is the file svmlight (--format)?");
  EXPECT_EQ(refusal("a.svm", std::string("1 2:1\n1 \0\n", 10)),
            "a.svm:2:3: a zero byte; this is a binary file and no text");
  EXPECT_EQ(refusal("a.svm", "1 2:1\n", {.target = "y"}), "target = y, but " +
                                                              folder.path("a.svm").substr(folder.path("").size()) +
                                                              " is svmlight, which has no columns by name");
}

TEST_F(Svmlight, KeepsOfIndicesFarBetweenThoseThatOccur) {
  const std::string content = "1 3:1 9000000:2\n-1 9000000:4 9223372036854775807:8\n1 7:0 4294967299:16\n";
  const Dataset data = read("a.svm", content);
  EXPECT_EQ(data.names, (Strings{"3", "9000000", "4294967299", "9223372036854775807"}));
  EXPECT_EQ(data.schema.indices, (std::vector<Index>{3, 9000000, 4294967299, 9223372036854775807}));
  EXPECT_EQ(data.schema.features, 4);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{1, 2, 0, 0}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{0, 4, 0, 8}));
  EXPECT_EQ(row_of(data.x, 2), (Doubles{0, 0, 16, 0}));
  EXPECT_TRUE(noted(data, "of the indices up to 9223372036854775807, 4 occur"));
  const Dataset narrow = read("b.svm", "1 3:1 2147483647:2\n");  // 32 bits hold it, and 214 GB the names up to it
  EXPECT_EQ(narrow.names, (Strings{"3", "2147483647"}));
  const Dataset floats = read("c.svm", content, {.precision = ValuePrecision::floats});
  EXPECT_TRUE(floats.x.are_floats());
  EXPECT_EQ(row_of(floats.x, 1), (Doubles{0, 4, 0, 8}));
}

TEST_F(Svmlight, ReadsFurtherFilesByTheIndicesOfTheFirst) {
  const Dataset data = read("a.svm", "1 3:1 9000000:2\n-1 4294967299:4\n");
  const Dataset further =
      read("b.svm", "1 3:5 4:1 4294967299:6\n-1 9000000:7 4294967300:1\n", {.schema = &data.schema});
  EXPECT_EQ(further.names, data.names);
  EXPECT_EQ(further.schema, data.schema);
  EXPECT_EQ(row_of(further.x, 0), (Doubles{5, 0, 6}));
  EXPECT_EQ(row_of(further.x, 1), (Doubles{0, 7, 0}));
  EXPECT_TRUE(noted(further, "2 values with a feature index that did not occur ignored"));
  EXPECT_FALSE(noted(further, "all examples look alike"));
  const Dataset strange = read("f.svm", "1 5:5\n-1 6:1\n", {.schema = &data.schema});
  EXPECT_TRUE(noted(strange, "the model has no such feature, so that all examples look alike"));
  const Dataset small = read("c.svm", "1 3:5 4:1\n", {.schema = &data.schema});
  EXPECT_EQ(row_of(small.x, 0), (Doubles{5, 0, 0}));
  const Dataset all = read("d.svm", "1 1:5 2:1\n");  // a model of all indices leaves out those above
  EXPECT_EQ(row_of(read("e.svm", "1 2:3 4294967299:6\n", {.schema = &all.schema}).x, 0), (Doubles{0, 3}));
}

// The block where indices first need 64 bits lies in the midst of the file.
TEST_F(Svmlight, WidensAsItReads) {
  std::string content;
  std::vector<Index> expected;
  for (Index t = 0; t < 60000; ++t) {
    const Index index = t < 30000 ? 1 + t % 1000 : t % 2 == 0 ? 5000000000 + t : 1 + t % 1000;
    content += fmt::format("1 {}:{}\n", index, t + 1);
    expected.push_back(index);
  }
  for (const Index threads : {1, 4}) {
    const Dataset data = read("a.svm", content, {.threads = threads});
    ASSERT_EQ(data.x.stored(), 60000);
    ASSERT_EQ(data.features(), 16000);
    for (Index t = 0; t < 60000; ++t) {
      const RowView row = data.x.row(t);
      ASSERT_EQ(data.names[static_cast<std::size_t>(row.columns[0])],
                std::to_string(expected[static_cast<std::size_t>(t)]));
      ASSERT_EQ(row.values[0], static_cast<double>(t + 1));
    }
  }
}

TEST_F(Svmlight, KeepsFeaturesThatAreAskedFor) {
  EXPECT_EQ(read("a.svm", "1 1048576:1\n").features(), 1048576);
  EXPECT_EQ(read("a.svm", "1 1048577:1\n").features(), 1);
  EXPECT_EQ(read("a.svm", "1 1048577:1\n", {.features = 1048577}).features(), 1048577);
  EXPECT_EQ(refusal("a.svm", "1 4294967299:0\n"), "a.svm: every value is 0");
  const Dataset data = read("a.svm", "1 1048577:1\n", {.named = {"7", "x", "007"}});
  EXPECT_EQ(data.names, (Strings{"7", "1048577"}));
  EXPECT_EQ(row_of(data.x, 0), (Doubles{0, 1}));
}

TEST_F(Svmlight, MayLackLabelsWhereNoneIsNeeded) {
  const Dataset data = read("a.svm", "1:1 2:2\n2:1\n", {.target_required = false});
  EXPECT_FALSE(data.target.present);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{1, 2}));
}

TEST_F(Svmlight, JoinsLinesThatSpanBlocks) {
  std::string content;
  for (int t = 0; t < 3; ++t) {
    content += "1";
    for (int i = 1; i <= 100000; ++i) content += " " + std::to_string(i) + ":" + std::to_string(i + t);
    content += "\n";
  }
  const Dataset data = read("a.svm", content);
  ASSERT_EQ(data.x.stored(), 300000);
  for (Index i = 0; i < 100000; i += 777)
    EXPECT_EQ(data.x.row(2).values[static_cast<std::size_t>(i)], static_cast<double>(i + 3));
}

}  // namespace
}  // namespace medlar
