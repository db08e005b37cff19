// CSV files as people write them: quotes, delimiters, headers, categories, targets, and what is refused.
#include <cmath>

#include "data/support.hpp"

namespace medlar {
namespace {

class Csv : public DataTest {};

TEST_F(Csv, ReadsNumbersAndTakesTheLastColumnAsTarget) {
  const Dataset data = read("a.csv", "age,height,weight\n31,1.75,70\n42,+1.6,-6.5e1\n");
  EXPECT_EQ(data.names, (Strings{"age", "height"}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{42, 1.6}));
  EXPECT_TRUE(data.target.numeric);
  EXPECT_EQ(data.target.values, (Doubles{70, -65}));
  EXPECT_EQ(data.lines, (std::vector<Index>{2, 3}));
  EXPECT_EQ(data.schema.target, "weight");
  EXPECT_EQ(data.schema.features, 2);
  EXPECT_TRUE(noted(data, "target: column 'weight' (guessed; set it with --target)"));
  EXPECT_TRUE(noted(data, "the first line holds column names: 'age' stands above numbers"));
}

TEST_F(Csv, UnderstandsQuotesDoubledQuotesAndLineEndsInsideThem) {
  const Dataset data = read("a.csv",
                            "\"the \"\"x\"\"\",\"kind, of\nthing\",y\n"
                            "1,\"a,b\",\"2\"\n"
                            "\"3\" , \"say \"\"hi\"\"\nthere\" ,4\n"
                            "5,\" spaced \",6\n");
  EXPECT_EQ(data.names, (Strings{"the \"x\"", "kind, of\nthing= spaced ", "kind, of\nthing=a,b",
                                 "kind, of\nthing=say \"hi\"\nthere"}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{3, 0, 0, 1}));
  EXPECT_EQ(data.target.values, (Doubles{2, 4, 6}));
  EXPECT_EQ(data.lines, (std::vector<Index>{3, 4, 6}));
}

TEST_F(Csv, AcceptsEveryLineEndAByteOrderMarkAndBlankLines) {
  const Dataset data = read("a.csv", "\xef\xbb\xbfx,y\r\n 1 ,\t2 \r\n\r\n3,4\r5,6\n\n  \n7,8");
  EXPECT_EQ(data.names, Strings{"x"});
  EXPECT_EQ(data.target.values, (Doubles{2, 4, 6, 8}));
  EXPECT_EQ(data.lines, (std::vector<Index>{2, 4, 5, 8}));
}

TEST_F(Csv, FindsTheDelimiter) {
  EXPECT_EQ(read("a.csv", "a;b\n1.5;2\n3;4\n").names, Strings{"a"});
  EXPECT_EQ(read("a.csv", "a\tb\n1\t2\n3\t4\n").names, Strings{"a"});
  EXPECT_EQ(read("a.data", "  1 2   3 \n4 5\t6\n").target.values, (Doubles{3, 6}));
  EXPECT_EQ(read("a.tsv", "a\tb c\tlabel\n1\t2,5 x\tu\n3\t4,5 x\tv\n").schema.columns[1].levels,
            (Strings{"2,5 x", "4,5 x"}));
  ReadOptions options;
  options.delimiter = "|";
  EXPECT_EQ(read("a.csv", "a|b\n1|2\n", options).names, Strings{"a"});
  options.delimiter = "||";
  EXPECT_EQ(refusal("a.csv", "a|b\n1|2\n", options), "delimiter = ||, but must be auto, tab, space or one character");
}

TEST_F(Csv, RefusesRaggedLinesByNumber) {
  const std::string remedy =
      "; complete the line, put quotes around a cell that holds the delimiter, or set --delimiter";
  EXPECT_EQ(refusal("a.csv", "a,b,c\n1,2,3\n1,2\n"), "a.csv:3:3: 2 cells, but line 1 has 3" + remedy);
  EXPECT_EQ(refusal("a.csv", "a,b\n\n1,2,3\n"), "a.csv:3:5: 3 cells, but line 1 has 2" + remedy);
}

TEST_F(Csv, RefusesBrokenQuotes) {
  EXPECT_EQ(refusal("a.csv", "a,b\n1,\"2\n3,4\n"), "a.csv:2:3: the quote that opens here is never closed");
  EXPECT_EQ(refusal("a.csv", "a,b\n\"1\"x,2\n3,4\n"),
            "a.csv:2:4: text after the closing quote; a quote inside a quoted cell is written twice");
}

// The rule of csv_header.cpp, case by case.
TEST_F(Csv, TellsAHeaderFromAnExample) {
  EXPECT_EQ(read("a.csv", "1,2,3\n4,5,6\n").examples(), 2);
  EXPECT_EQ(read("a.csv", "1,2,3\n4,5,6\n").names, (Strings{"x1", "x2"}));
  EXPECT_EQ(read("a.csv", "M,0.5,15\nF,0.4,7\nM,0.3,9\n").examples(), 3);  // text above texts
  EXPECT_EQ(read("a.csv", "id,2019,2020\n1,5,6\n2,7,8\n").names, (Strings{"id", "2019"}));
  EXPECT_EQ(read("a.csv", "1,2,class\n5,6,u\n7,8,v\n").names, (Strings{"1", "2"}));  // a usual target
  EXPECT_EQ(read("a.csv", "p,q,r\na,c,u\na,g,v\nc,c,u\na,g,v\n").examples(), 4);     // texts that repeat
  EXPECT_EQ(read("a.csv", "a,c,u\na,g,v\nc,c,u\na,g,v\n").examples(), 4);            // the first line recurs
  EXPECT_EQ(read("a.csv", "?,2\n1,3\n", {.missing = "mean"}).examples(), 2);         // a gap is no name
  ReadOptions options;
  options.header = "no";
  EXPECT_EQ(read("a.csv", "p,q\na,c\na,g\n", options).examples(), 3);
  options.header = "yes";
  EXPECT_EQ(read("a.csv", "1,2\n3,4\n", options).names, Strings{"1"});
  options.header = "perhaps";
  EXPECT_EQ(refusal("a.csv", "1,2\n", options), "header = perhaps, but must be one of auto, yes, no");
}

TEST_F(Csv, RefusesAMissingValueByPlaceNameAndRemedy) {
  EXPECT_EQ(refusal("a.csv", "age,size,y\n31,1,0\n42,,1\n"),
            "a.csv:3:4: column 'size' has no value here; use --missing mean to fill in the column's mean, --model "
            "generative, which does without it, or leave the "
            "column out with --ignore size");
  for (const std::string word : {"NA", "NaN", "nan", "?", "N/A", "null"}) {
    EXPECT_EQ(
        refusal("a.csv", "age,size,y\n31,1,0\n42," + word + ",1\n"),
        "a.csv:3:4: column 'size' has no value here (" + word +
            "); use --missing mean to fill in the column's mean, --model generative, which does without it, or leave "
            "the column out with --ignore size");
  }
  EXPECT_EQ(refusal("a.csv", "age,kind,y\n31,u,0\n42,NA,1\n"),
            "a.csv:3:4: column 'kind' has no value here (NA); use --missing mean to count it as none of the "
            "categories, --model generative, which does without it, or "
            "leave the column out with --ignore kind");
  EXPECT_EQ(refusal("a.csv", "age,size,y\n31,NA,0\n42,,1\n"),
            "a.csv: column 'size' holds no value at all; leave it out with --ignore size");
  EXPECT_EQ(refusal("a.csv", "x,y\n1,2\n", {.missing = "zero"}),
            "missing = zero, but must be one of auto, refuse, mean, keep");
}

TEST_F(Csv, FillsInTheMeanAndRecordsIt) {
  const Dataset data = read("a.csv", "a,kind,b,y\n1,u,5,0\nNA,,6,1\n4,v,7,0\n", {.missing = "mean"});
  EXPECT_EQ(data.names, (Strings{"a", "kind=u", "kind=v", "b"}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{2.5, 0, 0, 6}));
  EXPECT_EQ(data.schema.columns[0].fill, 2.5);
  EXPECT_EQ(data.schema.columns[2].fill, 6.0);  // no gap here, but prediction may meet one
  EXPECT_TRUE(noted(data, "column 'a': 1 missing value replaced by the mean 2.5"));
  EXPECT_TRUE(noted(data, "column 'kind': 1 missing value counted as none of its 2 levels"));
}

TEST_F(Csv, RefusesWhatIsNotFinite) {
  EXPECT_EQ(refusal("a.csv", "a,y\n1,2\ninf,3\n"),
            "a.csv:3:1: column 'a' holds inf, but a value must be a finite number; write NA where it is not known");
  EXPECT_EQ(refusal("a.csv", "a,y\n1,2\n1e999,3\n"),
            "a.csv:3:1: column 'a' holds 1e999, but a value must be a finite number; write NA where it is not known");
  EXPECT_EQ(refusal("a.csv", "a,y\n1,2\n1,-inf\n"), "a.csv:3:3: target -inf, but a target must be a finite number");
  EXPECT_EQ(read("a.csv", "a,y\n1e-400,2\n1,3\n").x.values()[0], 0);
}

TEST_F(Csv, CodesCategoriesByLevelAndGroupsThemByColumn) {
  const Dataset data = read("a.csv", "a,sex,b,y\n1,M,5,0\n2,F,6,1\n3,I,7,0\n4,M,8,1\n");
  EXPECT_EQ(data.names, (Strings{"a", "sex=F", "sex=I", "sex=M", "b"}));
  EXPECT_EQ(data.group_of, (std::vector<Index>{0, 1, 1, 1, 2}));
  EXPECT_EQ(data.group_names, (Strings{"a", "sex", "b"}));
  EXPECT_EQ(row_of(data.x, 0), (Doubles{1, 0, 0, 1, 5}));
  EXPECT_EQ(data.schema.columns[1].levels, (Strings{"F", "I", "M"}));
}

TEST_F(Csv, RefusesIdentifiersAsCategories) {
  std::string many = "name,x,y\n", commas = "name;x;y\n";
  for (int t = 0; t < 65; ++t) many += "n" + std::to_string(t) + ",1,2\n";
  for (int t = 0; t < 65; ++t) commas += std::to_string(t) + ",5;1;2\n";
  EXPECT_EQ(
      refusal("a.csv", many),
      "a.csv:2:1: column 'name' has 65 different texts in 65 rows, such as 'n0' here; an identifier or free text is no "
      "category, leave it out with --ignore name");
  EXPECT_EQ(
      refusal("a.csv", commas),
      "a.csv:2:1: column 'name' has 65 different texts in 65 rows, such as '0,5' here; write decimals with a point, or "
      "leave it out with --ignore name");
  EXPECT_EQ(read("a.csv", many, {.ignore = {"name"}}).names, Strings{"x"});
  for (int t = 0; t < 65; ++t) many += "n" + std::to_string(t) + ",1,2\n";  // now half of the rows
  EXPECT_EQ(read("a.csv", many).features(), 66);
}

TEST_F(Csv, FindsTheTargetByItsUsualNameOrAsToldTo) {
  const std::string content = "a,Class,b\n1,u,2\n3,v,4\n5,u,6\n";
  Dataset data = read("a.csv", content);
  EXPECT_EQ(data.schema.target, "Class");
  EXPECT_FALSE(data.target.numeric);
  EXPECT_EQ(data.target.labels, (Strings{"u", "v"}));
  EXPECT_EQ(data.target.codes, (std::vector<Column>{0, 1, 0}));
  data = read("a.csv", content, {.target = "b"});
  EXPECT_EQ(data.target.values, (Doubles{2, 4, 6}));
  EXPECT_FALSE(noted(data, "guessed; set it with --target"));
  EXPECT_EQ(read("a.csv", "type,label,b\n1,2,2\n3,4,4\n").schema.target, "b");  // two usual names: the last column
  EXPECT_EQ(read("a.csv", "7,1,2\n8,3,4\n", {.target = "1"}).target.values, (Doubles{7, 8}));
  EXPECT_EQ(refusal("a.csv", content, {.target = "clas"}),
            "a.csv: target = clas, but there is no such column; did you mean 'Class'? Known are a, Class, b");
  EXPECT_EQ(refusal("a.csv", content, {.target = "2"}),
            "a.csv: target = 2, but there is no such column; known are a, Class, b");
  EXPECT_EQ(refusal("a.csv", "7,1,2\n8,3,4\n", {.target = "4"}),
            "a.csv: target = 4, but the file has no column names; give a number from 1 to 3");
}

TEST_F(Csv, KeepsExamplesWithoutATargetAndSaysSo) {
  const Dataset numbers = read("a.csv", "x,y\n1,2\n3,\n5,6\n");
  EXPECT_TRUE(std::isnan(numbers.target.values[1]));
  EXPECT_TRUE(noted(numbers, "1 of 3 examples have no target"));
  const Dataset texts = read("a.csv", "x,y\n1,u\n3,NA\n5,v\n");
  EXPECT_EQ(texts.target.codes, (std::vector<Column>{0, -1, 1}));
  EXPECT_EQ(refusal("a.csv", "x,y\n1,\n3,?\n"),
            "a.csv: no example has a target; name its column with --target or give a file with --target-file");
}

TEST_F(Csv, TakesWeightsAndLeavesColumnsOut) {
  const Dataset data = read("a.csv", "id,x,w,y\n1,10,0.5,1\n2,20,0,2\n", {.weights = "w", .ignore = {"id"}});
  EXPECT_EQ(data.names, Strings{"x"});
  EXPECT_EQ(data.weights, Doubles{0.5});  // a row of weight 0 is as good as none
  EXPECT_TRUE(noted(data, "1 row of weight 0 left out"));
  EXPECT_EQ(data.schema.weights, "w");
  const std::string content = "x,w,y\n1,1,2\n3,-1,4\n";
  EXPECT_EQ(refusal("a.csv", content, {.weights = "w"}),
            "a.csv:3:3: weight '-1' in column 'w', but a weight must be a finite number >= 0");
  EXPECT_EQ(refusal("a.csv", "x,w,y\n1,1,2\n3,,4\n", {.weights = "w"}),
            "a.csv:3:3: weight '' in column 'w', but a weight must be a finite number >= 0");
  EXPECT_EQ(refusal("a.csv", "x,w,y\n1,0,2\n3,0,4\n", {.weights = "w"}), "a.csv: every weight in column 'w' is zero");
  EXPECT_EQ(refusal("a.csv", content, {.weights = "v"}),
            "a.csv: weights = v, but there is no such column; known are x, w, y");
  EXPECT_EQ(refusal("a.csv", content, {.ignore = {"z"}}),
            "a.csv: ignore = z, but there is no such column; known are x, w, y");
  EXPECT_EQ(refusal("a.csv", content, {.target = "w", .weights = "w"}),
            "target = w, but that column already has another use");
  EXPECT_EQ(refusal("a.csv", content, {.ignore = {"x", "w"}}), "a.csv: no column is left for features");
}

TEST_F(Csv, TakesTargetsFromAFileOfTheirOwn) {
  ReadOptions options;
  options.target_file = folder.write("a.labels", "1\n-1\n\n1\n\n");
  const Dataset data = read("a.data", "1 2\n3 4\n5 6\n7 8\n", options);
  EXPECT_EQ(data.features(), 2);
  EXPECT_EQ(data.target.values[1], -1);
  EXPECT_TRUE(std::isnan(data.target.values[2]));
  EXPECT_EQ(data.schema.target, "");
  EXPECT_EQ(refusal("a.data", "1 2\n3 4\n", options),
            "a.labels: it holds 4 targets, but a.data holds 2 examples; one target per line is wanted");
  options.target = "1";
  EXPECT_NE(refusal("a.data", "1 2\n3 4\n", options).find("only one of them can be the target"), std::string::npos);
}

TEST_F(Csv, RefusesTheSameNameTwiceUnlessItIsLeftOut) {
  EXPECT_EQ(refusal("a.csv", "a,b,a,y\n1,2,3,4\n"),
            "a.csv: columns 1 and 3 are both called 'a'; rename one or leave both out with --ignore 'a'");
  EXPECT_EQ(read("a.csv", "a,b,a,y\n1,2,3,4\n5,6,7,8\n", {.ignore = {"a"}}).names, Strings{"b"});
}

TEST_F(Csv, StoresSparselyWhenUnderAThirdIsNonZero) {
  std::string sparse = "a,b,c,d,e,f,g,h,y\n", dense = sparse;
  for (int t = 0; t < 9; ++t) {
    sparse += "1,0,0,0,0,0,0,2,1\n";
    dense += "1,3,4,0,0,0,0,2,1\n";
  }
  EXPECT_TRUE(read("a.csv", sparse).x.is_sparse());
  EXPECT_EQ(read("a.csv", sparse).x.stored(), 18);
  EXPECT_EQ(row_of(read("a.csv", sparse).x, 3), (Doubles{1, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_FALSE(read("a.csv", dense).x.is_sparse());
  EXPECT_FALSE(read("a.csv", "a,b,y\n0,0,1\n0,1,2\n").x.is_sparse());  // fewer than 8 features
}

TEST_F(Csv, DropsTheEmptyColumnThatAClosingDelimiterMakes) {
  const Dataset data = read("a.csv", "a,b,\n1,2,\n3,4,\n");
  EXPECT_EQ(data.schema.target, "b");
  EXPECT_TRUE(noted(data, "column 3 is empty and has no name; it is left out"));
}

TEST_F(Csv, RefusesEmptyAndBinaryFilesInWords) {
  EXPECT_EQ(refusal("a.csv", ""), "a.csv: the file is empty");
  EXPECT_EQ(refusal("a.csv", " \n\n"), "a.csv: the file is empty");
  EXPECT_EQ(refusal("a.csv", "a,b,class\n"),
            "a.csv: the file holds column names and no example; if its one line is an example use --header no");
  EXPECT_EQ(refusal("a.csv", "p,q,r\n"),
            "a.csv: the file holds column names and no example; if its one line is an example use --header no");
  EXPECT_EQ(refusal("a.csv", std::string("a,b\n1,\0002\n", 9)),
            "a.csv:2:3: a zero byte; this is a binary file and no text");
  EXPECT_EQ(refusal("a.csv", std::string("\xff\xfe"
                                         "a\0,\0",
                                         6)),
            "a.csv: this is UTF-16 text; convert it, for example with iconv -f utf-16 -t utf-8");
  EXPECT_EQ(
      refusal("a.csv", "x,y\n1,M\xfcnchen\n2,Bonn\n"),
      "a.csv:2:3: the text 'M\\xfcnchen' is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8");
  EXPECT_EQ(refusal("a.csv", "x,gr\xfcn,y\n1,2,3\n"),
            "a.csv:1:3: the text 'gr\\xfcn' is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8");
  EXPECT_EQ(read("a.csv", "x,y\n1,M\xc3\xbcnchen\n2,Bonn\n").target.labels[1], "M\xc3\xbcnchen");
  EXPECT_EQ(refusal_of(folder.path("none.csv")), "none.csv: cannot open it: No such file or directory");
  std::filesystem::create_directory(folder.path("d.csv"));
  EXPECT_EQ(refusal_of(folder.path("d.csv")), "d.csv: this is a directory; name a file in it");
}

}  // namespace
}  // namespace medlar
