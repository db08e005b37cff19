// Everything a user may choose, and the one table of options that names it: the command line, `medlar list`,
// the model file, the Python keywords and docs/options.md are all made from options(). words.hpp says what each word
// means.
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
#include "medlar/words.hpp"

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
  // What is fitted.
  //
  // What is predicted.
  Task task = Task::automatic;
  // classify: these labels (comma-separated) against all others.
  std::string positive;
  // The kind of discriminant.
  ModelKind model = ModelKind::linear;
  // model = kernel, and expand = fourier or nystrom: the inner product.
  KernelKind kernel = KernelKind::rbf;
  // The parameters of the kernel; gamma is 1 / features unless given.
  std::optional<double> gamma;
  double coef0 = 0;
  Index degree = 3;
  // The prior over margins, which decides the loss.
  MarginKind margin = MarginKind::automatic;
  // A margin prior of your own, own_margin(MyMargin{...}) of medlar/core/margin.hpp. The margin is then automatic or
  // own, and c, margin_location and epsilon say nothing of it. No model file holds it: a model that was fitted with it
  // says margin = own and predicts as any other; to fit again, give it again.
  std::shared_ptr<const OwnMargin> own_margin;
  // The rate of the margin prior. Unless given 3 to classify, of the logistic margin 1; to regress 10 / sd(y), of the
  // gaussian margin sqrt(10) / sd(y).
  std::optional<double> c;
  // classify: the margin that the prior asks for. 1 unless given, which logistic has no use for; generative: the median
  // absolute leave-one-out margin.
  std::optional<double> margin_location;
  // regress: errors up to this size are all alike to the prior. 0.1 sd(y) unless given; gaussian has no use for it.
  std::optional<double> epsilon;
  // The prior probability that a feature is in; 1 selects nothing.
  double p0 = 1e-3;
  // p0 of the features that are named; the others keep p0.
  ByFeature<double> feature_p0;
  // The prior mean of the features that are named (p0 = 1 only); the others have 0.
  ByFeature<double> prior_mean;
  // Features that stay in, by name, or by the name of a category: they have no switch and no prior variance; their
  // coefficients are flat, as a flat bias is.
  std::vector<std::string> keep;
  // The prior variance of a coefficient that is in: 1 to classify and var(y) to regress unless given.
  std::optional<double> prior_variance;
  // The prior variance of the features that are named; the others have prior_variance.
  ByFeature<double> feature_prior_variance;
  // Which features share one switch.
  GroupsKind groups = GroupsKind::columns;
  // groups = file: the group of the features that are named; the others stand alone.
  ByFeature<std::string> feature_group;
  // The prior over the bias, such as BiasKind::flat or {BiasKind::variance, 0.5}.
  BiasChoice bias = BiasKind::automatic;
  // classify: the weight of each class, such as {ClassWeightKind::by_label, "yes:2,no:1"}.
  ClassWeightChoice class_weight = ClassWeightKind::none;
  // model = kernel: how more than two labels are told apart.
  Multiclass multiclass = Multiclass::pairs;

  // Generative models.
  //
  // The family of all columns, or {FamilyKind::by_column, {{"age", FamilyKind::poisson}}}.
  FamilyChoice family = FamilyKind::automatic;
  // The pseudo-examples of the prior.
  double prior_strength = 1;
  // The weight of a class's own statistics in its prior; 0 is a weak prior.
  double statistics_weight = 1;
  // Whether an example's margin is measured with a prior that has seen it.
  Offsets offsets = Offsets::leave_one_out;
  // The switches that select columns.
  SwitchKind switches = SwitchKind::none;
  // What a switch knows before the fit.
  SwitchEvidence switch_evidence = SwitchEvidence::bayes_factor;
  // Which scores become probabilities.
  CalibrationScores calibration = CalibrationScores::folds;
  // anomaly: the share of examples that lie below the level.
  double alpha = 0.05;
  // anomaly: the share of examples left out of the empirical prior.
  double trim = 0.1;

  // Latent variables, with model = latent.
  //
  // What is unknown, such as LatentKind::labels or {LatentKind::shifts, "2"}.
  LatentChoice latent = LatentKind::none;
  // How it is fitted.
  LatentMode latent_mode = LatentMode::anchored;
  // labels: the share of positive examples among the unlabelled, such as {BalanceKind::share, 0.3}.
  BalanceChoice balance = BalanceKind::automatic;
  // labels, anchored: what an unlabelled example counts.
  double unlabelled_weight = 0.1;
  // shifts: height x width of an image; empty for a signal.
  std::string image;
  // shifts of an image: it may also be turned by this angle either way.
  double rotation = 0;
  // alignment: what gives the states, such as StatePath::hmm or {StatePath::given, "chain.csv"}.
  StatePathChoice state_path = StatePath::automatic;
  // alignment: what is measured in each state.
  StateStatistics state_statistics = StateStatistics::automatic;

  // How the data is prepared.
  //
  // What is added to the features, such as ExpansionKind::quadratic or {ExpansionKind::powers, 3}.
  ExpansionChoice expand = ExpansionKind::none;
  // How features are scaled.
  ScaleKind scale = ScaleKind::automatic;
  // How the values of features are kept.
  ValuePrecision precision = ValuePrecision::doubles;

  // How it is solved.
  //
  // How the dual is maximised.
  SolverKind solver = SolverKind::automatic;
  // solver = coordinate or bounded_qp: how a maximum along a line is found.
  LineSearch line_search = LineSearch::newton;
  // The relative duality gap that counts as converged.
  double tolerance = 1e-6;
  // The solve stops at its next check after so many passes over the data, or so many seconds.
  Index max_passes = 100000;
  double max_seconds = HUGE_VAL;
  // model = kernel: megabytes for rows of the Gram matrix, and how they are kept.
  double cache_mb = 200;
  GramPrecision gram_precision = GramPrecision::floats;
  // Processor cores; 0 is all.
  Index threads = 0;
  // The seed of every random choice.
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

}  // namespace medlar
