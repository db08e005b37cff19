// The words that options take, as types. A program writes settings.margin = MarginKind::hinge; the command line, Python
// and model files write "hinge". One table (src/medlar/options/vocabulary.cpp) reads and writes the words of all.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// What is predicted.
enum class Task {
  // regress when the target holds numbers other than two classes, else classify
  automatic,
  // two classes or more
  classify,
  // a number
  regress,
  // how odd an example is; needs no target
  anomaly,
};

// The kind of discriminant.
enum class ModelKind {
  // a weighted sum of features and a bias
  linear,
  // log-likelihood ratios of exponential families
  generative,
  // a weighted sum of kernels with the support vectors, and a bias
  kernel,
  // linear, with something unknown about each example; LatentKind says what
  latent,
};

// The inner product of two examples.
enum class KernelKind {
  // x.y
  linear,
  // (gamma x.y + coef0)^degree
  poly,
  // exp(-gamma |x - y|^2)
  rbf,
  // tanh(gamma x.y + coef0), which is indefinite for many parameters
  sigmoid,
  // column t of the data is the kernel with training example t
  precomputed,
};

// How a kernel model tells more than two labels apart.
enum class Multiclass {
  // each two labels by a model of their own
  pairs,
  // one score for each label
  joint,
};

// The prior over margins, which decides the loss.
enum class MarginKind {
  // logistic to classify, gaussian to regress; not linear: exponential, tube
  automatic,
  // classify: margins up to the location, a penalty near c times the shortfall
  exponential,
  // classify: margins on both sides of the location
  laplace,
  // classify: the squared hinge loss; regress: the squared loss
  gaussian,
  // classify: the loss of the support vector machine
  hinge,
  // classify: the loss of logistic regression; the score is the log odds
  logistic,
  // regress: flat up to epsilon, exponential beyond
  tube,
  // regress: the loss of support vector regression
  svr,
  // one that a program brings along, Settings::own_margin
  own,
};

// The prior over coefficients, which p0, the groups and the kind of model decide.
enum class PriorKind {
  // every feature is in: p0 = 1
  gaussian,
  // each feature is in with probability p0
  switches,
  // each group of features is in with probability p0
  groups,
  // generative: a class's own statistics and a few pseudo-examples
  empirical,
  // generative: pseudo-examples alone
  weak,
};

// Which features share one switch.
enum class GroupsKind {
  // the levels of a categorical column
  columns,
  // none do
  none,
  // those of one group in Settings::feature_group
  file,
};

// The prior over the bias.
enum class BiasKind {
  // flat; for generative models a variance of 1 about the log odds of the classes
  automatic,
  // no preference
  flat,
  // no bias
  none,
  // normal, with a variance that is given
  variance,
};

// How the classes are weighted against each other.
enum class ClassWeightKind {
  // every example counts as its own weight says
  none,
  // all classes count the same in sum
  balanced,
  // by a weight for each label
  by_label,
};

// The exponential family of a column of a generative model.
enum class FamilyKind {
  // a guess for each column from its values
  automatic,
  // numbers of unit variance
  gaussian,
  // numbers, each column with a variance of its own
  gaussian_diagonal,
  // numbers, all columns with one covariance matrix
  gaussian_full,
  // counts over all columns, or the levels of a category
  multinomial,
  // bits
  bernoulli,
  // counts
  poisson,
  // durations
  exponential,
  // categories and bits, each depending on another: which on which is a tree
  tree,
  // of all columns together: each column has a family of its own
  by_column,
};

// Whether an example's margin in a generative model is measured with a prior that has seen the example.
enum class Offsets {
  // with the prior without it
  leave_one_out,
  // with the prior of all examples
  none,
};

// The switches of a generative model.
enum class SwitchKind {
  // every column is in
  none,
  // one switch for a column in all classes
  tied,
  // a switch for a column in each class
  per_class,
};

// What a switch of a generative model knows before the fit.
enum class SwitchEvidence {
  // the odds that its column differs between classes
  bayes_factor,
  // p0 alone
  none,
};

// Which scores of a generative model become probabilities.
enum class CalibrationScores {
  // those of five fits, each on examples left out of it
  folds,
  // the leave-one-out margins before the fit
  left_out,
};

// What is unknown about the examples of a latent model.
enum class LatentKind {
  // nothing; other models
  none,
  // labels that are missing, or believed with a probability
  labels,
  // a shift by up to R places of a signal, or of an image
  shifts,
  // which of the linear maps in a file was applied
  matrices,
  // a shift along the directions in a file
  translation,
  // a path through S states along a sequence
  alignment,
};

// How the unknown of a latent model is fitted.
enum class LatentMode {
  // tied to the data
  anchored,
  // the alternation of the paper
  literal,
};

// The share of positive examples among those of unknown label.
enum class BalanceKind {
  // as among the labelled examples
  automatic,
  // no constraint: the bias is fitted
  none,
  // a share that is given
  share,
};

