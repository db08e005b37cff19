// Models of latent transformations and alignments as a user meets them.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "medlar/alignment.hpp"
#include "medlar/explain.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings latent(const std::string& what, const std::string& mode = "anchored") {
  Settings settings;
  settings.model = ModelKind::latent;
  set_option(settings, "latent", what);
  set_option(settings, "latent-mode", mode);
  settings.p0 = 1;
  settings.tolerance = 1e-7;
  return settings;
}

// A bump of either of two forms at a random place: only once it is brought to one place do the forms differ.
struct Bumps {
  Dataset data;
  std::vector<double> y;
};
Bumps bumps(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows rows;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const double label = t % 2 == 0 ? 1 : -1, place = 8.0 + static_cast<double>(random() % 7) - 3;
    std::vector<double> row;
    for (int i = 0; i < 17; ++i) {
      const double apart = i - place, side = apart - label * 1.5;
      row.push_back(4 * std::exp(-0.5 * apart * apart) + 1.5 * std::exp(-2 * side * side) + 0.2 * normal(random));
    }
    rows.push_back(row);
    y.push_back(label);
  }
  return {dataset(rows, y), y};
}

double accuracy(const Model& model, const Bumps& some) {
  double right = 0;
  const auto predicted = model.predict(some.data.x);
  for (std::size_t t = 0; t < predicted.size(); ++t) right += (predicted[t].label == 1) == (some.y[t] > 0);
  return right / static_cast<double>(predicted.size());
}

TEST(LatentShifts, FindTheBumpAndTellItsForm) {
  const Bumps train = bumps(40, 1), test = bumps(200, 2);
  const Model plain = fit(train.data, with("exponential", 1)), shifted = fit(train.data, latent("shifts:3"));
  EXPECT_EQ(shifted.report.status, Status::converged);
  EXPECT_NE(shifted.report.why.find("the template is the likeliest of 9 starts"), std::string::npos)
      << shifted.report.why;
  EXPECT_GT(accuracy(shifted, test), 0.98);
  EXPECT_GT(accuracy(shifted, test), accuracy(plain, test) + 0.05);
  EXPECT_EQ(model_from_json(to_json(shifted), "m.json"), shifted);
}

