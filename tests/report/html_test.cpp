// The page about a model: self-contained, with the model's own numbers, whatever its names are.
#include "medlar/html.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "medlar/metrics.hpp"
#include "medlar/report/html_text.hpp"
#include "medlar/report/page_data.hpp"
#include "models/models.hpp"

namespace medlar {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The numbers inside the page.
PageJson data_of(const std::string& page) {
  const std::string open = "<script id=\"medlar-data\" type=\"application/json\">";
  const auto begin = page.find(open) + open.size();
  return PageJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

Dataset labelled(const std::vector<double>& x, const std::vector<double>& y) {
  Dataset data;
  data.source = "new.csv";
  data.x = Matrix::dense(static_cast<Index>(x.size()), 1, Numbers(std::vector<double>(x)));
  data.target = {true, true, y, {}, {}};
  return data;
}

TEST(Html, TextIsEscaped) {
  EXPECT_EQ(html_escaped("<a href=\"x\">&'\x1b"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39; ");
}

TEST(Html, NamesAreTextWhateverTheyHold) {
  Model model = tests::awkward_model();
  const std::vector<std::string> names{"</script><script>alert(1)</script>", "<!-- \" ' & \\ \n",
                                       std::string(10000, 'x'), "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xf0\x9f\x90\xbf"};
  for (std::size_t i = 0; i < names.size(); ++i) model.features[i].name = names[i];
  model.labels[1] = "<img src=x onerror=alert(1)>";
  const std::string page = html_report(model);
  EXPECT_EQ(count(page, "<script"), 2);
  EXPECT_EQ(count(page, "</script"), 2);
  EXPECT_EQ(page.find("<img"), page.npos);
  const PageJson data = data_of(page);
  EXPECT_EQ(data["labels"][1], model.labels[1]);
  for (const std::string& name : names) {
    const auto& listed = data["features"]["name"];
    EXPECT_NE(std::find(listed.begin(), listed.end(), name), listed.end()) << name.substr(0, 40);
  }
}

TEST(Html, BytesThatAreNoTextDoNotBreakThePage) {
  Model model = tests::awkward_model();
  model.features[0].name = "a\xff\xfe";
  EXPECT_NO_THROW(data_of(html_report(model)));
}

TEST(Html, FetchesNothing) {
  const std::string page = html_report(tests::awkward_model());
  EXPECT_NE(page.find("default-src 'none'"), page.npos);
  for (const char* from : {" src=", "@import", "url(http", "<link"}) EXPECT_EQ(page.find(from), page.npos) << from;
}

TEST(Html, NumbersAreTheModels) {
  const Model model = tests::awkward_model();
  const PageJson data = data_of(html_report(model));
  EXPECT_EQ(data["selected"], model.selected());
  EXPECT_EQ(data["bias"], model.bias);
  EXPECT_EQ(data["certificate"]["objective"], model.report.objective);
  EXPECT_TRUE(data["certificate"]["primal"].is_null());  // infinite
  EXPECT_EQ(data["certificate"]["status"], "limit");
  EXPECT_EQ(data["certificate"]["trace"]["primal"], PageJson({7.7, 7.6}));
  EXPECT_EQ(data["hard"]["row"], PageJson({4, 7, 1}));
  EXPECT_EQ(data["hard"]["multiplier"], PageJson({2.5, 0.1, -1e-17}));
  EXPECT_EQ(data["features"]["name"], PageJson({"caf\xc3\xa9", "colour=red", "colour=blue", "age"}));
  EXPECT_EQ(data["features"]["coefficient"], PageJson({std::nextafter(1.0, 2.0), -1.0, 0.5, -1.0 / 3}));
  EXPECT_EQ(data["features"]["group"], PageJson({"", "colour", "colour", ""}));
  EXPECT_EQ(data["coefficients"]["value"], PageJson({-1.0, -1.0 / 3, 0.5, std::nextafter(1.0, 2.0)}));
  EXPECT_FALSE(data.contains("data"));
}

TEST(Html, HasTheTopFeaturesOnlyAndTheirNumberInAll) {
  Model model = tests::plain_model(std::vector<Feature>(100000, {"a feature", 0.25, 1e-3, 0.5, -1}));
  model.features[777] = {"the one", 0.75, 2, 0.5, -1};
  const std::string page = html_report(model);
  EXPECT_LT(page.size(), 2000000u);
  const PageJson data = data_of(page);
  EXPECT_EQ(data["total"], 100000);
  EXPECT_EQ(data["features"]["name"].size(), 5000u);
  EXPECT_EQ(data["features"]["name"][0], "the one");
  EXPECT_LE(data["coefficients"]["value"].size(), 401u);
  EXPECT_EQ(data["coefficients"]["value"].back(), 2);
}

TEST(Html, ThresholdsHoldTheModelsOwnConfusion) {
  std::mt19937 random(5);
  std::vector<double> x, y;
  for (int t = 0; t < 3000; ++t) {
    y.push_back(static_cast<double>(random() % 2));
    x.push_back(static_cast<double>(random() % 2000) / 1000 - 1.3 + 0.7 * y.back());
  }
  const Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  const Dataset data = labelled(x, y);
  const PageJson said = data_of(html_report(model, &data))["data"]["two_classes"];
  const PageJson& thresholds = said["thresholds"];
  const auto own = thresholds["own"].get<std::size_t>();
  EXPECT_LE(thresholds["threshold"].size(), 401u);
  EXPECT_EQ(thresholds["true_positive"][own], said["confusion"]["true_positive"]);
  EXPECT_EQ(thresholds["false_positive"][own], said["confusion"]["false_positive"]);
  EXPECT_EQ(thresholds["precision"][own], said["metrics"]["precision"]);
  EXPECT_GT(thresholds["threshold"][own].get<double>(), 0);
  EXPECT_LE(thresholds["threshold"][own + 1].get<double>(), 0);
  const Comparison compared = compare(model, data);
  EXPECT_EQ(said["metrics"]["auc"], classification_metrics(compared.predicted, compared.y).auc);
  Index binned = 0;
  for (const char* side : {"negative", "positive"}) {
    for (const auto& each : said["scores"][side]) binned += each.get<Index>();
  }
  EXPECT_EQ(binned, 3000);
}

TEST(Html, OneClassHasNoAreaAndARegressionHasResiduals) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  Dataset data = labelled({1, 2, -1, -2}, {1, 1, 1, 1});
  EXPECT_TRUE(data_of(html_report(model, &data))["data"]["two_classes"]["metrics"]["auc"].is_null());
  model.task = Task::regress;
  model.labels.clear();
  const PageJson said = data_of(html_report(model, &data))["data"]["regression"];
  EXPECT_EQ(said["truth"], PageJson({1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(said["predicted"], PageJson({1.0, 2.0, -1.0, -2.0}));
}

TEST(Html, AnExplainedRowAddsUpToItsScore) {
  const Model model = tests::plain_model({{"a", 1, 1.5, 0.5, -1}}, 0.25);
  const Dataset data = labelled({1, 2, -1, 0}, {1, 1, 0, 0});
  const PageJson said = data_of(html_report(model, &data))["data"]["explained"];
  ASSERT_EQ(said["rows"].size(), 4u);
  EXPECT_EQ(said["names"], PageJson({"a"}));
  for (const auto& row : said["rows"]) {
    double score = row["bias"].get<double>() + row["added_by_others"].get<double>();
    for (const auto& each : row["largest"]) score += each[2].get<double>();
    EXPECT_EQ(score, row["score"].get<double>());
  }
}

TEST(Html, TellsByWhichCurveTheProbabilitiesAre) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  EXPECT_FALSE(data_of(html_report(model)).contains("recalibration"));
  Recalibration curve;
  curve.kind = CurveKind::platt, curve.folds = 7, curve.slope = 2;
  curve.before = {0.25, 0.75, 0.125, {{0.1, 0.2, 30, 0.15, 0.5, 0.09}}};
  curve.after = {0.2, 0.5, 0.0625, {{0.1, 0.2, 10, 0.15, 0.25, 0.14}, {0.5, 0.6, 20, 0.55, 0.5, 0.11}}};
  model.recalibration = curve;
  const PageJson said = data_of(html_report(model))["recalibration"];
  EXPECT_EQ(said["kind"], "platt");
  EXPECT_EQ(said["folds"], 7);
  EXPECT_EQ(said["before"]["brier"], 0.25);
  EXPECT_EQ(said["before"]["bins"][0]["observed"], 0.5);
  EXPECT_EQ(said["after"]["log_loss"], 0.5);
  EXPECT_EQ(said["after"]["error"], 0.0625);
  ASSERT_EQ(said["after"]["bins"].size(), 2u);
  EXPECT_EQ(said["after"]["bins"][1], PageJson({{"low", 0.5},
                                                {"high", 0.6},
                                                {"examples", 20},
                                                {"predicted", 0.55},
                                                {"observed", 0.5},
                                                {"standard_error", 0.11}}));
}

TEST(Html, TellsWhichCandidatesTheRaceDropped) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  Tuning tuned;
  tuned.metric = "auc", tuned.folds = 5, tuned.higher_is_better = true;
  tuned.scores = {{{1e-3, {}, {}, {}}, {0.8, 0.8, 0.8, 0.8, 0.8}, 0.8, 0, 1, true, false},
                  {{1, {}, 0.5, Ranking{1e-5, 0.25, 3}}, {0.9, 0.9, 0.9}, 0.9, 0, 1, true, true}};
  model.tuning = tuned;
  const PageJson said = data_of(html_report(model))["tuning"]["candidates"];
  EXPECT_EQ(said[0]["dropped"], false);
  EXPECT_EQ(said[0]["measured"], 5);
  EXPECT_FALSE(said[0].contains("ranking"));
  EXPECT_EQ(said[1]["dropped"], true);
  EXPECT_EQ(said[1]["measured"], 3);
  EXPECT_EQ(said[1]["ranking"], PageJson({{"p0", 1e-5}, {"prior_variance", 0.25}}));
}

TEST(Html, TellsHowManyDiscoveriesARateNeeds) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  model.discoveries.emplace().statistic = {0.5};
  model.discoveries->fdr = 0.15;
  const PageJson said = data_of(html_report(model));
  EXPECT_EQ(said["selected"], 0);
  EXPECT_EQ(said["trust"]["discoveries"]["fewest"], 7);
  EXPECT_TRUE(said["trust"]["discoveries"]["threshold"].is_null());
}

TEST(Thinned, KeepsBothEndsAndNoMoreThanAsked) {
  EXPECT_EQ(thinned(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(thinned(9, 3), (std::vector<std::size_t>{0, 4, 8}));
  EXPECT_TRUE(thinned(0, 3).empty());
}

}  // namespace
}  // namespace medlar