// What gives the states of a sequence.
enum class StatePath {
  // hmm or segments, by cross-validation
  automatic,
  // the posterior of one hidden Markov model of all signals
  hmm,
  // equal parts of each sequence
  segments,
  // a chain that knows nothing of the signal
  left_to_right,
  // a chain that is read from a file
  given,
};

// What is measured in each state of a sequence.
enum class StateStatistics {
  // chosen by cross-validation
  automatic,
  // the mean level of each channel
  levels,
  // also of its square
  squares,
  // also of its change and the square of that
  changes,
  // as changes, with the roots of the mean squares
  roots,
};

// What is added to the features, or put in their place.
enum class ExpansionKind {
  // the features as they are
  none,
  // the features and all their products x_i x_j, i <= j
  quadratic,
  // the powers of each feature up to D
  powers,
  // D waves whose inner product is near an rbf kernel
  fourier,
  // D combinations of kernels with training examples
  nystrom,
};

// One step from the features of the file to those of the model.
enum class TransformKind {
  // products of features
  expand,
  // a shift and a factor for each feature
  scale,
  // waves whose inner product is near an rbf kernel
  fourier,
  // combinations of kernels with training examples
  nystrom,
};

// What says which features of a model count as selected.
enum class SelectedBy {
  // an inclusion above 1/2, which bounds no error
  inclusion,
  // a correlation with the target beyond chance, and a coefficient that is large among the others
  evidence,
  // the short list of a tuned model: the fewest features that predict nearly as well as any list does
  list,
  // being chosen again in refits of parts of the examples
  stability,
  // beating their knockoffs at a false-discovery rate
  knockoffs,
};

// How copies of features are made.
enum class KnockoffKind {
  // equal to the features in mean and covariance
  gaussian,
  // by a Markov chain along variables with few values
  markov,
};

// The curve from score to probability.
enum class CurveKind {
  // 1/(1 + e^-(slope L + intercept))
  platt,
  // rising steps
  isotonic,
  // platt with a prior on its two numbers, clipped; of several labels a temperature
  folds,
};

// How the coefficients of a short list are made.
enum class ListMaker {
  // least squares to the scores of a fit of all features
  projection,
  // least squares to these scores mixed with the targets
  blend,
  // least squares to the targets
  refit,
  // one of the candidates of tune that refit few features
  candidate,
};

// What a path sweeps.
enum class Swept {
  // the prior probability that a feature is in
  p0,
  // the rate of the margin prior
  c,
  // the prior variance of a coefficient that is in
  prior_variance,
};

// How features are scaled.
enum class ScaleKind {
  // standard for dense data, maxabs for sparse data
  automatic,
  // mean 0 and standard deviation 1
  standard,
  // largest absolute value 1; zeros stay zeros
  maxabs,
  // as they are
  none,
};

// How the values of features are kept.
enum class ValuePrecision {
  // as they were read
  doubles,
  // rounded to seven digits, in half the memory
  floats,
};

// How rows of the Gram matrix are kept.
enum class GramPrecision {
  // rounded, so that more rows fit
  floats,
  // in full
  doubles,
};

// How the dual is maximised.
enum class SolverKind {
  // the solver that suits the shape of the data
  automatic,
  // one multiplier at a time, then Newton steps on the free ones
  ascent,
  // Newton steps over the features
  primal_newton,
  // interior-point Newton steps
  newton,
  // the paper's: one multiplier, or a pair, at a time
  coordinate,
  // the paper's: a sequence of quadratic programs below J
  bounded_qp,
  // pairs of multipliers
  smo,
};

// How the solvers of the paper find a maximum along a line.
enum class LineSearch {
  // safeguarded Newton steps on the slope of J
  newton,
  // Brent's method on J itself
  brent,
};

