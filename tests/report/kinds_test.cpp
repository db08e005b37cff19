// A page for every kind of model, with data and without, whose numbers are those of the library's own functions.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "medlar/alignment.hpp"
#include "medlar/anomaly.hpp"
#include "medlar/html.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/probable_trees.hpp"
#include "medlar/report/page_data.hpp"
#include "medlar/transformations.hpp"
#include "models/fit_data.hpp"
#include "models/models.hpp"

namespace medlar::test {
namespace {

struct Sort {
  std::string kind;  // of kinds()
  std::vector<std::pair<std::string, std::string>> options;
  bool bits = false, classes = true, targetless = false;
  std::vector<std::string> in_model, in_data;  // parts that its page has
};

const std::vector<Sort> sorts{
    {"linear", {{"p0", "0.1"}}, false, true, false, {"features", "coefficients", "hard"}, {"two_classes", "explained"}},
    {"linear", {{"expand", "quadratic"}}, false, false, false, {"features"}, {"regression", "explained"}},
    {"kernel", {}, false, true, false, {"hard"}, {"two_classes"}},
    {"kernel", {{"task", "regress"}}, false, false, false, {"hard"}, {"regression"}},
    {"generative", {{"family", "gaussian-diagonal"}}, false, true, false, {"features"}, {"two_classes", "explained"}},
    {"generative", {{"family", "tree"}, {"calibration", "left-out"}}, true, true, false, {"trees"}, {"two_classes"}},
    {"generative", {{"task", "anomaly"}}, false, true, true, {"features"}, {"anomaly", "explained"}},
    {"latent", {{"latent", "labels"}, {"p0", "1"}}, false, true, false, {"features"}, {"two_classes", "explained"}},
    {"latent", {{"latent", "shifts:1"}, {"p0", "1"}}, false, true, false, {"template"}, {"latent", "explained"}},
    {"latent",
     {{"latent", "shifts:1"}, {"p0", "1"}, {"latent-mode", "literal"}},
     false,
     true,
     false,
     {"template"},
     {"latent"}},
    {"latent", {{"latent", "alignment:2"}, {"p0", "1"}}, false, true, false, {"features"}, {"latent", "explained"}},
};

Dataset data_for(const Sort& sort) {
  Sample drawn = sample(sort.classes, 40, 5, 11);
  if (sort.bits) {
    for (auto& row : drawn.x) {
      for (double& each : row) each = each > 0 ? 1 : 0;
    }
  }
  Dataset data = dataset(drawn.x, drawn.y);
  if (sort.targetless) data.target = {}, data.schema.target = "";
  return data;
}

Model model_of(const Sort& sort, const Dataset& data) {
  Settings settings;
  set_option(settings, "model", sort.kind);
  settings.tolerance = 1e-4;
  for (const auto& [name, value] : sort.options) set_option(settings, name, value);
  return fit(data, settings);
}

PageJson numbers_in(const std::string& page) {
  const std::string open = "<script id=\"medlar-data\" type=\"application/json\">";
  const auto begin = page.find(open) + open.size();
  return PageJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

const Sort& sort_with(const std::string& name, const std::string& value) {
  for (const Sort& sort : sorts) {
    for (const auto& option : sort.options) {
      if (option == std::pair(name, value)) return sort;
    }
  }
  throw std::logic_error(name);
}

TEST(PageOfKinds, EveryKindHasAPageWithDataAndWithout) {
  for (const Kind& kind : kinds()) {
    EXPECT_TRUE(
        std::any_of(sorts.begin(), sorts.end(), [&](const Sort& sort) { return sort.kind == word_of(kind.model); }))
        << word_of(kind.model) << " is not among the sorts of this test";
  }
  for (const Sort& sort : sorts) {
    const Dataset data = data_for(sort);
    const Model model = model_of(sort, data);
    const std::string name = sort.kind + (sort.options.empty() ? "" : " " + sort.options[0].second);
    const PageJson alone = numbers_in(html_report(model)), judged = numbers_in(html_report(model, &data));
    EXPECT_FALSE(alone.contains("data")) << name;
    EXPECT_EQ(alone["certificate"]["relative_gap"], model.report.relative_gap) << name;
    EXPECT_NE(alone["sentence"].get<std::string>().find(sort.kind), std::string::npos);
    for (const std::string& part : sort.in_model) EXPECT_TRUE(alone.contains(part)) << name << ": " << part;
    for (const std::string& part : sort.in_data) EXPECT_TRUE(judged["data"].contains(part)) << name << ": " << part;
  }
}

TEST(PageOfKinds, OddExamplesAreExplainedByTheirOwnNumbers) {
  const Sort& sort = sort_with("task", "anomaly");
  const Dataset data = data_for(sort);
  const Model model = model_of(sort, data);
  const auto predicted = model.predict(data.x);
  const auto parts = contributions(model, data.x);
  const PageJson said = numbers_in(html_report(model, &data))["data"];
  EXPECT_EQ(said["anomaly"]["threshold"], model.generative->threshold);
  Index odd = 0, binned = 0;
  for (const Prediction& each : predicted) odd += each.label;
  EXPECT_EQ(said["anomaly"]["odd"], odd);
  for (const char* side : {"normal", "odd"}) {
    for (const auto& each : said["anomaly"]["scores"][side]) binned += each.get<Index>();
  }
  EXPECT_EQ(binned, data.examples());
  ASSERT_EQ(said["explained"]["rows"].size(), predicted.size());
  for (const auto& row : said["explained"]["rows"]) {
    const auto t = row["row"].get<std::size_t>() - 1;
    EXPECT_EQ(row["score"], predicted[t].score);
    double sum = row["bias"].get<double>() + row["added_by_others"].get<double>();
    for (const auto& each : row["largest"]) {
      sum += each[2].get<double>();
      const std::string name = said["explained"]["names"][each[0].get<std::size_t>()];
      const auto i = static_cast<std::size_t>(std::stoi(name.substr(1)));
      EXPECT_EQ(each[2], parts[t][i] - model.generative->typical[i]);
    }
    EXPECT_NEAR(sum, predicted[t].score, 1e-9 * (1 + std::abs(sum)));
  }
}

TEST(PageOfKinds, AFarExampleDoesNotFlattenTheHistogram) {
  const Sort& sort = sort_with("task", "anomaly");
  Dataset data = data_for(sort);
  const Model model = model_of(sort, data);
  Rows rows(41, std::vector<double>(5, 0.0));
  for (double& each : rows[40]) each = 1e4;
  const PageJson scores = anomaly_part(model, model.predict(dense(rows)))["scores"];
  EXPECT_EQ(scores["below"], 1);
  EXPECT_EQ(scores["odd"][0], 1);
  EXPECT_GT(scores["low"].get<double>(), -1e4);
}

TEST(PageOfKinds, ShiftsAndStatesAreThoseOfTheModel) {
  const Sort& shifting = sort_with("latent", "shifts:1");
  const Dataset data = data_for(shifting);
  const Model shifted = model_of(shifting, data);
  const PageJson shifts = numbers_in(html_report(shifted, &data))["data"]["latent"]["shifts"];
  ASSERT_EQ(shifts.size(), 3u);
  double total = 0;
  for (std::size_t u = 0; u < 3; ++u) {
    double mean = 0;
    for (const auto& each : transformation_probabilities(shifted, data.x)) mean += each[u] / 40;
    EXPECT_NEAR(shifts[u]["probability"].get<double>(), mean, 1e-12);
    total += mean;
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_EQ(shifts[1]["right"], 1);

  const Sort& aligning = sort_with("latent", "alignment:2");
  const Model aligned = model_of(aligning, data);
  const PageJson said = numbers_in(html_report(aligned, &data))["data"]["latent"]["alignment"];
  const auto gamma = expected_alignment(aligned, data.x), weights = weights_over_time(aligned, data.x);
  for (const auto& each : said["sequences"]) {
    const auto t = each["row"].get<std::size_t>() - 1;
    for (std::size_t tau = 0; tau < 5; ++tau) {
      EXPECT_NEAR(each["state"][1][tau].get<double>(), gamma[t][2 * tau + 1], 1e-5);
      EXPECT_NEAR(each["weight"][0][tau].get<double>(), weights[t][tau], 1e-5 * (1 + std::abs(weights[t][tau])));
    }
  }
}

TEST(PageOfKinds, ThePathListsWhatEachStepSelects) {
  const Sample drawn = sample(true, 60, 8, 3);
  const Dataset data = dataset(drawn.x, drawn.y);
  Settings settings;
  const std::vector<double> values{1, 0.1, 1e-3, 1e-6};
  const Path path = fit_path(data, settings, Swept::p0, values);
  const PageJson said = path_part(path);
  ASSERT_EQ(said["steps"].size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const PageJson& step = said["steps"][k];
    EXPECT_EQ(step["value"], values[k]);
    EXPECT_EQ(step["selected"], path.steps[k].selected);
    EXPECT_EQ(step["largest"].size(), static_cast<std::size_t>(path.steps[k].selected));  // all of them, being few
    for (const auto& each : step["largest"]) {
      const std::string name = said["names"][each[0].get<std::size_t>()];
      const auto i = static_cast<std::size_t>(std::stoi(name.substr(1)));
      EXPECT_GT(each[1].get<double>(), 0.5);
      EXPECT_EQ(each[1], path.steps[k].inclusion[i]);
      EXPECT_EQ(each[2], path.steps[k].coefficient[i]);
    }
  }
  EXPECT_EQ(said["drawn"].size(), 8u);
}

TEST(PageOfKinds, TrustIsWhatWasMeasured) {
  Model model = model_of(sorts[0], data_for(sorts[0]));
  EXPECT_FALSE(numbers_in(html_report(model)).contains("trust"));
  model.stability = Stability{20, 0.5, 2, 5, 0.75, 2.0, 0.5, {0.25, 1, 0.5, 0.75, 0}};
  model.clusters = Clusters{0.95, {{{3, 1}, 0.625, -0.5}}};
  const PageJson said = numbers_in(html_report(model));
  EXPECT_EQ(said["trust"]["stability"]["stable"], 2);
  EXPECT_EQ(said["trust"]["stability"]["false_bound"], 0.5);
  const PageJson& cluster = said["trust"]["clusters"]["list"][0];
  EXPECT_EQ(cluster["inclusion"], 0.625);
  EXPECT_EQ(cluster["members"], PageJson::array({model.features[3].name, model.features[1].name}));
  for (std::size_t k = 0; k < 5; ++k) {
    std::size_t i = 0;
    while (model.features[i].name != said["features"]["name"][k].get<std::string>()) ++i;
    EXPECT_EQ(said["features"]["stability"][k], model.stability->fraction[i]);
  }
}

// Selected is what the model says, by knockoffs where there are any; and of few listed features those come first.
TEST(PageOfKinds, SelectedAreTheDiscoveredAndHaveTheirProbability) {
  Model model = tests::plain_model({{"a", 0.9, 1, 1, -1}, {"b", 0.8, 1, 1, -1}, {"c", 0.1, 1, 1, -1}});
  model.discoveries =
      Discoveries{0.25, KnockoffKind::gaussian, 0.5, {-0.25, 0.125, 0.75}, {0.125, 0.25, 0.875}, 3, 1.25, 5, {}};
  const PageJson said = numbers_in(html_report(model));
  EXPECT_EQ(said["selected_by"], "knockoffs");
  EXPECT_EQ(said["selected"], 1);
  EXPECT_EQ(said["features"]["selected"], PageJson::array({true, false, false}));  // selected ones come first
  EXPECT_EQ(said["features"]["probability"], PageJson::array({0.875, 0.125, 0.25}));
  EXPECT_EQ(said["trust"]["discoveries"]["expected"], 1.25);
  EXPECT_EQ(numbers_in(html_report(model, nullptr, 2))["features"]["name"], PageJson::array({"c", "a"}));
  model.discoveries.reset();
  const PageJson trained = numbers_in(html_report(model));
  EXPECT_EQ(trained["selected_by"], "inclusion");
  EXPECT_EQ(trained["features"]["selected"], PageJson::array({true, true, false}));
  EXPECT_FALSE(trained["features"].contains("probability"));
}

// A refit to few features has p0 = 1 and leaves others out all the same.
TEST(PageOfKinds, ARelaxedRefitLeavesFeaturesOut) {
  Model model = tests::plain_model({{"a", 1, 1, 1, -1}, {"b", 0, 0, 0, -1}});
  model.settings.p0 = 1;
  const PageJson said = numbers_in(html_report(model));
  EXPECT_EQ(said["selects"], true);
  EXPECT_NE(said["sentence"].get<std::string>().find("the 1 best were kept"), std::string::npos);
  model.features[1].inclusion = 1;
  EXPECT_EQ(numbers_in(html_report(model))["selects"], false);
}

TEST(PageOfKinds, TuningIsTheTableThatTheModelKeeps) {
  Model model = model_of(sorts[0], data_for(sorts[0]));
  model.tuning = Tuning{"auc", true, 5, 1, {{{0.1, 3.0, {}, {}}, {0.5, 0.75}, 0.625, 0.125, 2, true}}, 0, 0, 0, false};
  const PageJson said = numbers_in(html_report(model))["tuning"];
  EXPECT_EQ(said["metric"], "auc");
  EXPECT_EQ(said["candidates"][0]["mean"], 0.625);
  EXPECT_EQ(said["candidates"][0]["standard_error"], 0.125);
  EXPECT_TRUE(said["candidates"][0]["prior_variance"].is_null());
}

}  // namespace
}  // namespace medlar::test