TEST(LatentShifts, LiteralAlternationLowersTheTotal) {
  const Bumps train = bumps(16, 3);
  Settings settings = latent("shifts:2", "literal");
  settings.tolerance = 1e-4;
  const Model model = fit(train.data, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  ASSERT_GT(model.latent->kl.size(), 1U);
  for (std::size_t r = 1; r < model.latent->kl.size(); ++r)
    EXPECT_LE(model.latent->kl[r], model.latent->kl[r - 1] * (1 + 1e-12));
  ASSERT_EQ(model.latent->transformation->multiplier.size(), 1U);
  EXPECT_GT(model.latent->transformation->multiplier[0], 0);
  for (const Prediction& each : model.predict(train.data.x)) {
    EXPECT_TRUE(std::isfinite(each.score));
    EXPECT_GT(each.sd, 0);
    EXPECT_NEAR(each.probability, 0.5 * (1 + std::tanh(each.score)), 1e-14);
  }
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
}

class File {
 public:
  explicit File(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / fmt::format("medlar-{}-{}.csv", ::getpid(), ++made)).string()) {
    std::ofstream(path_) << content;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  static inline int made = 0;
  std::string path_;
};

// One map, the identity: the linear fit, bit for bit in its features.
TEST(LatentMatrices, TheIdentityAloneGivesTheLinearFit) {
  const Sample drawn = sample(true, 40, 3, 8);
  const Dataset data = dataset(drawn.x, drawn.y);
  const File file("1,0,0\n0,1,0\n0,0,1\n");
  Settings settings = with("exponential", 1);
  settings.prior_variance = 1;
  const Model linear = fit(data, settings);
  settings.model = ModelKind::latent, settings.latent = {LatentKind::matrices, file.path()};
  const Model same = fit(data, settings);
  EXPECT_EQ(same.features, linear.features);
  EXPECT_EQ(same.bias, linear.bias);
  settings.latent_mode = LatentMode::literal;
  expect_same_fit(linear, fit(data, settings), data.x, 1e-4);
}

TEST(LatentTranslation, DirectionsAreProjectedOut) {
  const Sample drawn = sample(true, 60, 3, 9);
  const Dataset data = dataset(drawn.x, drawn.y);
  const File file("f0,f1,f2\n1,1,0\n");
  Settings settings = latent("translation:" + file.path());
  settings.scale = ScaleKind::none;
  const Model model = fit(data, settings);
  EXPECT_NEAR(model.features[0].coefficient + model.features[1].coefficient, 0, 1e-9);
  const auto here = model.predict(dense({{0.3, 0.4, 1}})), there = model.predict(dense({{2.3, 2.4, 1}}));
  EXPECT_NEAR(here[0].score, there[0].score, 1e-9);
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
  // The paper's closed form rewards weight along the direction instead.
  settings.latent_mode = LatentMode::literal;
  const Model literal = fit(data, settings);
  EXPECT_GT(std::abs(literal.features[0].coefficient + literal.features[1].coefficient), 0.01);
}

// Sequences of two levels whose step comes early or late, of unequal length; the label is the level after the step.
Dataset steps(std::size_t examples, unsigned seed, std::vector<double>& y) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Index> starts{0};
  std::vector<Column> columns;
  std::vector<double> values;
  std::size_t longest = 0;
  for (std::size_t t = 0; t < examples; ++t) {
    const double label = t % 2 == 0 ? 1 : -1;
    const std::size_t length = 15 + random() % 10, change = 4 + random() % 8;
    longest = std::max(longest, length);
    for (std::size_t tau = 0; tau < length; ++tau) {
      const double level = tau < change ? 0 : 3 + 0.6 * label;
      values.insert(values.end(), {level + 0.5 * normal(random), normal(random)});
    }
    for (std::size_t i = 0; i < 2 * length; ++i) columns.push_back(static_cast<Column>(i));
    starts.push_back(static_cast<Index>(values.size()));
    y.push_back(label);
  }
  Dataset data = dataset(
      Matrix::sparse(static_cast<Index>(examples), static_cast<Index>(2 * longest), starts, columns, values), y);
  data.schema.channels = 2;
  data.schema.columns.clear();
  return data;
}

TEST(LatentAlignment, FindsTheStepAndTellsTheLevel) {
  std::vector<double> y, truth;
  const Dataset train = steps(40, 1, y), test = steps(100, 2, truth);
  Settings settings = latent("alignment:2");
  settings.state_path = StatePath::hmm, settings.state_statistics = StateStatistics::levels;
  const Model model = fit(train, settings);
  EXPECT_EQ(model.report.status, Status::converged);
  const auto predicted = model.predict(test.x);
  double right = 0;
  for (std::size_t t = 0; t < 100; ++t) right += (predicted[t].label == 1) == (truth[t] > 0);
  EXPECT_GT(right, 90);
  EXPECT_EQ(model.features.size(), 6U);
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
  const auto paths = expected_alignment(model, test.x);
  for (std::size_t k = 0; k < paths[0].size(); k += 2) EXPECT_NEAR(paths[0][k] + paths[0][k + 1], 1, 1e-9);
  EXPECT_GT(paths[0].front(), 0.99);
  EXPECT_GT(paths[0].back(), 0.99);
}

// By levels alone: the mean of the whole signal depends on when the step comes, that of the second state does not.
// (With squares one state would do: the means of x and x^2 together give the level.)
TEST(LatentAlignment, ChoosesItsStatesByCrossValidation) {
  std::vector<double> y;
  const Dataset train = steps(30, 5, y);
  Settings settings = latent("alignment:1,2");
  settings.state_statistics = StateStatistics::levels;
  const Model model = fit(train, settings);
  EXPECT_EQ(model.latent->alignment->states, 2);
  EXPECT_EQ(model.settings.state_path, StatePath::hmm);
  EXPECT_EQ(text_of(model.settings.latent), "alignment:2");
  EXPECT_EQ(fit(train, settings).features, model.features);  // deterministic
  settings.state_statistics = StateStatistics::automatic;
  const Model free = fit(train, settings);
  EXPECT_NE(free.settings.state_path, StatePath::automatic);
  EXPECT_NE(free.settings.state_statistics, StateStatistics::automatic);
}

