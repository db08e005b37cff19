// Settings and datasets that a program filled by hand, past every reader: fit refuses them with a sentence.
#include <gtest/gtest.h>

#include <limits>

#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Sets one member of the settings to each value; %s of the sentence is the value as text.
template <class Value, class Member>
void expect_each_refused(const Dataset& data, Member Settings::*member, const std::vector<Value>& values,
                         const std::string& sentence) {
  for (const Value& value : values) {
    Settings settings;
    settings.*member = value;
    std::string expected = sentence;
    expected.replace(expected.find("%s"), 2, fmt::format("{}", value));
    expect_option_error(data, settings, expected);
  }
}

TEST(HandFilledSettings, NumbersOutOfTheirRange) {
  for (const Dataset& data : {classes(), numbers()}) {
    expect_each_refused<double>(data, &Settings::c, {-1, 0, kNan, kInf, -kInf}, "c = %s, but must be a number > 0");
    expect_each_refused<double>(data, &Settings::epsilon, {-1, kNan, kInf}, "epsilon = %s, but must be a number >= 0");
    expect_each_refused<double>(data, &Settings::margin_location, {-1, 0, kNan, kInf},
                                "margin-location = %s, but must lie in (0, 1e12]");
    expect_each_refused<double>(data, &Settings::prior_variance, {-1, 0, kNan, kInf},
                                "prior-variance = %s, but must be a number > 0");
    expect_each_refused<double>(data, &Settings::p0, {0, 2, -1e-9, kNan}, "p0 = %s, but must lie in (0, 1]");
    expect_each_refused<double>(data, &Settings::tolerance, {0, 1, -1e-6, kNan, kInf},
                                "tolerance = %s, but must lie in [1e-14, 1)");
    expect_each_refused<double>(data, &Settings::max_seconds, {0, -1, kNan},
                                "max-seconds = %s, but must be a number > 0, or inf");
    expect_each_refused<Index>(data, &Settings::max_passes, {0, -5},
                               "max-passes = %s, but must be a whole number from 1 to 9223372036854775807");
    expect_each_refused<Index>(data, &Settings::threads, {-1, 65537},
                               "threads = %s, but must be a whole number from 0 to 65536");
    expect_each_refused<Index>(data, &Settings::seed, {-1},
                               "seed = %s, but must be a whole number from 0 to 9223372036854775807");
  }
}

TEST(HandFilledSettings, WordsThatNoOptionKnows) {
  const auto expect_each_unknown = [](std::string_view option, const std::vector<std::string>& words,
                                      const std::string& sentence) {
    for (const std::string& word : words) {
      Settings settings;
      std::string expected = sentence;
      expected.replace(expected.find("%s"), 2, word);
      expect_sentence<OptionError>([&] { set_option(settings, option, word); }, expected);
      EXPECT_EQ(settings, Settings{});
    }
  };
  expect_each_unknown(
      "margin", {"tub", ""},
      "margin = '%s' is unknown; known are auto, exponential, laplace, gaussian, hinge, logistic, tube, svr, own");
  expect_each_unknown(
      "solver", {"foo", ""},
      "solver = '%s' is unknown; known are auto, ascent, primal-newton, newton, coordinate, bounded-qp, smo");
  expect_each_unknown("model", {"forest", ""}, "model = '%s' is unknown; known are linear, generative, kernel, latent");
  expect_each_unknown("task", {"cluster", ""}, "task = '%s' is unknown; known are auto, classify, regress, anomaly");
  expect_each_unknown("scale", {"foo", ""}, "scale = '%s' is unknown; known are auto, standard, maxabs, none");
  expect_each_unknown("expand", {"cubic", "", "quadratic:2", "powers", "none:"},
                      "expand = '%s' is unknown; known are none, quadratic, powers:D, fourier:D, nystrom:D");
  expect_each_unknown("state-path", {"given", ""},
                      "state-path = '%s' is unknown; known are auto, hmm, segments, left-to-right");
  expect_each_unknown("bias", {"0", "-1", "nan", "inf"}, "bias = %s, but must be flat, none or a variance > 0");
  expect_each_unknown("bias", {"abc", "", "1 "},
                      "bias = '%s' is not a number; it must be flat, none or a variance > 0");
}

