// What a generative model is asked about: values that their family cannot have, and which class a column matters for.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/anomaly.hpp"
#include "medlar/class_inclusion.hpp"
#include "medlar/domain.hpp"
#include "medlar/error.hpp"
#include "medlar/explain.hpp"
#include "models/fit_data.hpp"
#include "models/generative/generative_settings.hpp"

namespace medlar::test {
namespace {

template <class Act>
std::string refusal_of(Act act) {
  try {
    act();
  } catch (const DataError& error) {
    return error.what();
  }
  return "taken";
}

Model detector_of(const std::string& family, double high) {
  Rows x;
  for (int t = 0; t < 60; ++t) x.push_back({t % 7 < 3 ? 1.0 : 0.0, high * (1 + t % 5) / 5, std::sin(t)});
  Settings settings = generative("f0:bernoulli,f1:" + family + ",f2:gaussian-diagonal");
  settings.task = Task::anomaly;
  settings.scale = ScaleKind::none;
  return fit(dataset(x, std::vector<double>(60, 0.0)), settings);
}

TEST(GenerativeValues, ThatTheFamilyCannotHaveAreRefusedAtPrediction) {
  const struct {
    std::string family;
    double high, value;
    std::string wanted;
  } cases[] = {{"exponential", 2.5, -50, "'f1' is -50, but a value of family exponential must be a number >= 0"},
               {"poisson", 5, 2.5, "'f1' is 2.5, but a value of family poisson must be a whole number >= 0"},
               {"poisson", 5, -2, "'f1' is -2, but a value of family poisson must be a whole number >= 0"}};
  for (const auto& each : cases) {
    const Model model = detector_of(each.family, each.high);
    const Matrix x = dense({{1, each.high, 0}, {0, each.value, 0}});
    for (const std::string& said : {refusal_of([&] { model.predict(x); }), refusal_of([&] { contributions(model, x); }),
                                    refusal_of([&] { explain(model, x, 3); })}) {
      EXPECT_NE(said.find("example 2: " + each.wanted), said.npos) << said;
    }
    Dataset data = dataset(x, {0, 0});
    data.source = "new.csv";
    data.lines = {2, 5};
    const std::string said = refusal_of([&] { check_values(model, data); });
    EXPECT_EQ(said.find("new.csv:5: " + each.wanted), 0u) << said;
  }
  const std::string bit = refusal_of([] { detector_of("poisson", 5).predict(dense({{3, 1, 0}})); });
  EXPECT_NE(bit.find("'f0' is 3, but a value of family bernoulli must be 0 or 1"), bit.npos) << bit;
}

TEST(GenerativeValues, OfATreeAreBits) {
  Rows x;
  for (int t = 0; t < 60; ++t) x.push_back({t % 2 ? 1.0 : 0.0, t % 3 ? 1.0 : 0.0});
  Settings settings = generative("tree");
  settings.task = Task::anomaly;
  const Model model = fit(dataset(x, std::vector<double>(60, 0.0)), settings);
  const std::string said = refusal_of([&] { model.predict(dense({{0, 7}})); });
  EXPECT_NE(said.find("'f1' is 7, but a value of family tree must be 0 or 1"), said.npos) << said;
}

TEST(GenerativeValues, TooLargeAreNotCalledMissing) {
  const Model model = detector_of("poisson", 5);
  const std::string said = refusal_of([&] { model.predict(dense({{1, 1, 1e300}})); });
  EXPECT_NE(said.find("so large"), said.npos) << said;
  EXPECT_EQ(said.find("missing"), said.npos) << said;
}

TEST(GenerativeValues, SwitchesPerClassTellWhichClassAColumnMattersFor) {
  const Sample drawn = sample(true, 80, 4, 3);
  Settings settings = generative("gaussian-diagonal");
  settings.switches = SwitchKind::per_class;
  settings.p0 = 0.2;
  const Model model = fit(dataset(drawn.x, drawn.y), settings);
  const auto by_class = inclusion_by_class(model);
  ASSERT_EQ(by_class.size(), 4u);
  bool differ = false;
  for (std::size_t i = 0; i < by_class.size(); ++i) {
    ASSERT_EQ(by_class[i].size(), 2u);
    EXPECT_EQ(std::max(by_class[i][0], by_class[i][1]), model.features[i].inclusion);
    differ = differ || by_class[i][0] != by_class[i][1];
  }
  EXPECT_TRUE(differ);
  EXPECT_EQ(by_class, inclusion_by_class(model_from_json(to_json(model), "memory")));
  settings.switches = SwitchKind::tied;
  EXPECT_TRUE(inclusion_by_class(fit(dataset(drawn.x, drawn.y), settings)).empty());
}

}  // namespace
}  // namespace medlar::test