// The class is the swing of the signal, fourfold from one to the next: the choice is one of those that measure it, and
// the report tells how it was made.
TEST(LatentAlignment, ChoosesWhatMeasuresTheSwings) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Rows rows;
  std::vector<double> y;
  for (std::size_t t = 0; t < 60; ++t) {
    const double swing = std::pow(4.0, static_cast<double>(t % 3));
    rows.emplace_back();
    for (int tau = 0; tau < 20; ++tau) rows.back().push_back(swing * normal(random));
    y.push_back(static_cast<double>(t % 3));
  }
  const Dataset data = dataset(rows, y);
  Settings settings = latent("alignment:1");
  settings.task = Task::classify, settings.state_path = StatePath::segments;
  const Model model = fit(data, settings);
  EXPECT_NE(model.settings.state_statistics, StateStatistics::levels);
  EXPECT_NE(model.report.why.find("12 choices of states judged on examples left out, the least error"),
            std::string::npos)
      << model.report.why;
  settings.state_statistics = StateStatistics::roots;
  const Model roots = fit(data, settings);
  EXPECT_EQ(roots.features[2].name, "state1:channel1:rms");
  EXPECT_EQ(model_from_json(to_json(roots), "m.json"), roots);
  double right = 0;
  for (std::size_t t = 0; t < 60; ++t) right += static_cast<double>(roots.predict(data.x)[t].label) == y[t];
  EXPECT_GT(right, 54);
}

// Without time to judge, the first choice is fitted, and the report says so.
TEST(LatentAlignment, ChoicesHeedTheClock) {
  std::vector<double> y;
  const Dataset train = steps(30, 5, y);
  Settings settings = latent("alignment:auto");
  settings.max_seconds = 1e-9;
  const Model model = fit(train, settings);
  EXPECT_EQ(text_of(model.settings.latent), "alignment:2");
  EXPECT_EQ(model.settings.max_seconds, 1e-9);
  EXPECT_NE(model.report.why.find("no time to judge"), std::string::npos) << model.report.why;
}

TEST(LatentAlignment, SwitchesStandOverStateAndChannel) {
  std::vector<double> y;
  const Dataset train = steps(60, 7, y);
  Settings settings = latent("alignment:2");
  settings.p0 = 0.01, settings.state_path = StatePath::hmm, settings.state_statistics = StateStatistics::squares,
  settings.prior_variance = 0.3;
  const Model model = fit(train, settings);
  EXPECT_EQ(model.prior(), PriorKind::groups);
  const auto feature = [&](const std::string& name) {
    return *std::find_if(model.features.begin(), model.features.end(),
                         [&](const Feature& f) { return f.name == name; });
  };
  // An inclusion ranks and is not calibrated (it falls as the prior variance grows): the pair that tells the label
  // leads.
  const double leading = feature("state2:channel1:level").inclusion;
  EXPECT_EQ(leading, feature("state2:channel1:square").inclusion);
  for (const Feature& each : model.features) {
    if (!each.name.starts_with("state2:channel1")) {
      EXPECT_GT(leading, 5 * each.inclusion) << each.name;
    }
  }
}

// With equal segments the states do not depend on the signal: the score is linear in it, and a unit more at one time
// and channel changes it by the weight there.
TEST(LatentAlignment, WeightsOverTimeAreSlopesOfTheScore) {
  const Sample drawn = sample(true, 40, 12, 6);
  Dataset data = dataset(drawn.x, drawn.y);
  data.schema.channels = 2;
  Settings settings = latent("alignment:3");
  settings.state_path = StatePath::segments, settings.state_statistics = StateStatistics::levels;
  const Model model = fit(data, settings);
  const std::vector<double> weight = weights_over_time(model, dense({drawn.x[5]})).front();
  ASSERT_EQ(weight.size(), 12U);
  const double score = model.predict(dense({drawn.x[5]}))[0].score;
  for (std::size_t i = 0; i < 12; ++i) {
    Rows more{drawn.x[5]};
    more[0][i] += 1;
    EXPECT_NEAR(model.predict(dense(more))[0].score - score, weight[i], 1e-12 * (1 + std::abs(score)));
  }
  settings.expand = ExpansionKind::quadratic;
  const Model expanded = fit(data, settings);
  EXPECT_THROW(weights_over_time(expanded, data.x), OptionError);
}

