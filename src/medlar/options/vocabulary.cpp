// The words that options take, each with its meaning: the one table from which the command line, Python and model files
// read words and by which they write them.
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {
namespace {

// What follows a colon in the word ("shifts:R") tells the user what stands beside it. Words without a meaning come
// last: `medlar list` does not show them, and no option takes them as they are. Kinds that are told by a number or by a
// list in the word's place, such as BiasKind::variance, have no row.
template <Worded Kind>
struct Row {
  Kind kind;
  std::string_view word, meaning = {};
};

template <Worded Kind, std::size_t size>
constexpr std::array<Word, size> table(const Row<Kind> (&rows)[size]) {
  std::array<Word, size> words;
  for (std::size_t k = 0; k < size; ++k) words[k] = {rows[k].word, rows[k].meaning, static_cast<int>(rows[k].kind)};
  return words;
}

constexpr auto task_words = table<Task>({
    {Task::automatic, "auto", "regress when the target holds numbers other than two classes, else classify"},
    {Task::classify, "classify", "two classes or more"},
    {Task::regress, "regress", "a number"},
    {Task::anomaly, "anomaly", "how odd an example is; needs no target"},
});
constexpr auto model_words = table<ModelKind>({
    {ModelKind::linear, "linear", "a weighted sum of features and a bias"},
    {ModelKind::generative, "generative", "log-likelihood ratios of exponential families"},
    {ModelKind::kernel, "kernel", "a weighted sum of kernels with the support vectors, and a bias; no selection"},
    {ModelKind::latent, "latent", "linear, with something unknown about each example; see --latent"},
});
constexpr auto kernel_words = table<KernelKind>({
    {KernelKind::linear, "linear", "x.y"},
    {KernelKind::poly, "poly", "(gamma x.y + coef0)^degree"},
    {KernelKind::rbf, "rbf", "exp(-gamma |x - y|^2)"},
    {KernelKind::sigmoid, "sigmoid", "tanh(gamma x.y + coef0); refused where it is indefinite"},
    {KernelKind::precomputed, "precomputed", "column t of the data is the kernel with training example t"},
});
constexpr auto multiclass_words = table<Multiclass>({
    {Multiclass::pairs, "pairs", "each two labels by a model of their own, as LIBSVM does"},
    {Multiclass::joint, "joint", "one score for each label, and a constraint for each example and rival label"},
});
constexpr auto latent_words = table<LatentKind>({
    {LatentKind::labels, "labels", "labels that are missing, or believed with a probability (--label-belief)"},
    {LatentKind::shifts, "shifts:R", "a shift by up to R places of a signal, or of an image (--image)"},
    {LatentKind::matrices, "matrices:FILE",
     "one of the linear maps in a file of n columns, one n x n map below the other"},
    {LatentKind::translation, "translation:FILE",
     "a shift along directions, one a line of the file; its columns are features"},
    {LatentKind::alignment, "alignment:S",
     "a path through S states along a sequence; S may be a list or auto, to choose by cross-validation"},
    {LatentKind::none, ""},
});
constexpr auto latent_mode_words = table<LatentMode>({
    {LatentMode::anchored, "anchored",
     "tied to the data: labels by balance and growing weights, U by a template or an HMM without labels"},
    {LatentMode::literal, "literal", "the alternation of the paper, each example with its full weight"},
});
constexpr auto state_path_words = table<StatePath>({
    {StatePath::automatic, "auto", "hmm or segments, by cross-validation"},
    {StatePath::hmm, "hmm", "the posterior of one hidden Markov model of all signals"},
    {StatePath::segments, "segments", "equal parts of each sequence"},
    {StatePath::left_to_right, "left-to-right",
     "a chain that knows nothing of the signal; the one of latent-mode literal"},
    {StatePath::given, "given"},
});
constexpr auto state_statistics_words = table<StateStatistics>({
    {StateStatistics::automatic, "auto", "chosen by cross-validation"},
    {StateStatistics::levels, "levels", "the mean level of each channel"},
    {StateStatistics::squares, "squares", "also of its square"},
    {StateStatistics::changes, "changes", "also of its change and the square of that"},
    {StateStatistics::roots, "roots", "as changes, but of the mean squares their roots"},
});
constexpr auto balance_words = table<BalanceKind>({
    {BalanceKind::automatic, "auto", "the share of positive labels, (positive + 1) / (labelled + 2)"},
    {BalanceKind::none, "none", "no constraint: the bias is fitted"},
});
constexpr auto margin_words = table<MarginKind>({
    {MarginKind::automatic, "auto", "logistic to classify, gaussian to regress; not linear: exponential, tube"},
    {MarginKind::exponential, "exponential",
     "classify: margins up to the location, a penalty near c times the shortfall"},
    {MarginKind::laplace, "laplace", "classify: margins on both sides of the location, smooth at zero loss"},
    {MarginKind::gaussian, "gaussian", "classify: the squared hinge loss; regress: the squared loss"},
    {MarginKind::hinge, "hinge", "classify: the loss of the support vector machine"},
    {MarginKind::logistic, "logistic", "classify: the loss of logistic regression; the score is the log odds"},
    {MarginKind::tube, "tube", "regress: flat up to epsilon, exponential beyond"},
    {MarginKind::svr, "svr", "regress: the loss of support vector regression"},
    {MarginKind::own, "own", "a margin prior that a C++ program brings along (Settings::own_margin)"},
});
constexpr auto prior_words = table<PriorKind>({
    {PriorKind::gaussian, "gaussian", "every feature is in: p0 = 1"},
    {PriorKind::switches, "switches", "each feature is in with probability p0"},
    {PriorKind::groups, "groups", "each group of features is in with probability p0"},
    {PriorKind::empirical, "empirical", "generative: a class's own statistics and a few pseudo-examples"},
    {PriorKind::weak, "weak", "generative: pseudo-examples alone"},
});
constexpr auto family_words = table<FamilyKind>({
    {FamilyKind::automatic, "auto", "a guess for each column: bernoulli, poisson, multinomial or gaussian-diagonal"},
    {FamilyKind::gaussian, "gaussian", "numbers of unit variance"},
    {FamilyKind::gaussian_diagonal, "gaussian-diagonal", "numbers, each column with a variance of its own"},
    {FamilyKind::gaussian_full, "gaussian-full", "numbers, all columns with one covariance matrix"},
    {FamilyKind::multinomial, "multinomial", "counts over all columns, or the levels of a category"},
    {FamilyKind::bernoulli, "bernoulli", "bits"},
    {FamilyKind::poisson, "poisson", "counts"},
    {FamilyKind::exponential, "exponential", "durations"},
    {FamilyKind::tree, "tree", "categories and bits, each depending on another: which on which is a tree"},
});
constexpr auto offset_words = table<Offsets>({
    {Offsets::leave_one_out, "leave-one-out", "an example's margin is that of the prior without it"},
    {Offsets::none, "none", "the prior has seen each example"},
});
constexpr auto switch_words = table<SwitchKind>({
    {SwitchKind::none, "none", "every column is in"},
    {SwitchKind::tied, "tied", "one switch for a column in all classes"},
    {SwitchKind::per_class, "per-class", "a switch for a column in each class"},
});
constexpr auto evidence_words = table<SwitchEvidence>({
    {SwitchEvidence::bayes_factor, "bayes-factor",
     "a switch begins with the odds that its column differs between classes"},
    {SwitchEvidence::none, "none", "a switch begins at p0"},
});
constexpr auto calibration_words = table<CalibrationScores>({
    {CalibrationScores::folds, "folds", "from the scores of five fits, each on examples left out of it"},
    {CalibrationScores::left_out, "left-out", "from the leave-one-out margins before the fit"},
});
constexpr auto group_words = table<GroupsKind>({
    {GroupsKind::columns, "columns", "one switch for all levels of a categorical column"},
    {GroupsKind::none, "none", "one switch for each feature"},
    {GroupsKind::file, "file"},
});
constexpr auto bias_words = table<BiasKind>({
    {BiasKind::automatic, "auto", "flat; for generative models a variance of 1 about the log odds of the classes"},
    {BiasKind::flat, "flat", "a bias without preference"},
    {BiasKind::none, "none", "no bias"},
});
constexpr auto class_weight_words = table<ClassWeightKind>({
    {ClassWeightKind::none, "none", "every example counts as its own weight says"},
    {ClassWeightKind::balanced, "balanced", "both classes count the same in sum"},
});
constexpr auto expand_words = table<ExpansionKind>({
    {ExpansionKind::none, "none", "the features as they are"},
    {ExpansionKind::quadratic, "quadratic", "the features and all their products x_i x_j, i <= j"},
    {ExpansionKind::powers, "powers"},
    {ExpansionKind::fourier, "fourier"},
    {ExpansionKind::nystrom, "nystrom"},
});
constexpr auto transform_words = table<TransformKind>({
    {TransformKind::expand, "expand"},
    {TransformKind::scale, "scale"},
    {TransformKind::fourier, "fourier"},
    {TransformKind::nystrom, "nystrom"},
});
constexpr auto selected_by_words = table<SelectedBy>({
    {SelectedBy::inclusion, "inclusion"},
    {SelectedBy::evidence, "evidence"},
    {SelectedBy::list, "list"},
    {SelectedBy::stability, "stability"},
    {SelectedBy::knockoffs, "knockoffs"},
});
constexpr auto knockoff_words = table<KnockoffKind>({
    {KnockoffKind::gaussian, "gaussian"},
    {KnockoffKind::markov, "markov"},
});
constexpr auto curve_words = table<CurveKind>({
    {CurveKind::platt, "platt"},
    {CurveKind::isotonic, "isotonic"},
    {CurveKind::folds, "folds"},
});
constexpr auto list_maker_words = table<ListMaker>({
    {ListMaker::projection, "projection"},
    {ListMaker::blend, "blend"},
    {ListMaker::refit, "refit"},
    {ListMaker::candidate, "candidate"},
});
constexpr auto swept_words = table<Swept>({
    {Swept::p0, "p0"},
    {Swept::c, "c"},
    {Swept::prior_variance, "prior-variance"},
});
constexpr auto scale_words = table<ScaleKind>({
    {ScaleKind::automatic, "auto", "standard for dense data, maxabs for sparse data"},
    {ScaleKind::standard, "standard", "mean 0 and standard deviation 1"},
    {ScaleKind::maxabs, "maxabs", "largest absolute value 1, zeros stay zeros"},
    {ScaleKind::none, "none", "the features as they are"},
});
constexpr auto precision_words = table<ValuePrecision>({
    {ValuePrecision::doubles, "double", "as they were read"},
    {ValuePrecision::floats, "float", "rounded to seven digits, in half the memory; all sums are still in double"},
});
constexpr auto gram_precision_words = table<GramPrecision>({
    {GramPrecision::floats, "float",
     "rounded to seven digits, rbf with a curved margin to five: more rows in the same memory; certificates are in "
     "double"},
    {GramPrecision::doubles, "double", "in full, for kernels whose values differ by many orders of magnitude"},
});
constexpr auto solver_words = table<SolverKind>({
    {SolverKind::automatic, "auto", "the solver that suits the shape of the data; what it leaves, newton finishes"},
    {SolverKind::ascent, "ascent", "one multiplier at a time, then Newton steps on the free ones"},
    {SolverKind::primal_newton, "primal-newton", "Newton steps over the features, for many more examples"},
    {SolverKind::newton, "newton", "interior-point Newton steps, the most dependable"},
    {SolverKind::coordinate, "coordinate", "the paper's: one multiplier, or a pair, at a time to the exact maximum"},
    {SolverKind::bounded_qp, "bounded-qp", "the paper's: a sequence of quadratic programs below J, then coordinate"},
    {SolverKind::smo, "smo", "pairs of multipliers, for kernels and for linear models without selection (p0 = 1)"},
});

constexpr auto line_search_words = table<LineSearch>({
    {LineSearch::newton, "newton", "safeguarded Newton steps on the slope of J"},
    {LineSearch::brent, "brent", "Brent's method on J itself, as in the paper"},
});

struct Vocabulary {
  std::string_view option;
  std::span<const Word> all, shown;
};

template <Worded Kind, std::size_t size>
constexpr Vocabulary of(const std::array<Word, size>& words) {
  std::size_t shown = size;
  while (shown > 0 && words[shown - 1].meaning.empty()) --shown;
  return {option_of(Kind{}), words, std::span(words).first(shown)};
}

constexpr std::array vocabularies{
    of<Task>(task_words),
    of<ModelKind>(model_words),
    of<MarginKind>(margin_words),
    of<PriorKind>(prior_words),
    of<GroupsKind>(group_words),
    of<BiasKind>(bias_words),
    of<TransformKind>(transform_words),
    of<SelectedBy>(selected_by_words),
    of<KnockoffKind>(knockoff_words),
    of<CurveKind>(curve_words),
    of<ListMaker>(list_maker_words),
    of<Swept>(swept_words),
    of<ScaleKind>(scale_words),
    of<ClassWeightKind>(class_weight_words),
    of<ExpansionKind>(expand_words),
    of<ValuePrecision>(precision_words),
    of<GramPrecision>(gram_precision_words),
    of<SolverKind>(solver_words),
    of<KernelKind>(kernel_words),
    of<Multiclass>(multiclass_words),
    of<LineSearch>(line_search_words),
    of<FamilyKind>(family_words),
    of<Offsets>(offset_words),
    of<SwitchKind>(switch_words),
    of<SwitchEvidence>(evidence_words),
    of<CalibrationScores>(calibration_words),
    of<LatentKind>(latent_words),
    of<BalanceKind>(balance_words),
    of<LatentMode>(latent_mode_words),
    of<StatePath>(state_path_words),
    of<StateStatistics>(state_statistics_words),
};

const Vocabulary* find_vocabulary(std::string_view option) {
  const auto found = std::find_if(vocabularies.begin(), vocabularies.end(),
                                  [&](const Vocabulary& vocabulary) { return vocabulary.option == option; });
  return found == vocabularies.end() ? nullptr : &*found;
}

std::string_view before_colon(std::string_view word) {
  return word.substr(0, word.find(':'));
}

}  // namespace

std::span<const Word> words(std::string_view option) {
  const Vocabulary* const vocabulary = find_vocabulary(option);
  return vocabulary == nullptr ? std::span<const Word>() : vocabulary->shown;
}

std::string_view word_at(std::string_view option, int enumerator) {
  for (const Word& word : find_vocabulary(option)->all) {
    if (word.enumerator == enumerator) return before_colon(word.name);
  }
  return {};
}

std::optional<int> find_word(std::string_view option, std::string_view text) {
  for (const Word& word : find_vocabulary(option)->all) {
    if (before_colon(word.name) == text) return word.enumerator;
  }
  return std::nullopt;
}

int shown_word(std::string_view option, std::string_view text) {
  std::string known;
  for (const Word& word : words(option)) {
    if (word.name == text) return word.enumerator;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", word.name);
  }
  throw OptionError(fmt::format("{} = '{}' is unknown; known are {}", option, text, known));
}

WrittenNumber::WrittenNumber(double number) : value(number), text(medlar::text_of(number)) {}

std::string text_of(const BiasChoice& bias) {
  return bias == BiasKind::variance ? bias.argument.text : text_of(bias.kind);
}
std::string text_of(const BalanceChoice& balance) {
  return balance == BalanceKind::share ? balance.argument.text : text_of(balance.kind);
}
std::string text_of(const ClassWeightChoice& weights) {
  return weights == ClassWeightKind::by_label ? weights.argument : text_of(weights.kind);
}
std::string text_of(const LatentChoice& latent) {
  return fmt::format("{}{}{}", word_of(latent.kind), latent.argument.empty() ? "" : ":", latent.argument);
}
std::string text_of(const StatePathChoice& path) {
  return path == StatePath::given ? "file:" + path.argument : text_of(path.kind);
}
std::string text_of(const ExpansionChoice& expand) {
  const bool sized = expand != ExpansionKind::none && expand != ExpansionKind::quadratic;
  return sized ? fmt::format("{}:{}", expand.kind, expand.argument) : text_of(expand.kind);
}
std::string text_of(const FamilyChoice& family) {
  if (family != FamilyKind::by_column) return text_of(family.kind);
  std::string text;
  for (const auto& [column, kind] : family.argument) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", column, word_of(kind));
  }
  return text;
}

}  // namespace medlar
