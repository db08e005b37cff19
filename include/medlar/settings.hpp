// Everything a user may choose, and the one table of options that names it: the command line, `medlar list`,
// the model file, the Python keywords and docs/options.md are all made from options().
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

struct Settings {
  // what is fitted
  std::string task = "auto";  // auto, classify, regress
  std::string positive;       // classify: these labels (comma-separated) against all others
  std::string model = "linear";
  std::string margin = "auto";  // exponential, laplace, gaussian, hinge; tube, svr
  std::optional<double> c;      // 3 to classify, 10 / sd(y) to regress
  double margin_location = 1;
  std::optional<double> epsilon;  // 0.1 sd(y)
  double p0 = 1e-3;
  std::vector<double> feature_p0;  // empty, or p0 of each feature
  std::vector<double> prior_mean;  // empty, or m0 of each feature (p0 = 1 only)
  double prior_variance = 1;
  std::string groups = "columns";     // columns (one switch per categorical column), none, or a file
  std::string bias = "flat";          // flat, none, or a variance
  std::string class_weight = "none";  // none, balanced, label:weight,...
  // how the data is prepared
  std::string expand = "none";  // none, quadratic, powers:D
  std::string scale = "auto";   // standard (dense), maxabs (sparse), none
  // how it is solved
  std::string solver = "auto";
  double tolerance = 1e-6;
  Index max_passes = 100000;
  double max_seconds = HUGE_VAL;
  Index threads = 0;  // 0: all
  Index seed = 1;
};

// One row of the table. `set` reads the user's text and throws OptionError with a full sentence.
struct Option {
  std::string_view name;      // as on the command line, without the dashes: "prior-variance"
  std::string_view values;    // what it takes: "number > 0"
  std::string_view fallback;  // the default, in words
  std::string_view meaning;
  std::string_view chapter;  // model, data, solver
  void (*set)(Settings&, std::string_view text);
  std::string (*get)(const Settings&);
};

std::span<const Option> options();

// Sets one option by name; an unknown name lists the known ones.
void set_option(Settings& settings, std::string_view name, std::string_view text);

}  // namespace medlar
