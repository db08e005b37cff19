// The table of options: defaults, round trips, and the sentences of its refusals.
#include "medlar/settings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "medlar/error.hpp"

namespace medlar {
namespace {

std::string refusal(std::string_view name, std::string_view text) {
  Settings settings;
  try {
    set_option(settings, name, text);
  } catch (const Error& error) {
    EXPECT_EQ(settings, Settings{}) << name << " was changed by a refused value";
    return error.what();
  }
  return "accepted";
}

class TextFile {
 public:
  explicit TextFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("medlar_settings_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::ofstream(path_) << content;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Options, EveryOptionGivesBackTheTextThatSetsItAgain) {
  const std::set<std::pair<std::string, std::string>> samples{{"task", "regress"},
                                                              {"positive", "a,b"},
                                                              {"model", "linear"},
                                                              {"kernel", "poly"},
                                                              {"gamma", "0.25"},
                                                              {"coef0", "-1.5"},
                                                              {"degree", "8"},
                                                              {"cache-mb", "12.5"},
                                                              {"gram-precision", "double"},
                                                              {"line-search", "brent"},
                                                              {"margin", "svr"},
                                                              {"c", "0.30000000000000004"},
                                                              {"margin-location", "1e-310"},
                                                              {"epsilon", "0"},
                                                              {"p0", "1e-300"},
                                                              {"prior-variance", "2.5"},
                                                              {"groups", "none"},
                                                              {"bias", "0.5"},
                                                              {"class-weight", "a:2,b:0.5"},
                                                              {"multiclass", "joint"},
                                                              {"family", "poisson"},
                                                              {"prior-strength", "0.5"},
                                                              {"statistics-weight", "0"},
                                                              {"offsets", "none"},
                                                              {"switches", "tied"},
                                                              {"switch-evidence", "none"},
                                                              {"calibration", "left-out"},
                                                              {"alpha", "0.01"},
                                                              {"trim", "0.2"},
                                                              {"latent", "alignment:4,8"},
                                                              {"latent-mode", "literal"},
                                                              {"balance", "0.25"},
                                                              {"unlabelled-weight", "0.5"},
                                                              {"image", "28x20"},
                                                              {"rotation", "7.5"},
                                                              {"state-path", "segments"},
                                                              {"state-statistics", "squares"},
                                                              {"expand", "powers:3"},
                                                              {"scale", "maxabs"},
                                                              {"precision", "float"},
                                                              {"keep", "age,\"a, b\",sex"},
                                                              {"solver", "newton"},
                                                              {"tolerance", "1e-09"},
                                                              {"max-passes", "7"},
                                                              {"max-seconds", "1.5"},
                                                              {"threads", "3"},
                                                              {"seed", "9223372036854775807"}};
  for (const auto& [name, text] : samples) {
    Settings settings;
    set_option(settings, name, text);
    EXPECT_EQ(find_option(name).get(settings), text) << name;
    EXPECT_TRUE(settings != Settings{} || name == "model") << name;
  }
  // The three that take a file only are tested below; no option escapes.
  EXPECT_EQ(samples.size() + 3, options().size());
}

TEST(Options, DefaultsAreTextsThatOptionsTake) {
  for (const Option& option : options()) {
    Settings settings;
    option.set(settings, option.get(settings));
    EXPECT_EQ(settings, Settings{}) << option.name;
  }
}

TEST(Options, DefaultsInWordsNameTheDefault) {
  const Settings settings;
  for (const Option& option : options()) {
    const std::string text = option.get(settings);
    if (text == "auto" || text.empty()) continue;
    EXPECT_TRUE(option.fallback.starts_with(text)) << option.name << ": " << option.fallback << " for " << text;
  }
}

TEST(Options, EveryWordOfAListIsTakenAndExplained) {
  for (const char* name : {"task", "model", "margin", "groups", "bias", "class-weight", "expand", "scale", "solver",
                           "latent-mode", "balance", "state-path", "state-statistics"}) {
    EXPECT_FALSE(words(name).empty()) << name;
    for (const Word& word : words(name)) {
      Settings settings;
      EXPECT_NO_THROW(set_option(settings, name, word.name)) << name << " " << word.name;
      EXPECT_FALSE(word.meaning.empty());
    }
  }
  EXPECT_TRUE(words("p0").empty());
}

TEST(Options, RefusalsAreSentences) {
  EXPECT_EQ(refusal("p0", "1.5"), "p0 = 1.5, but must lie in (0, 1]");
  EXPECT_EQ(refusal("p0", "0"), "p0 = 0, but must lie in (0, 1]");
  EXPECT_EQ(refusal("p0", "nan"), "p0 = nan, but must lie in (0, 1]");
  EXPECT_EQ(refusal("p0", "0.5x"), "p0 = '0.5x' is not a number; it must lie in (0, 1]");
  EXPECT_EQ(refusal("p0", " 0.5"), "p0 = ' 0.5' is not a number; it must lie in (0, 1]");
  EXPECT_EQ(refusal("p0", ""), "p0 = '' is not a number; it must lie in (0, 1]");
  EXPECT_EQ(refusal("c", "-1"), "c = -1, but must be a number > 0");
  EXPECT_EQ(refusal("c", "inf"), "c = inf, but must be a number > 0");
  EXPECT_EQ(refusal("epsilon", "-1e-9"), "epsilon = -1e-9, but must be a number >= 0");
  EXPECT_EQ(
      refusal("margin", "Hinge"),
      "margin = 'Hinge' is unknown; known are auto, exponential, laplace, gaussian, hinge, logistic, tube, svr, own");
  EXPECT_EQ(refusal("bias", "round"), "bias = 'round' is not a number; it must be flat, none or a variance > 0");
  EXPECT_EQ(refusal("bias", "0"), "bias = 0, but must be flat, none or a variance > 0");
  EXPECT_EQ(refusal("max-passes", "0"), "max-passes = 0, but must be a whole number from 1 to 9223372036854775807");
  EXPECT_EQ(refusal("threads", "2.5"), "threads = 2.5, but must be a whole number from 0 to 65536");
  EXPECT_EQ(refusal("expand", "powers:0"), "expand = powers:D, D = 0, but must be a whole number from 1 to 20");
  EXPECT_EQ(refusal("expand", "cubic"),
            "expand = 'cubic' is unknown; known are none, quadratic, powers:D, fourier:D, nystrom:D");
  EXPECT_EQ(refusal("latent", "shift"),
            "latent = 'shift' is unknown; known are labels, shifts:R, matrices:FILE, translation:FILE, alignment:S");
  EXPECT_EQ(refusal("latent", "shifts:0"), "latent = shifts:R, R = 0, but must be a whole number from 1 to 1000");
  EXPECT_EQ(refusal("latent", "translation:"), "latent = 'translation:' names no file; write translation:FILE");
  EXPECT_EQ(refusal("image", "28"), "image = '28', but must be HEIGHTxWIDTH, such as 28x28");
  EXPECT_EQ(refusal("rotation", "91"), "rotation = 91, but must lie in [0, 90]");
  EXPECT_EQ(refusal("class-weight", "a:0"),
            "class-weight = 'a:0', but must be none, balanced or label:weight,... with weights > 0");
  EXPECT_EQ(refusal("class-weight", "a:1,"),
            "class-weight = 'a:1,', but must be none, balanced or label:weight,... with weights > 0");
  EXPECT_EQ(refusal("max-seconds", "0"), "max-seconds = 0, but must be a number > 0, or inf");
  EXPECT_NE(refusal("pO", "1").find("option 'pO' is unknown; known are task, positive, "), std::string::npos);
  EXPECT_NE(refusal("groups", "/no/such").find("/no/such: cannot open the file of --groups"), std::string::npos);
}

TEST(ValuesByFeature, AreReadFromBlankOrCommaSeparatedLines) {
  const TextFile file("name,p0\n# known causes\nage, 0.5\r\n\nblood pressure 0.25\n\"a \"\"b\"\", c\",1\n");
  Settings settings;
  set_option(settings, "feature-priors", file.path());
  const std::vector<std::pair<std::string, double>> wanted{{"age", 0.5}, {"blood pressure", 0.25}, {"a \"b\", c", 1}};
  EXPECT_EQ(settings.feature_p0.entries, wanted);
  EXPECT_EQ(find_option("feature-priors").get(settings), file.path());
  const TextFile variances("age 40\nheight,0.5\n");
  set_option(settings, "feature-prior-variance", variances.path());
  const std::vector<std::pair<std::string, double>> each{{"age", 40}, {"height", 0.5}};
  EXPECT_EQ(settings.feature_prior_variance.entries, each);
}

TEST(Names, AreSeparatedByCommasOutsideOfQuotes) {
  Settings settings;
  set_option(settings, "keep", "age, sex , \"a, \"\"b\"\"\",\" c\"");
  EXPECT_EQ(settings.keep, (std::vector<std::string>{"age", "sex", "a, \"b\"", " c"}));
  EXPECT_EQ(find_option("keep").get(settings), "age,sex,\"a, \"\"b\"\"\",\" c\"");
  EXPECT_EQ(refusal("keep", "a,,b"),
            "keep = 'a,,b', but a name between commas is empty; give names separated by commas");
  EXPECT_EQ(refusal("keep", "\"a"), "keep = '\"a', but a double quote is not closed");
  EXPECT_EQ(refusal("keep", "\"a\"b"), "keep = '\"a\"b', but a comma must follow a name in double quotes");
}

TEST(ValuesByFeature, FaultsAreToldByLine) {
  const TextFile file("age 0.5\nheight 1.5\n");
  EXPECT_EQ(refusal("feature-priors", file.path()),
            file.path() + ":2: the value of 'height' is 1.5, but must lie in [0, 1]");
  const TextFile nothing("age 0\n");
  EXPECT_EQ(refusal("feature-prior-variance", nothing.path()),
            nothing.path() + ":1: the value of 'age' is 0, but must be a number > 0");
  const TextFile alone("age\n");
  EXPECT_EQ(refusal("prior-mean", alone.path()),
            alone.path() + ":1: 'age' has no value; each line is a feature's name and its value");
}

TEST(ValuesByFeature, GroupsComeFromAFile) {
  const TextFile file("feature group\nred colour\nblue colour\n");
  Settings settings;
  set_option(settings, "groups", file.path());
  EXPECT_EQ(settings.groups, GroupsKind::file);
  const std::vector<std::string> names{"age", "blue", "red"};
  EXPECT_EQ(per_feature(settings.feature_group, names, "", "groups"),
            (std::vector<std::string>{"", "colour", "colour"}));
  set_option(settings, "groups", "none");
  EXPECT_TRUE(settings.feature_group.empty());
}

TEST(ValuesByFeature, AreLaidOutInTheOrderOfTheModel) {
  const std::vector<std::string> names{"a", "b", "c"};
  const ByFeature<double> given{"f.txt", {{"c", 3}, {"a", 1}}};
  EXPECT_EQ(per_feature(given, names, 0.5, "feature-priors"), (std::vector<double>{1, 0.5, 3}));
  EXPECT_EQ(per_feature(ByFeature<double>{}, names, 0.5, "x"), (std::vector<double>{0.5, 0.5, 0.5}));
  const auto said = [&](const ByFeature<double>& wrong) -> std::string {
    try {
      per_feature(wrong, names, 0, "feature-priors");
    } catch (const OptionError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said({"f.txt", {{"d", 1}}, {}}),
            "feature-priors of f.txt names 'd', which is no feature of the model; the first feature is 'a'");
  EXPECT_EQ(said({"f.txt", {{"a", 1}, {"d", 1}}, {1, 3}}),
            "f.txt:3: feature-priors names 'd', which is no feature of the model; the first feature is 'a'");
  EXPECT_EQ(said({"", {{"a", 1}, {"a", 1}}, {}}), "feature-priors names 'a' twice");
}

}  // namespace
}  // namespace medlar