TEST(HandFilledSettings, WhatStandsBesideAWord) {
  for (const Dataset& data : {classes(), numbers()}) {
    for (const double variance : {0.0, -1.0, kNan, kInf}) {
      Settings settings;
      settings.bias = {BiasKind::variance, variance};
      expect_option_error(data, settings, fmt::format("bias = {}, but must be flat, none or a variance > 0", variance));
    }
    Settings settings;
    settings.expand = {ExpansionKind::powers, 0};
    expect_option_error(data, settings, "expand = powers:D, D = 0, but must be a whole number from 1 to 20");
  }
}

// A number that no enumerator has.
TEST(HandFilledSettings, EnumeratorsThatDoNotExist) {
  Settings settings;
  settings.margin = static_cast<MarginKind>(99);
  expect_option_error(
      classes(), settings,
      "margin = '' is unknown; known are auto, exponential, laplace, gaussian, hinge, logistic, tube, svr, own");
}

TEST(HandFilledSettings, ValuesOfFeatures) {
  Settings settings;
  settings.p0 = 1;
  for (const double value : {kInf, -kInf, kNan}) {
    settings.prior_mean.entries = {{"f0", value}};
    expect_option_error(classes(), settings,
                        fmt::format("prior-mean gives 'f0' the value {}, but it must be a finite number", value));
  }
  settings.prior_mean = {};
  for (const double value : {-0.5, 2.0, kInf, kNan}) {
    settings.feature_p0.entries = {{"f1", value}};
    expect_option_error(classes(), settings,
                        fmt::format("feature-priors gives 'f1' the value {}, but it must lie in [0, 1]", value));
  }
}

TEST(HandFilledDataset, ListsOfTheWrongLength) {
  Dataset data = classes();
  data.target.values.pop_back();
  expect_data_error(data, {}, "the dataset has 3 targets, but 4 examples");
  data = texts();
  data.target.codes.pop_back();
  expect_data_error(data, {}, "the dataset has 2 targets, but 3 examples");
  data = classes();
  data.names.pop_back();
  expect_data_error(data, {}, "the dataset has 1 names, but 2 features");
  data = classes();
  data.weights = {1, 1, 1};
  expect_data_error(data, {}, "the dataset has 3 weights, but 4 examples");
  data = classes();
  data.lines = {2, 3, 4, 5, 6};
  expect_data_error(data, {}, "the dataset has 5 line numbers, but 4 examples");
  data = classes();
  data.group_of = {0};
  data.group_names = {"a"};
  expect_data_error(data, {}, "the dataset has 1 groups of features, but 2 features");
}

TEST(HandFilledDataset, NumbersThatPointNowhere) {
  for (const Index group : {Index{1}, Index{-1}}) {
    Dataset data = classes();
    data.group_of = {0, group};
    data.group_names = {"a"};
    expect_data_error(data, {}, fmt::format("a feature has group {}, but there are 1 groups", group));
  }
  Dataset data = texts();
  data.target.codes = {0, 1, 3};
  expect_data_error(data, {}, "a target has code 3, but there are 3 labels");
}

TEST(HandFilledDataset, ValuesThatAreNoNumbers) {
  for (const double value : {kNan, kInf, -kInf}) {
    const std::string sentence =
        fmt::format("memory: feature 'f1' of example 3 is {}, but must be a finite number", value);
    for (const std::string scale : {"auto", "none", "standard", "maxabs"}) {
      const Rows rows{{0, 1}, {1, 0}, {2, value}, {3, 3}};
      Settings settings;
      set_option(settings, "scale", scale);
      for (const Matrix& x : {dense(rows), sparse(rows)})
        expect_data_error(dataset(x, {0, 0, 1, 1}), settings, sentence);
    }
  }
}

TEST(HandFilledDataset, NothingToLearnFrom) {
  Dataset data;
  data.source = "memory";
  expect_data_error(data, {}, "memory: has no examples");
  data.x = Matrix::dense(3, 0, {});
  expect_data_error(data, {}, "memory: has no features");
}

}  // namespace
}  // namespace medlar::test
