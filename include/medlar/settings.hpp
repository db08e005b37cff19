// Everything a user may choose, and the one table of options that names it: the command line, `medlar list`,
// the model file, the Python keywords and docs/options.md are all made from options().
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

class OwnMargin;

// Values given to features by name, from a file or by a program; per_feature() lays them out in the model's order.
template <class Value>
struct ByFeature {
  std::string source;  // the file they came from, for messages; empty when a program gave them
  std::vector<std::pair<std::string, Value>> entries;
  std::vector<Index> lines = {};  // of each entry in the source, for messages; empty if unknown
  bool empty() const { return entries.empty(); }
  friend bool operator==(const ByFeature& a, const ByFeature& b) {
    return a.source == b.source && a.entries == b.entries;
  }
};

struct Settings {
  // what is fitted
  std::string task = "auto";  // auto, classify, regress, anomaly
  std::string positive;       // classify: these labels (comma-separated) against all others
  std::string model = "linear";
  std::string kernel = "rbf";   // model = kernel: linear, poly, rbf, sigmoid, precomputed
  std::optional<double> gamma;  // 1 / features
  double coef0 = 0;
  Index degree = 3;
  std::string margin = "auto";  // exponential, laplace, gaussian, hinge; tube, svr; own
  // A margin prior of your own, own_margin(MyMargin{...}) of medlar/core/margin.hpp: margin is then auto or own, and c,
  // margin_location and epsilon say nothing of it. No model file holds it. A model that was fitted with it says
  // margin = own and predicts as any other; to fit again, give it again.
  std::shared_ptr<const OwnMargin> own_margin;
  std::optional<double> c;                // 3 to classify, 10 / sd(y) to regress
  std::optional<double> margin_location;  // 1; generative: the median absolute leave-one-out margin
  std::optional<double> epsilon;          // 0.1 sd(y)
  double p0 = 1e-3;
  ByFeature<double> feature_p0;          // p0 of the features that are named; the others keep p0
  ByFeature<double> prior_mean;          // m0 of the features that are named (p0 = 1 only); the others have 0
  std::optional<double> prior_variance;  // 1 to classify, var(y) to regress
  std::string groups = "columns";        // columns (one switch per categorical column), none, or file
  ByFeature<std::string> feature_group;  // groups = file: the group of the features that are named; others stand alone
  std::string bias = "auto";             // flat, none, or a variance; auto: flat, of generative models 1
  std::string class_weight = "none";     // none, balanced, label:weight,...
  std::string multiclass = "pairs";      // model = kernel with more than two labels: pairs, joint
  // generative models
  std::string family = "auto";                   // a family for all columns, or column:family,...
  double prior_strength = 1;                     // pseudo-examples of the prior
  double statistics_weight = 1;                  // of the class's own statistics in its prior; 0: a weak prior
  std::string offsets = "leave-one-out";         // leave-one-out, none
  std::string switches = "none";                 // none, tied, per-class
  std::string switch_evidence = "bayes-factor";  // bayes-factor, none
  std::string calibration = "folds";             // folds, left-out
  double alpha = 0.05;                           // anomaly: the share of examples that lie below the level
  double trim = 0.1;                             // anomaly: the share of examples left out of the empirical prior
  // latent variables, with model = latent
  std::string latent;                     // labels, shifts:R, matrices:FILE, translation:FILE, alignment:S
  std::string latent_mode = "anchored";   // anchored, literal
  std::string balance = "auto";           // auto, none, or the share of positive examples among the unlabelled
  double unlabelled_weight = 0.1;         // anchored: what an unlabelled example counts
  std::string image;                      // shifts: height x width of an image; empty: a signal
  double rotation = 0;                    // shifts of an image: also turned by this angle either way
  std::string state_path = "auto";        // alignment: hmm, segments, left-to-right
  std::string state_statistics = "auto";  // alignment: levels, squares, changes
  // how the data is prepared
  std::string expand = "none";       // none, quadratic, powers:D
  std::string scale = "auto";        // standard (dense), maxabs (sparse), none
  std::string precision = "double";  // double, float: how the values of features are kept
  // how it is solved
  std::string solver = "auto";
  std::string line_search = "newton";  // solver = coordinate, bounded-qp: newton, brent
  double tolerance = 1e-6;
  Index max_passes = 100000;
  double max_seconds = HUGE_VAL;
  double cache_mb = 200;                 // model = kernel: rows of the Gram matrix that are kept
  std::string gram_precision = "float";  // model = kernel: float, double: how they are kept
  Index threads = 0;                     // 0: all
  Index seed = 1;
  friend bool operator==(const Settings&, const Settings&) = default;
};

// One row of the table. `set` reads the user's text and throws OptionError with a full sentence; `get` gives the text
// that `set` reads back to the same bits.
struct Option {
  std::string_view name;      // as on the command line, without the dashes: "prior-variance"
  std::string_view values;    // what it takes: "number > 0"
  std::string_view fallback;  // the default, in words
  std::string_view meaning;
  std::string_view chapter;  // model, data, solver
  bool numeric;              // its text is a number (or a word such as "auto")
  void (*set)(Settings&, std::string_view text);
  std::string (*get)(const Settings&);
};

std::span<const Option> options();

// The row of that name; an unknown name lists the known ones.
const Option& find_option(std::string_view name);

// Sets one option by name.
void set_option(Settings& settings, std::string_view name, std::string_view text);

// The values in the order of `names`, with `fallback` for features that are not named. A name that is no feature, or
// is given twice, is an OptionError that speaks of `option` ("feature-priors").
std::vector<double> per_feature(const ByFeature<double>& given, std::span<const std::string> names, double fallback,
                                std::string_view option);
std::vector<std::string> per_feature(const ByFeature<std::string>& given, std::span<const std::string> names,
                                     const std::string& fallback, std::string_view option);

// A word that an option with a closed list of words knows, and what it means.
struct Word {
  std::string_view name, meaning;
};

// words("margin"), words("solver"), ...; empty for an option that takes numbers, files or free text. words("prior")
// are the priors over coefficients, between which p0 and groups choose (Model::prior).
std::span<const Word> words(std::string_view option);

}  // namespace medlar
