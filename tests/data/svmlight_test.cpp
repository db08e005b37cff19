// svmlight / LIBSVM files.
#include <cmath>

#include "data/support.hpp"
#include "medlar/data/memory.hpp"

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
            "a.svm:1:3: feature index 99999999999999999999 is above 2147483647, the largest there can be; renumber the "
            "features");
  EXPECT_EQ(refusal("a.svm", "1 2147483648:1\n"),
            "a.svm:1:3: feature index 2147483648 is above 2147483647, the largest there can be; renumber the features");
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

TEST_F(Svmlight, RefusesMoreFeaturesThanTheMachineCanName) {
  if (machine_memory() > 4e11) GTEST_SKIP() << "this machine could name them";
  EXPECT_NE(refusal("a.svm", "1 2147483647:1\n").find("naming 2147483647 features would take about 214.7 GB"),
            std::string::npos);
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
