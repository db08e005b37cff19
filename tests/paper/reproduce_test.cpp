// The paper's exhibits: what they are made of, and that verdicts follow from numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/paper/least_squares.hpp"
#include "medlar/paper/splits.hpp"

namespace medlar {
namespace {

PaperOptions quick() {
  PaperOptions options;
  options.splice = MEDLAR_DATA "/splice.csv";
  options.boston = MEDLAR_DATA "/boston.csv";
  options.quick = true;
  options.threads = 1;
  return options;
}

TEST(Reproduce, NamesAreThePapers) {
  const auto names = exhibit_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 11u);
  EXPECT_THROW(reproduce("figure10", quick()), OptionError);
  PaperOptions one = quick();
  one.splits = 1;
  EXPECT_THROW(reproduce("figure1", one), OptionError);
}

TEST(Reproduce, FormulasAgreeWithTheirIntegrals) {
  for (const char* name : {"figure1", "figure2"}) {
    const auto exhibit = reproduce(name, quick());
    EXPECT_EQ(exhibit->claims[0].verdict, "holds") << exhibit->claims[0].evidence;
    EXPECT_EQ(exhibit->charts.size(), 3u);
  }
}

TEST(Reproduce, TheTransitionIsTheCorrectedOne) {
  const auto exhibit = reproduce("figure5", quick());
  for (const auto& row : exhibit->tables[0].rows) {
    EXPECT_NEAR(*row.values[2], 0.5, 1e-12);
    EXPECT_LT(*row.values[3], 0.4);
  }
  EXPECT_EQ(exhibit->claims[0].verdict, "holds");
  EXPECT_TRUE(exhibit->claims[1].verdict.starts_with("holds only when"));
}

TEST(Reproduce, SincIsFollowedWithoutNoiseAndWithIt) {
  const auto exhibit = reproduce("sinc", quick());
  EXPECT_EQ(exhibit->name, "figure3");
  EXPECT_LT(*exhibit->tables[0].rows[0].values[0], 0.1);
  EXPECT_EQ(exhibit->claims[0].verdict, "holds") << exhibit->claims[0].evidence;
}

TEST(Reproduce, EveryClaimNamesItsSource) {
  for (const char* name : {"figure1", "figure2", "figure3", "figure5", "figure7", "figure9"}) {
    const auto exhibit = reproduce(name, quick());
    for (const Claim& claim : exhibit->claims) {
      const bool known = claim.source.starts_with("section ") || claim.source.starts_with("eq. ") ||
                         claim.source.starts_with("abstract: ") || claim.source == "our question";
      EXPECT_TRUE(known) << name << ": " << claim.paper << " has the source '" << claim.source << "'";
    }
  }
}

TEST(Reproduce, WithoutItsDataTableTwoIsSkippedWithASentence) {
  const auto exhibit = reproduce("table2", quick());
  EXPECT_NE(exhibit->skipped.find("--nci60"), std::string::npos);
  EXPECT_TRUE(exhibit->claims.empty());
}

TEST(Reproduce, AnObserverMayStopIt) {
  struct Stop : Observer {
    bool stop_requested() override { return true; }
  } stop;
  EXPECT_FALSE(reproduce("figure7", quick(), &stop).has_value());
}

TEST(Sample, MeanErrorAndSign) {
  const Sample sample{{1, 2, 3, 6}};
  EXPECT_EQ(sample.mean(), 3);
  EXPECT_NEAR(sample.standard_error(), std::sqrt((4.0 + 1 + 0 + 9) / 3 / 4), 1e-15);
  EXPECT_EQ(sign_of(sample), Sign::positive);
  EXPECT_EQ(sign_of(Sample{{-1, -2, -3, -6}}), Sign::negative);
  EXPECT_EQ(sign_of(Sample{{-1, 2}}), Sign::neither);
  EXPECT_EQ(difference(sample, Sample{{1, 1, 1, 1}}).values, (std::vector<double>{0, 1, 2, 5}));
}

TEST(RandomSplit, IsAPartitionThatItsSeedRepeats) {
  const Dataset data = read_dataset(MEDLAR_DATA "/boston.csv");
  const Split a = random_split(data, 481, 7, 0), b = random_split(data, 481, 7, 0), c = random_split(data, 481, 7, 1);
  EXPECT_EQ(a.training.examples(), 481);
  EXPECT_EQ(a.test.examples(), 25);
  EXPECT_EQ(a.test.target.values, b.test.target.values);
  EXPECT_NE(a.test.target.values, c.test.target.values);
  std::multiset<double> parts(a.training.target.values.begin(), a.training.target.values.end());
  parts.insert(a.test.target.values.begin(), a.test.target.values.end());
  EXPECT_EQ(parts, std::multiset<double>(data.target.values.begin(), data.target.values.end()));
  EXPECT_THROW(random_split(data, 506, 7, 0), DataError);
}

TEST(LeastSquares, RecoversALineAndTakesTheSmallestOfManySolutions) {
  const Matrix x = Matrix::dense(4, 2, {0, 0, 1, 0, 0, 1, 1, 1});
  const auto predicted = least_squares(x, {1, 3, 0, 2}, Matrix::dense(1, 2, {2, 5}));
  EXPECT_NEAR(predicted[0], 1 + 2 * 2 - 5, 1e-12);
  // One example, two equal features and a constant: 3 w = 3 with all weights equal is the smallest.
  EXPECT_NEAR(least_squares(Matrix::dense(1, 2, {1, 1}), {3}, Matrix::dense(1, 2, {1, 0}))[0], 2, 1e-12);
}

TEST(ChartSvg, DrawsEverySeriesInsideItsFrameAndEscapesNames) {
  const Chart chart{
      "c",
      "a < b",
      "x",
      "y",
      {{"one & two", {0, 1, 2}, {0, 5, NAN}, Series::Style::line}, {"dots", {1}, {1}, Series::Style::dots}}};
  const std::string svg = chart_svg(chart);
  EXPECT_NE(svg.find("a &lt; b"), svg.npos);
  EXPECT_NE(svg.find("one &amp; two"), svg.npos);
  EXPECT_NE(svg.find("points=\"62.0,332.0 303.0,58.0 \""), svg.npos) << svg;
  EXPECT_EQ(svg.find("nan"), svg.npos);
}

TEST(PaperPage, HasEveryVerdict) {
  Exhibit exhibit;
  exhibit.name = "table1";
  exhibit.title = "<losses>";
  exhibit.claims = {{"a claim", "holds", "e", "section 9"},
                    {"another", "holds only when x", "e", "abstract"},
                    {"third", "does not hold", "e", "our question"}};
  const std::string page = paper_page(std::vector<Exhibit>{exhibit});
  EXPECT_NE(page.find("Of 3 claims 1 hold, 1 hold only under a condition, 1 do not hold."), page.npos);
  EXPECT_NE(page.find("Table 1: &lt;losses&gt;"), page.npos);
  EXPECT_NE(page.find("badge stalled\">does not hold"), page.npos);
  EXPECT_NE(page.find("section 9"), page.npos);
}

}  // namespace
}  // namespace medlar