// A number to predict: the level after the step. The choice is by squared error, and the scale is that of a regression.
TEST(LatentAlignment, RegressesOnStates) {
  std::vector<double> y;
  Dataset train = steps(40, 2, y);
  for (std::size_t t = 0; t < 40; ++t) {
    double last = 0;
    for_each(train.x.row(static_cast<Index>(t)), [&](Index i, double value) { last = i % 2 == 0 ? value : last; });
    train.target.values[t] = 10 * last;
  }
  Settings settings = latent("alignment:1,2");
  settings.state_statistics = StateStatistics::levels;
  const Model model = fit(train, settings);
  EXPECT_EQ(model.task, Task::regress);
  EXPECT_EQ(text_of(model.settings.latent), "alignment:2");
  const auto predicted = model.predict(train.x);
  double squares = 0, spread = 0;
  for (std::size_t t = 0; t < 40; ++t) {
    squares += std::pow(predicted[t].score - train.target.values[t], 2),
        spread += std::pow(train.target.values[t] - 30, 2);
  }
  EXPECT_LT(squares, 0.6 * spread);  // the last value has noise of its own
}

// A sequence that begins far from where all others begin, in training and in prediction: a thousand standard deviations
// from the first state, in which its path must begin all the same. Beyond what squares can hold it is refused.
TEST(LatentAlignment, SequencesUnlikeAllOthersHaveAPath) {
  const Sample drawn = sample(true, 30, 20, 4);
  Rows odd = drawn.x;
  for (std::size_t i = 0; i < 10; ++i) odd[3][i] += 1e4;
  Settings settings = latent("alignment:4");
  settings.state_path = StatePath::hmm, settings.state_statistics = StateStatistics::levels;
  const Model usual = fit(dataset(drawn.x, drawn.y), settings);
  for (const Model& model : {usual, fit(dataset(odd, drawn.y), settings)}) {
    for (const Prediction& each : model.predict(dense(odd))) EXPECT_TRUE(std::isfinite(each.score));
    for (const std::vector<double>& path : expected_alignment(model, dense(odd))) {
      for (std::size_t k = 0; k < path.size(); k += 4) {
        EXPECT_NEAR(path[k] + path[k + 1] + path[k + 2] + path[k + 3], 1, 1e-9);
      }
    }
  }
  odd[3][0] = 1e200;
  EXPECT_THROW(usual.predict(dense(odd)), DataError);
}

// What the features of the states add is the score.
TEST(LatentAlignment, ScoresAreExplained) {
  std::vector<double> y;
  const Dataset train = steps(30, 1, y);
  Settings settings = latent("alignment:2");
  settings.state_path = StatePath::hmm, settings.state_statistics = StateStatistics::squares;
  const Model model = fit(train, settings);
  const auto predicted = model.predict(train.x);
  const auto explained = explain(model, train.x, 3);
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    double sum = explained[t].bias + explained[t].added_by_others;
    for (const Contribution& each : explained[t].largest) sum += each.added;
    EXPECT_NEAR(sum, predicted[t].score, 1e-10 * (1 + std::abs(predicted[t].score)));
  }
  settings = latent("alignment:2", "literal");
  settings.tolerance = 1e-3;
  EXPECT_FALSE(explainable(fit(train, settings)));
}