// The option whose words are those of the type; for types of which no option speaks, a name of their own.
constexpr std::string_view option_of(Task) {
  return "task";
}
constexpr std::string_view option_of(ModelKind) {
  return "model";
}
constexpr std::string_view option_of(KernelKind) {
  return "kernel";
}
constexpr std::string_view option_of(Multiclass) {
  return "multiclass";
}
constexpr std::string_view option_of(MarginKind) {
  return "margin";
}
constexpr std::string_view option_of(PriorKind) {
  return "prior";
}
constexpr std::string_view option_of(GroupsKind) {
  return "groups";
}
constexpr std::string_view option_of(BiasKind) {
  return "bias";
}
constexpr std::string_view option_of(ClassWeightKind) {
  return "class-weight";
}
constexpr std::string_view option_of(FamilyKind) {
  return "family";
}
constexpr std::string_view option_of(Offsets) {
  return "offsets";
}
constexpr std::string_view option_of(SwitchKind) {
  return "switches";
}
constexpr std::string_view option_of(SwitchEvidence) {
  return "switch-evidence";
}
constexpr std::string_view option_of(CalibrationScores) {
  return "calibration";
}
constexpr std::string_view option_of(LatentKind) {
  return "latent";
}
constexpr std::string_view option_of(LatentMode) {
  return "latent-mode";
}
constexpr std::string_view option_of(BalanceKind) {
  return "balance";
}
constexpr std::string_view option_of(StatePath) {
  return "state-path";
}
constexpr std::string_view option_of(StateStatistics) {
  return "state-statistics";
}
constexpr std::string_view option_of(ExpansionKind) {
  return "expand";
}
constexpr std::string_view option_of(TransformKind) {
  return "transform";
}
constexpr std::string_view option_of(SelectedBy) {
  return "selected-by";
}
constexpr std::string_view option_of(KnockoffKind) {
  return "knockoffs";
}
constexpr std::string_view option_of(CurveKind) {
  return "recalibrate";
}
constexpr std::string_view option_of(ListMaker) {
  return "made-by";
}
constexpr std::string_view option_of(Swept) {
  return "over";
}
constexpr std::string_view option_of(ScaleKind) {
  return "scale";
}
constexpr std::string_view option_of(ValuePrecision) {
  return "precision";
}
constexpr std::string_view option_of(GramPrecision) {
  return "gram-precision";
}
constexpr std::string_view option_of(SolverKind) {
  return "solver";
}
constexpr std::string_view option_of(LineSearch) {
  return "line-search";
}

// The types that the table has words for.
template <class Kind>
concept Worded = requires(Kind kind) {
  option_of(kind);
};

// The table, by the number of the enumerator; word_of() and read_word() are for programs.
std::string_view word_at(std::string_view option, int enumerator);
std::optional<int> find_word(std::string_view option, std::string_view text);

// "hinge" of MarginKind::hinge. What stands in place of a word, such as a variance, has an empty one.
template <Worded Kind>
std::string_view word_of(Kind kind) {
  return word_at(option_of(Kind{}), static_cast<int>(kind));
}

// MarginKind::hinge of "hinge"; nothing for text that is no word of the type.
template <Worded Kind>
std::optional<Kind> read_word(std::string_view text) {
  if (const auto enumerator = find_word(option_of(Kind{}), text)) return static_cast<Kind>(*enumerator);
  return std::nullopt;
}

// A word of an option as `medlar list` shows it, what it means, and the number of its enumerator.
struct Word {
  std::string_view name, meaning;
  int enumerator = 0;
};

// words("margin"), words("solver"), ...; empty for an option that takes numbers, files or free text. words("prior")
// are the priors over coefficients, between which p0 and groups choose (Model::prior).
std::span<const Word> words(std::string_view option);

// A word, and what some words have beside them: {ExpansionKind::powers, 3} is "powers:3".
template <Worded Kind, class Argument>
struct WithArgument {
  Kind kind = {};
  Argument argument = {};
  WithArgument() = default;
  WithArgument(Kind word, Argument beside = {}) : kind(word), argument(std::move(beside)) {}
  friend bool operator==(const WithArgument&, const WithArgument&) = default;
  friend bool operator==(const WithArgument& choice, Kind word) { return choice.kind == word; }
};

// A number that messages and model files repeat as it was written: "1.0" stays "1.0".
struct WrittenNumber {
  double value = 0;
  std::string text = "0";
  WrittenNumber() = default;
  // In the shortest text that reads back to the same bits.
  WrittenNumber(double number);
  WrittenNumber(double number, std::string_view written) : value(number), text(written) {}
  friend bool operator==(const WrittenNumber&, const WrittenNumber&) = default;
};

// BiasKind::variance has the variance beside it.
using BiasChoice = WithArgument<BiasKind, WrittenNumber>;
// BalanceKind::share has the share.
using BalanceChoice = WithArgument<BalanceKind, WrittenNumber>;
// ClassWeightKind::by_label has label:weight,...
using ClassWeightChoice = WithArgument<ClassWeightKind, std::string>;
// FamilyKind::by_column has each column with its family.
using FamilyChoice = WithArgument<FamilyKind, std::vector<std::pair<std::string, FamilyKind>>>;
// shifts have R, matrices and translation their file; alignment has S, several S with commas, or "auto".
using LatentChoice = WithArgument<LatentKind, std::string>;
// StatePath::given has the file of the chain.
using StatePathChoice = WithArgument<StatePath, std::string>;
// powers, fourier and nystrom have D.
using ExpansionChoice = WithArgument<ExpansionKind, Index>;

// The text that the option reads back: "flat", "0.5", "powers:3".
template <Worded Kind>
std::string text_of(Kind kind) {
  return std::string(word_of(kind));
}
std::string text_of(const BiasChoice& bias);
std::string text_of(const BalanceChoice& balance);
std::string text_of(const ClassWeightChoice& weights);
std::string text_of(const LatentChoice& latent);
std::string text_of(const StatePathChoice& path);
std::string text_of(const ExpansionChoice& expand);
std::string text_of(const FamilyChoice& family);

}  // namespace medlar
