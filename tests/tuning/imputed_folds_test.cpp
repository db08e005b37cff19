// Cells without a value: a fold fills them by the means of what it fits, and knows nothing of what it leaves out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>

#include "medlar/folds.hpp"
#include "medlar/io.hpp"
#include "medlar/selection.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

// As a file has them: numbers with gaps, a category between them, weights.
Dataset read_gaps(const std::string& text, ValuePrecision precision = ValuePrecision::doubles) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("medlar-gaps-{}.csv", ::getpid());
  std::ofstream(file) << text;
  ReadOptions options;
  options.target = "y";
  options.missing = "mean";
  options.weights = "w";
  options.precision = precision;
  Dataset data = read_dataset(file.string(), options);
  std::filesystem::remove(file);
  return data;
}

double value_at(const Dataset& data, Index t, Index feature) {
  double found = 0;
  for_each(data.x.row(t), [&](Index i, double value) { found = i == feature ? value : found; });
  return found;
}

TEST(ImputedFolds, FillByTheMeansOfWhatIsFitted) {
  for (const ValuePrecision precision : {ValuePrecision::doubles, ValuePrecision::floats}) {
    const Dataset data =
        read_gaps("a,kind,b,w,y\n1,p,10,1,0\n,q,20,2,1\n3,p,,1,0\n5,r,40,3,1\n,p,50,1,1\n100,q,-70,1,0\n", precision);
    ASSERT_EQ(data.imputed.size(), 3u);  // a in rows 1 and 4, b in row 2
    const Index b = 4;                   // behind a and three kinds
    const std::vector<Index> fitted_rows{4, 0, 2, 3}, left_rows{1, 5};
    const Dataset fitted = fitted_part(data, fitted_rows), left = left_out_part(data, left_rows, fitted);
    const double a_mean = (1.0 + 3 + 5 * 3) / 5, b_mean = (50.0 + 10 + 40 * 3) / 5;
    EXPECT_NEAR(value_at(fitted, 0, 0), a_mean, 1e-6);
    EXPECT_EQ(value_at(fitted, 1, 0), 1);
    EXPECT_NEAR(value_at(fitted, 2, b), b_mean, 1e-6);
    EXPECT_NEAR(value_at(left, 0, 0), a_mean, 1e-6);
    EXPECT_EQ(value_at(left, 1, 0), 100);
    EXPECT_EQ(value_at(left, 1, b), -70);
    EXPECT_EQ(value_at(left, 0, 2), 1);  // its kind is untouched
    EXPECT_EQ(fitted.x.are_floats(), precision == ValuePrecision::floats);
    EXPECT_NEAR(*left.schema.columns[2].fill, b_mean, 1e-6);
    EXPECT_EQ(value_at(fitted_part(fitted, std::vector<Index>{0}), 0, 0), 0);  // no example has a value
  }
}

TEST(ImputedFolds, MayBeSparse) {
  std::string text = "w,y";
  for (int i = 0; i < 12; ++i) text += fmt::format(",x{}", i);
  for (int t = 0; t < 8; ++t) {
    text += fmt::format("\n1,{}", t % 2);
    for (int i = 0; i < 12; ++i) text += i == t ? ",3" : i == 8 && t < 3 ? "," : i == 8 && t > 5 ? ",-6" : ",0";
  }
  const Dataset data = read_gaps(text + "\n");
  ASSERT_TRUE(data.x.is_sparse());
  const std::vector<Index> first{0, 1, 2, 3, 4, 5}, second{0, 6, 3};
  const Dataset zero = fitted_part(data, first), some = fitted_part(data, second);
  EXPECT_EQ(value_at(zero, 0, 8), 0);
  EXPECT_EQ(value_at(zero, 2, 2), 3);
  EXPECT_EQ(value_at(some, 0, 8), -3);
  EXPECT_EQ(value_at(some, 0, 0), 3);
  EXPECT_EQ(value_at(left_out_part(data, first, some), 1, 8), -3);
}

// The fits of a fold stay the same to the last bit, whatever the examples hold that it leaves out.
TEST(ImputedFolds, AFitKnowsNothingOfWhatIsLeftOut) {
  const auto fitted_with = [](double elsewhere) {
    std::string text = "a,b,w,y\n";
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (int t = 0; t < 40; ++t) {
      const double a = normal(random), b = normal(random);
      const bool left_out = t >= 30;
      text += fmt::format("{},{},1,{}\n", left_out ? elsewhere : a, t % 4 == 0 ? "" : fmt::format("{}", b),
                          a + b > 0 ? 1 : 0);
      if (t % 5 == 1 && !left_out) text += fmt::format(",{},1,{}\n", b, b > 0 ? 1 : 0);
    }
    const Dataset data = read_gaps(text);
    Fold fold;
    for (Index t = 0; t < data.examples(); ++t) (t < data.examples() - 10 ? fold.fitted : fold.left_out).push_back(t);
    TuneOptions how;
    how.given = {fold, fold};
    std::mutex mutex;
    std::vector<double> coefficients;
    const Measure measure = [&](const Model& model, const Dataset&) {
      const std::lock_guard guard(mutex);
      coefficients = {model.features[0].coefficient, model.features[1].coefficient, model.bias};
      return Measured{"none", 0, true};
    };
    tune(data, {}, std::vector<TuneCandidate>{{0.1, {}, {}, {}}}, how, measure);
    return coefficients;
  };
  const std::vector<double> near = fitted_with(0.5);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near, fitted_with(1000));
}

}  // namespace
}  // namespace medlar