TEST(LatentAlignment, LiteralAlternationOverPaths) {
  std::vector<double> y;
  const Dataset train = steps(16, 3, y);
  Settings settings = latent("alignment:2", "literal");
  settings.tolerance = 1e-4;
  const Model model = fit(train, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  for (std::size_t r = 1; r < model.latent->kl.size(); ++r)
    EXPECT_LE(model.latent->kl[r], model.latent->kl[r - 1] * (1 + 1e-12));
  EXPECT_EQ(model.features.size(), 4U);
  for (const Prediction& each : model.predict(train.x)) EXPECT_TRUE(std::isfinite(each.score) && each.sd > 0);
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
}

// The default chain, given in a file, is the default chain.
TEST(LatentAlignment, AChainMayBeGiven) {
  const Sample drawn = sample(true, 16, 8, 6);
  const Dataset data = dataset(drawn.x, drawn.y);
  const File file("1,0\n0.75,0.25\n0,1\n");  // 2 states over 8 times
  for (const std::string mode : {"anchored", "literal"}) {
    Settings settings = latent("alignment:2", mode);
    settings.tolerance = 1e-5;
    if (mode == "anchored") settings.state_statistics = StateStatistics::levels;
    settings.state_path = StatePath::left_to_right;
    const Model usual = fit(data, settings);
    settings.state_path = {StatePath::given, file.path()};
    const Model given = fit(data, settings);
    EXPECT_EQ(given.features, usual.features);
    EXPECT_EQ(model_from_json(to_json(given), "m.json"), given);
  }
  Settings settings = latent("alignment:3");
  settings.state_path = {StatePath::given, file.path()};
  expect_option_error(data, settings,
                      "latent = alignment:3, but the chain of state-path = file:" + file.path() +
                          " has 2 states; use --latent alignment:2");
  const File odd("1,0\n0.7,0.2\n0,1\n");
  settings = latent("alignment:2");
  settings.state_path = {StatePath::given, odd.path()};
  EXPECT_THROW(fit(data, settings), DataError);
}

TEST(LatentTransformations, Refuse) {
  const Sample drawn = sample(true, 12, 4, 1);
  const Dataset data = dataset(drawn.x, drawn.y);
  Settings settings = latent("shifts:9");
  expect_option_error(data, settings, "latent = shifts:9 shifts by up to 9, but there is only room for 3");
  settings = latent("shifts:1");
  settings.image = "3x2";
  expect_option_error(data, settings, "image = 3x2 has 6 pixels, but the data has 4 features");
  settings.image.clear(), settings.rotation = 5;
  expect_option_error(data, settings, "rotation = 5, but only an image can be turned; give --image HEIGHTxWIDTH");
  settings = latent("shifts:1");
  settings.balance = {BalanceKind::share, 0.5};
  expect_option_error(data, settings,
                      "balance = 0.5, but a fit in which every example has a label has no use for it; leave it out");
  settings.latent_mode = LatentMode::literal;
  expect_option_error(data, settings, "balance = 0.5, but latent-mode = literal has no use for it; leave it out");
  settings = latent("labels");
  settings.image = "2x2";
  expect_option_error(data, settings, "image = 2x2, but latent = labels; it goes with --latent shifts only");
  const File file("a,b\n1,2\n");
  settings = latent("translation:" + file.path());
  expect_data_error(data, settings,
                    file.path() +
                        ": a direction needs columns that are features of the data, but only 0 of its 2 are; or give "
                        "it 4 columns and no header");
  settings = latent("matrices:" + file.path());
  expect_data_error(
      data, settings,
      file.path() + ": it holds 1 x 2 numbers, but maps of 4 features are 4 x 4 each, one below the other");
  std::vector<double> y;
  const Dataset sequences = steps(10, 1, y);
  EXPECT_THROW(fit(sequences, with("exponential", 1)), DataError);
  Dataset odd = dataset(drawn.x, drawn.y);
  odd.schema.channels = 3;
  expect_data_error(
      odd, latent("alignment:2"),
      "sequence 1 has 4 values, which are no times of 3 channels; every time needs all channels, and a sequence "
      "at least one time");
  settings = latent("alignment:2,3", "literal");
  expect_option_error(data, settings, "latent-mode = literal needs one number of states, as in --latent alignment:6");
  const Model plain = fit(classes(), {});
  expect_sentence<OptionError>([&] { expected_alignment(plain, classes().x); },
                               "the model aligns nothing; train it with --model latent --latent alignment:S");
}

}  // namespace
}  // namespace medlar::test
