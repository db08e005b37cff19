// The words that options take, each with its meaning.
#include <array>

#include "medlar/settings.hpp"

namespace medlar {
namespace {

constexpr std::array task_words{
    Word{"auto", "regress when the target holds numbers other than two classes, else classify"},
    Word{"classify", "two classes or more"},
    Word{"regress", "a number"},
    Word{"anomaly", "how odd an example is; needs no target"},
};
constexpr std::array model_words{
    Word{"linear", "a weighted sum of features and a bias"},
    Word{"generative", "log-likelihood ratios of exponential families"},
    Word{"kernel", "a weighted sum of kernels with the support vectors, and a bias; no selection"},
    Word{"latent", "linear, with something unknown about each example; see --latent"},
};
constexpr std::array kernel_words{
    Word{"linear", "x.y"},
    Word{"poly", "(gamma x.y + coef0)^degree"},
    Word{"rbf", "exp(-gamma |x - y|^2)"},
    Word{"sigmoid", "tanh(gamma x.y + coef0); refused where it is indefinite"},
    Word{"precomputed", "column t of the data is the kernel with training example t"},
};
constexpr std::array multiclass_words{
    Word{"pairs", "each two labels by a model of their own, as LIBSVM does"},
    Word{"joint", "one score for each label, and a constraint for each example and rival label"},
};
constexpr std::array latent_words{
    Word{"labels", "labels that are missing, or believed with a probability (--label-belief)"},
    Word{"shifts:R", "a shift by up to R places of a signal, or of an image (--image)"},
    Word{"matrices:FILE", "one of the linear maps in a file of n columns, one n x n map below the other"},
    Word{"translation:FILE", "a shift along directions, one a line of the file; its columns are features"},
    Word{"alignment:S",
         "a path through S states along a sequence; S may be a list or auto, to choose by cross-validation"},
};
constexpr std::array latent_mode_words{
    Word{"anchored",
         "tied to the data: labels by balance and growing weights, U by a template or an HMM without labels"},
    Word{"literal", "the alternation of the paper, each example with its full weight"},
};
constexpr std::array state_path_words{
    Word{"auto", "hmm or segments, by cross-validation"},
    Word{"hmm", "the posterior of one hidden Markov model of all signals"},
    Word{"segments", "equal parts of each sequence"},
    Word{"left-to-right", "a chain that knows nothing of the signal; the one of latent-mode literal"},
};
constexpr std::array state_statistics_words{
    Word{"auto", "chosen by cross-validation"},
    Word{"levels", "the mean level of each channel"},
    Word{"squares", "also of its square"},
    Word{"changes", "also of its change and the square of that"},
    Word{"roots", "as changes, but of the mean squares their roots"},
};
constexpr std::array balance_words{
    Word{"auto", "the share of positive labels, (positive + 1) / (labelled + 2)"},
    Word{"none", "no constraint: the bias is fitted"},
};
constexpr std::array margin_words{
    Word{"auto", "exponential to classify, tube to regress"},
    Word{"exponential", "classify: margins up to the location, a penalty near c times the shortfall"},
    Word{"laplace", "classify: margins on both sides of the location, smooth at zero loss"},
    Word{"gaussian", "classify: the squared hinge loss"},
    Word{"hinge", "classify: the loss of the support vector machine"},
    Word{"tube", "regress: flat up to epsilon, exponential beyond"},
    Word{"svr", "regress: the loss of support vector regression"},
    Word{"own", "a margin prior that a C++ program brings along (Settings::own_margin)"},
};
constexpr std::array prior_words{
    Word{"gaussian", "every feature is in: p0 = 1"},
    Word{"switches", "each feature is in with probability p0"},
    Word{"groups", "each group of features is in with probability p0"},
    Word{"empirical", "generative: a class's own statistics and a few pseudo-examples"},
    Word{"weak", "generative: pseudo-examples alone"},
};
constexpr std::array family_words{
    Word{"auto", "a guess for each column: bernoulli, poisson, multinomial or gaussian-diagonal"},
    Word{"gaussian", "numbers of unit variance"},
    Word{"gaussian-diagonal", "numbers, each column with a variance of its own"},
    Word{"gaussian-full", "numbers, all columns with one covariance matrix"},
    Word{"multinomial", "counts over all columns, or the levels of a category"},
    Word{"bernoulli", "bits"},
    Word{"poisson", "counts"},
    Word{"exponential", "durations"},
    Word{"tree", "categories and bits, each depending on another: which on which is a tree"},
};
constexpr std::array offset_words{
    Word{"leave-one-out", "an example's margin is that of the prior without it"},
    Word{"none", "the prior has seen each example"},
};
constexpr std::array switch_words{
    Word{"none", "every column is in"},
    Word{"tied", "one switch for a column in all classes"},
    Word{"per-class", "a switch for a column in each class"},
};
constexpr std::array evidence_words{
    Word{"bayes-factor", "a switch begins with the odds that its column differs between classes"},
    Word{"none", "a switch begins at p0"},
};
constexpr std::array calibration_words{
    Word{"folds", "from the scores of five fits, each on examples left out of it"},
    Word{"left-out", "from the leave-one-out margins before the fit"},
};
constexpr std::array group_words{
    Word{"columns", "one switch for all levels of a categorical column"},
    Word{"none", "one switch for each feature"},
};
constexpr std::array bias_words{
    Word{"auto", "flat; for generative models a variance of 1 about the log odds of the classes"},
    Word{"flat", "a bias without preference"},
    Word{"none", "no bias"},
};
constexpr std::array class_weight_words{
    Word{"none", "every example counts as its own weight says"},
    Word{"balanced", "both classes count the same in sum"},
};
constexpr std::array expand_words{
    Word{"none", "the features as they are"},
    Word{"quadratic", "the features and all their products x_i x_j, i <= j"},
};
constexpr std::array scale_words{
    Word{"auto", "standard for dense data, maxabs for sparse data"},
    Word{"standard", "mean 0 and standard deviation 1"},
    Word{"maxabs", "largest absolute value 1, zeros stay zeros"},
    Word{"none", "the features as they are"},
};
constexpr std::array precision_words{
    Word{"double", "as they were read"},
    Word{"float", "rounded to seven digits, in half the memory; all sums are still in double"},
};
constexpr std::array gram_precision_words{
    Word{"float",
         "rounded to seven digits, rbf with a curved margin to five: more rows in the same memory; certificates are in "
         "double"},
    Word{"double", "in full, for kernels whose values differ by many orders of magnitude"},
};
constexpr std::array solver_words{
    Word{"auto", "the solver that suits the shape of the data; what it leaves, newton finishes"},
    Word{"ascent", "one multiplier at a time, then Newton steps on the free ones"},
    Word{"primal-newton", "Newton steps over the features, for many more examples"},
    Word{"newton", "interior-point Newton steps, the most dependable"},
    Word{"coordinate", "the paper's: one multiplier, or a pair, at a time to the exact maximum"},
    Word{"bounded-qp", "the paper's: a sequence of quadratic programs below J, then coordinate"},
    Word{"smo", "pairs of multipliers, for kernels and for linear models without selection (p0 = 1)"},
};

constexpr std::array line_search_words{
    Word{"newton", "safeguarded Newton steps on the slope of J"},
    Word{"brent", "Brent's method on J itself, as in the paper"},
};

struct Vocabulary {
  std::string_view option;
  std::span<const Word> words;
};
constexpr std::array vocabularies{
    Vocabulary{"task", task_words},
    Vocabulary{"model", model_words},
    Vocabulary{"margin", margin_words},
    Vocabulary{"prior", prior_words},
    Vocabulary{"groups", group_words},
    Vocabulary{"bias", bias_words},
    Vocabulary{"scale", scale_words},
    Vocabulary{"class-weight", class_weight_words},
    Vocabulary{"expand", expand_words},
    Vocabulary{"precision", precision_words},
    Vocabulary{"gram-precision", gram_precision_words},
    Vocabulary{"solver", solver_words},
    Vocabulary{"kernel", kernel_words},
    Vocabulary{"multiclass", multiclass_words},
    Vocabulary{"line-search", line_search_words},
    Vocabulary{"family", family_words},
    Vocabulary{"offsets", offset_words},
    Vocabulary{"switches", switch_words},
    Vocabulary{"switch-evidence", evidence_words},
    Vocabulary{"calibration", calibration_words},
    Vocabulary{"latent", latent_words},
    Vocabulary{"balance", balance_words},
    Vocabulary{"latent-mode", latent_mode_words},
    Vocabulary{"state-path", state_path_words},
    Vocabulary{"state-statistics", state_statistics_words},
};

}  // namespace

std::span<const Word> words(std::string_view option) {
  for (const Vocabulary& vocabulary : vocabularies) {
    if (vocabulary.option == option) return vocabulary.words;
  }
  return {};
}

}  // namespace medlar
