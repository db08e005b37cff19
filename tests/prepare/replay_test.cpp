// A schema recorded at training reads further files alike.
#include "data/support.hpp"

namespace medlar {
namespace {

class RecordedSchema : public DataTest {
 protected:
  RecordedSchema() : trained(read("t.csv", "a,kind,b,y\n1,u,5,0\n?,v,6,1\n4,w,7,0\n", {.missing = "mean"})) {
    options.schema = &trained.schema;
    options.target_required = false;
  }
  Dataset trained;
  ReadOptions options;
};

TEST_F(RecordedSchema, MatchesColumnsByNameInAnyOrder) {
  const Dataset data = read("p.csv", "extra,b,y,kind,a\ntext,50,1,v,10\nmore,60,0,u,20\n", options);
  EXPECT_EQ(data.names, trained.names);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{10, 0, 1, 0, 50}));
  EXPECT_EQ(data.target.values, (Doubles{1, 0}));
  EXPECT_EQ(data.schema, trained.schema);
}

TEST_F(RecordedSchema, DoesWithoutATargetUnlessItIsNeeded) {
  const std::string content = "a,kind,b\n10,v,50\n";
  EXPECT_FALSE(read("p.csv", content, options).target.present);
  options.target_required = true;
  EXPECT_EQ(refusal("p.csv", content, options),
            "p.csv: the target column 'y' is not there; name another with --target or give a file with --target-file");
  options.target_file = folder.write("p.labels", "1\n");
  EXPECT_EQ(read("p.csv", content, options).target.values, Doubles{1});
}

TEST_F(RecordedSchema, CountsUnseenAndMissingCategoriesAsNone) {
  const Dataset data = read("p.csv", "a,kind,b\n1,z,5\n2,,6\n3,z,7\n", options);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{1, 0, 0, 0, 5}));
  EXPECT_EQ(row_of(data.x, 1), (Doubles{2, 0, 0, 0, 6}));
  EXPECT_TRUE(noted(data, "column 'kind': 2 values such as 'z' not seen in training, counted as none of its levels"));
  EXPECT_TRUE(noted(data, "column 'kind': 1 missing value counted as none of its levels"));
}

TEST_F(RecordedSchema, ReadsACategoryOfDigitsAsText) {
  const Dataset digits = read("t.csv", "kind,x,y\n1,5,0\n2,6,1\nx,7,0\n");
  options.schema = &digits.schema;
  EXPECT_EQ(row_of(read("p.csv", "kind,x\n2,8\n", options).x, 0), (Doubles{0, 1, 0, 8}));
}

TEST_F(RecordedSchema, FillsGapsWithTheTrainingMean) {
  const Dataset data = read("p.csv", "a,kind,b\nNA,u,\n100,u,200\n", options);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{2.5, 1, 0, 0, 6}));
  EXPECT_TRUE(noted(data, "column 'a': 1 missing value replaced by the training mean 2.5"));
  trained.schema.columns[0].fill.reset();
  EXPECT_EQ(refusal("p.csv", "a,kind,b\nNA,u,1\n", options),
            "p.csv:2:1: column 'a' has no value here (NA); the model was trained without --missing mean and has no "
            "value to fill in");
}

TEST_F(RecordedSchema, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal("p.csv", "a,y\n1,2\n", options), "p.csv: 2 of the model's 3 columns missing: 'kind', 'b'");
  EXPECT_EQ(refusal("p.csv", "a,kind,b\nlarge,u,1\n", options),
            "p.csv:2:1: column 'a' holds 'large', but the model wants a number there");
  EXPECT_EQ(
      refusal("p.svm", "1 1:2\n", options),
      "p.svm: it is read as svmlight, but the model was trained on csv; bring it into that form with medlar convert");
  Dataset many;
  many.schema.format = "csv";
  for (int i = 0; i < 9; ++i) many.schema.columns.push_back({"c" + std::to_string(i), {}, {}});
  options.schema = &many.schema;
  EXPECT_EQ(refusal("p.csv", "c8,y\n1,2\n", options),
            "p.csv: 8 of the model's 9 columns missing: 'c0', 'c1', 'c2', 'c3', 'c4' and 3 more");
}

TEST_F(RecordedSchema, GoesByPositionWithoutAHeader) {
  const Dataset bare = read("t.csv", "9,1,u\n8,2,v\n7,3,u\n", {.target = "1"});
  EXPECT_EQ(bare.names, (Strings{"x2", "x3=u", "x3=v"}));
  options.schema = &bare.schema;
  EXPECT_EQ(row_of(read("p.csv", "0,5,v\n", options).x, 0), (Doubles{5, 0, 1}));     // all columns
  EXPECT_EQ(row_of(read("p.csv", "5,v\n6,u\n", options).x, 1), (Doubles{6, 1, 0}));  // features only
  EXPECT_FALSE(read("p.csv", "5,v\n", options).target.present);
  EXPECT_EQ(refusal("p.csv", "5\n", options),
            "p.csv: it has 1 column and no names, but the model needs 2 feature columns; leave those and no others, or "
            "name the columns in a header line (CSV)");
  options.schema = &trained.schema;  // trained with names
  EXPECT_EQ(row_of(read("p.csv", "1,w,2\n", options).x, 0), (Doubles{1, 0, 0, 1, 2}));
}

TEST_F(RecordedSchema, IgnoresSvmlightFeaturesTheModelHasNot) {
  const Dataset small = read("t.svm", "1 1:1 3:2\n-1 2:1\n");
  options.schema = &small.schema;
  const Dataset data = read("p.svm", "1 2:5 4:1 9:1\n-1 1:1\n", options);
  EXPECT_EQ(data.features(), 3);
  EXPECT_EQ(row_of(data.x, 0), (Doubles{0, 5, 0}));
  EXPECT_TRUE(noted(data, "2 values with a feature index above 3 ignored: the model has no such feature"));
  EXPECT_EQ(read("stdin-like", "1\n", options).features(), 3);  // the schema says svmlight where nothing else does
}

}  // namespace
}  // namespace medlar
