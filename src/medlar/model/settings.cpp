// The table of options: name, values, default, meaning, and how its text is read and written. The command line,
// `medlar list`, model files and docs/options.md are made from this table and know no option of their own.
#include "medlar/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "medlar/error.hpp"
#include "medlar/model/option_text.hpp"

namespace medlar {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range above_zero{0, inf, true, true, "be a number > 0"};
constexpr Range location{0, 1e12, true, false, "lie in (0, 1e12]"};
constexpr Range from_zero{0, inf, false, true, "be a number >= 0"};
constexpr Range probability{0, 1, true, false, "lie in (0, 1]"};
constexpr Range probability_or_zero{0, 1, false, false, "lie in [0, 1]"};
constexpr Range quarter_turn{0, 90, false, false, "lie in [0, 90]"};
constexpr Range fraction{0, 1, true, true, "lie in (0, 1)"};
constexpr Range part_below_half{0, 0.5, false, true, "lie in [0, 0.5)"};
constexpr Range duration{0, inf, true, false, "be a number > 0, or inf"};
constexpr Range real{-inf, inf, true, true, "be a finite number"};
constexpr Index many = std::numeric_limits<Index>::max();

constexpr std::array task_words{
    Word{"auto", "regress when the target holds numbers other than two classes, else classify"},
    Word{"classify", "two classes or more"},
    Word{"regress", "a number"},
    Word{"anomaly", "how odd an example is; needs no target"},
};
constexpr std::array model_words{
    Word{"linear", "a weighted sum of features and a bias"},
    Word{"generative", "log-likelihood ratios of exponential families"},
    Word{"kernel",
         "a weighted sum of kernels with the support vectors, and a bias; several classes two by two; no selection"},
    Word{"latent", "linear, with something unknown about each example; see --latent"},
};
constexpr std::array kernel_words{
    Word{"linear", "x.y"},
    Word{"poly", "(gamma x.y + coef0)^degree"},
    Word{"rbf", "exp(-gamma |x - y|^2)"},
    Word{"sigmoid", "tanh(gamma x.y + coef0); refused where it is indefinite"},
    Word{"precomputed", "column t of the data is the kernel with training example t"},
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
    Vocabulary{"solver", solver_words},
    Vocabulary{"kernel", kernel_words},
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

bool knows(std::string_view option, std::string_view text) {
  for (const Word& each : words(option)) {
    if (each.name == text) return true;
  }
  return false;
}

std::optional<double> number_or_auto(std::string_view option, std::string_view text, const Range& range) {
  if (text == "auto") return std::nullopt;
  return number(option, text, range);
}

std::string text_or_auto(const std::optional<double>& value) {
  return value ? text_of(*value) : "auto";
}

void set_groups(Settings& s, std::string_view text) {
  if (knows("groups", text)) {
    s.groups = text;
    s.feature_group = {};
    return;
  }
  s.feature_group = read_words("groups", std::string(text));
  s.groups = "file";
}

void set_bias(Settings& s, std::string_view text) {
  constexpr Range variance{0, inf, true, true, "be flat, none or a variance > 0"};
  if (!knows("bias", text)) number("bias", text, variance);
  s.bias = text;
}

void set_class_weight(Settings& s, std::string_view text) {
  if (!knows("class-weight", text)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string_view part = text.substr(begin, end - begin);
      const std::size_t colon = part.rfind(':');
      const auto weight = colon == part.npos ? std::nullopt : number_in(part.substr(colon + 1));
      if (colon == 0 || !weight || !above_zero.holds(*weight)) {
        throw OptionError(
            fmt::format("class-weight = '{}', but must be none, balanced or label:weight,... with weights > 0", text));
      }
      begin = end + 1;
    }
  }
  s.class_weight = text;
}

void set_expand(Settings& s, std::string_view text) {
  constexpr std::string_view powers = "powers:", fourier = "fourier:", nystrom = "nystrom:";
  if (text.starts_with(fourier) || text.starts_with(nystrom)) {
    integer(fmt::format("expand = {}D, D", text.substr(0, fourier.size())), text.substr(fourier.size()), 1, 100000);
  } else if (text.starts_with(powers)) {
    integer("expand = powers:D, D", text.substr(powers.size()), 1, 20);
  } else if (!knows("expand", text)) {
    throw OptionError(
        fmt::format("expand = '{}' is unknown; known are none, quadratic, powers:D, fourier:D, nystrom:D", text));
  }
  s.expand = text;
}

// One word, or column:word,...; columns are known when there is data.
void set_family(Settings& s, std::string_view text) {
  if (text.find(':') == text.npos) {
    s.family = word("family", text);
    return;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t colon = part.rfind(':');
    if (colon == part.npos || colon == 0) {
      throw OptionError(fmt::format("family has '{}', but needs a name or column:name,...", part));
    }
    word("family", part.substr(colon + 1));
    begin = end + 1;
  }
  s.family = text;
}

void set_balance(Settings& s, std::string_view text) {
  constexpr Range share{0, 1, true, true, "be auto, none or a number in (0, 1)"};
  if (!knows("balance", text)) number("balance", text, share);
  s.balance = text;
}

void set_latent(Settings& s, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon), argument = text.substr(std::min(colon + 1, text.size()));
  if (kind == "shifts") {
    integer("latent = shifts:R, R", argument, 1, 1000);
  } else if (kind == "alignment" && argument != "auto") {
    for (std::size_t begin = 0; begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      integer("latent = alignment:S, S", argument.substr(begin, end - begin), 1, 1000);
      begin = end + 1;
    }
  } else if ((kind == "matrices" || kind == "translation") && argument.empty()) {
    throw OptionError(fmt::format("latent = '{}' names no file; write {}:FILE", text, kind));
  } else if (kind != "alignment" && kind != "matrices" && kind != "translation" && text != "labels" && !text.empty()) {
    throw OptionError(fmt::format(
        "latent = '{}' is unknown; known are labels, shifts:R, matrices:FILE, translation:FILE, alignment:S", text));
  }
  s.latent = text;
}

void set_state_path(Settings& s, std::string_view text) {
  constexpr std::string_view file = "file:";
  if (text.starts_with(file) && text.size() == file.size()) {
    throw OptionError("state-path = 'file:' names no file; write file:FILE");
  }
  s.state_path = text.starts_with(file) ? std::string(text) : word("state-path", text);
}

void set_image(Settings& s, std::string_view text) {
  if (!text.empty()) {
    const std::size_t cross = text.find('x');
    const auto height = integer_in(text.substr(0, cross)),
               width = cross == text.npos ? std::nullopt : integer_in(text.substr(cross + 1));
    if (!height || !width || *height < 1 || *width < 1 || *height > 1 << 15 || *width > 1 << 15) {
      throw OptionError(fmt::format("image = '{}', but must be HEIGHTxWIDTH, such as 28x28", text));
    }
  }
  s.image = text;
}

using In = std::string_view;

const std::array table{
    // what is fitted
    Option{"task", "auto, classify, regress, anomaly", "auto: guessed from the target", "what is predicted", "model",
           false, [](Settings& s, In text) { s.task = word("task", text); }, [](const Settings& s) { return s.task; }},
    Option{"positive", "label,...", "the label that sorts last", "classify: these labels against all others", "model",
           false, [](Settings& s, In text) { s.positive = text; }, [](const Settings& s) { return s.positive; }},
    Option{"model", "linear, kernel, generative, latent", "linear", "the kind of discriminant", "model", false,
           [](Settings& s, In text) { s.model = word("model", text); }, [](const Settings& s) { return s.model; }},
    Option{"kernel", "linear, poly, rbf, sigmoid, precomputed", "rbf", "model kernel: the inner product", "model",
           false, [](Settings& s, In text) { s.kernel = word("kernel", text); },
           [](const Settings& s) { return s.kernel; }},
    Option{"gamma", "number > 0", "1 / features",
           "kernels poly, rbf and sigmoid: factor of the inner product or distance", "model", true,
           [](Settings& s, In text) { s.gamma = number_or_auto("gamma", text, above_zero); },
           [](const Settings& s) { return text_or_auto(s.gamma); }},
    Option{"coef0", "number", "0", "kernels poly and sigmoid: what is added to the inner product", "model", true,
           [](Settings& s, In text) { s.coef0 = number("coef0", text, real); },
           [](const Settings& s) { return text_of(s.coef0); }},
    Option{"degree", "whole number >= 1", "3", "kernel poly: the power", "model", true,
           [](Settings& s, In text) { s.degree = integer("degree", text, 1, 1000); },
           [](const Settings& s) { return fmt::format("{}", s.degree); }},
    Option{"margin", "exponential, laplace, gaussian, hinge; tube, svr", "exponential to classify, tube to regress",
           "prior over margins, which decides the loss", "model", false,
           [](Settings& s, In text) { s.margin = word("margin", text); }, [](const Settings& s) { return s.margin; }},
    Option{"c", "number > 0", "3 to classify, 10 / sd(y) to regress; generative: 1, for anomalies 0.1",
           "rate of the margin prior: how dearly an example's error is paid", "model", true,
           [](Settings& s, In text) { s.c = number_or_auto("c", text, above_zero); },
           [](const Settings& s) { return text_or_auto(s.c); }},
    Option{"margin-location", "number > 0", "1; generative: the median absolute leave-one-out margin",
           "classify: the margin that the prior asks for", "model", true,
           [](Settings& s, In text) { s.margin_location = number_or_auto("margin-location", text, location); },
           [](const Settings& s) { return text_or_auto(s.margin_location); }},
    Option{"epsilon", "number >= 0", "0.1 sd(y)", "regress: errors up to this size are all alike to the prior", "model",
           true, [](Settings& s, In text) { s.epsilon = number_or_auto("epsilon", text, from_zero); },
           [](const Settings& s) { return text_or_auto(s.epsilon); }},
    Option{"p0", "number in (0, 1]", "0.001", "prior probability that a feature is in; 1 selects nothing", "model",
           true, [](Settings& s, In text) { s.p0 = number("p0", text, probability); },
           [](const Settings& s) { return text_of(s.p0); }},
    Option{"feature-priors", "file", "none: p0 for every feature",
           "p0 of single features: lines of name and probability in [0, 1]", "model", false,
           [](Settings& s, In text) {
             s.feature_p0 = text.empty() ? ByFeature<double>{}
                                         : read_numbers("feature-priors", std::string(text), probability_or_zero);
           },
           [](const Settings& s) { return s.feature_p0.source; }},
    Option{"groups", "columns, none, or a file", "columns",
           "features that share one switch: the levels of a categorical column, or lines of name and group", "model",
           false, set_groups, [](const Settings& s) { return s.groups == "file" ? s.feature_group.source : s.groups; }},
    Option{"prior-variance", "number > 0", "1 to classify, var(y) to regress; latent with p0 = 1: 3 / mean |x|^2",
           "prior variance of a coefficient that is in", "model", true,
           [](Settings& s, In text) { s.prior_variance = number_or_auto("prior-variance", text, above_zero); },
           [](const Settings& s) { return text_or_auto(s.prior_variance); }},
    Option{"prior-mean", "file", "none: 0 for every feature",
           "prior mean of single coefficients: lines of name and number; needs p0 = 1", "model", false,
           [](Settings& s, In text) {
             s.prior_mean = text.empty() ? ByFeature<double>{} : read_numbers("prior-mean", std::string(text), real);
           },
           [](const Settings& s) { return s.prior_mean.source; }},
    Option{"bias", "flat, none, or a variance > 0", "flat", "prior over the bias", "model", false, set_bias,
           [](const Settings& s) { return s.bias; }},
    Option{"class-weight", "none, balanced, label:weight,...", "none", "classify: weight of each class", "model", false,
           set_class_weight, [](const Settings& s) { return s.class_weight; }},
    // generative models
    Option{"family", "a name, or column:name,...", "auto: guessed for each column",
           "generative: the family of each column", "generative", false, set_family,
           [](const Settings& s) { return s.family; }},
    Option{"prior-strength", "number > 0", "1", "generative: pseudo-examples of the prior", "generative", true,
           [](Settings& s, In text) { s.prior_strength = number("prior-strength", text, above_zero); },
           [](const Settings& s) { return text_of(s.prior_strength); }},
    Option{"statistics-weight", "number >= 0", "1",
           "generative: weight of a class's own statistics in its prior; 0 is a weak prior", "generative", true,
           [](Settings& s, In text) { s.statistics_weight = number("statistics-weight", text, from_zero); },
           [](const Settings& s) { return text_of(s.statistics_weight); }},
    Option{"offsets", "leave-one-out, none", "leave-one-out",
           "generative: whether an example's margin is measured with a prior that has seen it", "generative", false,
           [](Settings& s, In text) { s.offsets = word("offsets", text); },
           [](const Settings& s) { return s.offsets; }},
    Option{"switches", "none, tied, per-class", "none", "generative: switches that select columns, with p0",
           "generative", false, [](Settings& s, In text) { s.switches = word("switches", text); },
           [](const Settings& s) { return s.switches; }},
    Option{"switch-evidence", "bayes-factor, none", "bayes-factor", "generative: what a switch knows before the fit",
           "generative", false, [](Settings& s, In text) { s.switch_evidence = word("switch-evidence", text); },
           [](const Settings& s) { return s.switch_evidence; }},
    Option{"calibration", "folds, left-out", "folds", "generative: which scores become probabilities", "generative",
           false, [](Settings& s, In text) { s.calibration = word("calibration", text); },
           [](const Settings& s) { return s.calibration; }},
    Option{"alpha", "number in (0, 1)", "0.05", "anomaly: share of the training examples below the level", "generative",
           true, [](Settings& s, In text) { s.alpha = number("alpha", text, fraction); },
           [](const Settings& s) { return text_of(s.alpha); }},
    Option{"trim", "number in [0, 0.5)", "0.1", "anomaly: share of the oddest examples that the prior leaves out",
           "generative", true, [](Settings& s, In text) { s.trim = number("trim", text, part_below_half); },
           [](const Settings& s) { return text_of(s.trim); }},
    // latent variables
    Option{"latent", "labels, shifts:R, matrices:FILE, translation:FILE, alignment:S", "none",
           "latent: what is unknown about the examples", "latent", false, set_latent,
           [](const Settings& s) { return s.latent; }},
    Option{"latent-mode", "anchored, literal", "anchored", "latent: how the unknown is fitted", "latent", false,
           [](Settings& s, In text) { s.latent_mode = word("latent-mode", text); },
           [](const Settings& s) { return s.latent_mode; }},
    Option{"balance", "auto, none, or a number in (0, 1)", "auto: as among the labelled examples",
           "latent labels: share of positive examples among the unlabelled", "latent", false, set_balance,
           [](const Settings& s) { return s.balance; }},
    Option{"unlabelled-weight", "number in (0, 1]", "0.1", "latent labels: what an unlabelled example counts", "latent",
           true, [](Settings& s, In text) { s.unlabelled_weight = number("unlabelled-weight", text, probability); },
           [](const Settings& s) { return text_of(s.unlabelled_weight); }},
    Option{"image", "HEIGHTxWIDTH", "none: a signal", "latent shifts: the shape of an image, row by row", "latent",
           false, set_image, [](const Settings& s) { return s.image; }},
    Option{"rotation", "number in [0, 90]", "0", "latent shifts: an image may also be turned by this angle either way",
           "latent", true, [](Settings& s, In text) { s.rotation = number("rotation", text, quarter_turn); },
           [](const Settings& s) { return text_of(s.rotation); }},
    Option{"state-path", "auto, hmm, segments, left-to-right, file:FILE", "auto",
           "latent alignment: what gives the states of a sequence", "latent", false, set_state_path,
           [](const Settings& s) { return s.state_path; }},
    Option{"state-statistics", "auto, levels, squares, changes", "auto",
           "latent alignment: what is measured in each state", "latent", false,
           [](Settings& s, In text) { s.state_statistics = word("state-statistics", text); },
           [](const Settings& s) { return s.state_statistics; }},
    // how the data is prepared
    Option{"expand", "none, quadratic, powers:D, fourier:D, nystrom:D", "none",
           "products or powers that are added to the features, or D basis functions of a kernel instead of them",
           "data", false, set_expand, [](const Settings& s) { return s.expand; }},
    Option{"scale", "auto, standard, maxabs, none", "auto: standard if dense, maxabs if sparse",
           "scaling of features, recorded in the model and replayed", "data", false,
           [](Settings& s, In text) { s.scale = word("scale", text); }, [](const Settings& s) { return s.scale; }},
    Option{"precision", "double, float", "double", "how the values of features are kept: float takes half the memory",
           "data", false, [](Settings& s, In text) { s.precision = word("precision", text); },
           [](const Settings& s) { return s.precision; }},
    // how it is solved
    Option{"solver", "auto, ascent, primal-newton, newton, coordinate, bounded-qp, smo", "auto",
           "how the dual is maximised", "solver", false, [](Settings& s, In text) { s.solver = word("solver", text); },
           [](const Settings& s) { return s.solver; }},
    Option{"line-search", "newton, brent", "newton",
           "solvers coordinate and bounded-qp: how a maximum along a line is found", "solver", false,
           [](Settings& s, In text) { s.line_search = word("line-search", text); },
           [](const Settings& s) { return s.line_search; }},
    Option{"tolerance", "number in (0, 1)", "1e-06", "the relative duality gap that counts as converged", "solver",
           true, [](Settings& s, In text) { s.tolerance = number("tolerance", text, fraction); },
           [](const Settings& s) { return text_of(s.tolerance); }},
    Option{"max-passes", "whole number >= 1", "100000",
           "passes over the data after which the solve stops at its next check", "solver", true,
           [](Settings& s, In text) { s.max_passes = integer("max-passes", text, 1, many); },
           [](const Settings& s) { return fmt::format("{}", s.max_passes); }},
    Option{"max-seconds", "number > 0, or inf", "inf", "seconds after which the solve stops", "solver", true,
           [](Settings& s, In text) { s.max_seconds = number("max-seconds", text, duration); },
           [](const Settings& s) { return text_of(s.max_seconds); }},
    Option{"cache-mb", "number > 0", "200", "model kernel: megabytes for rows of the Gram matrix", "solver", true,
           [](Settings& s, In text) { s.cache_mb = number("cache-mb", text, above_zero); },
           [](const Settings& s) { return text_of(s.cache_mb); }},
    Option{"threads", "whole number >= 0", "0: all", "processor cores to use", "solver", true,
           [](Settings& s, In text) { s.threads = integer("threads", text, 0, 65536); },
           [](const Settings& s) { return fmt::format("{}", s.threads); }},
    Option{"seed", "whole number >= 0", "1", "seed of every random choice", "solver", true,
           [](Settings& s, In text) { s.seed = integer("seed", text, 0, many); },
           [](const Settings& s) { return fmt::format("{}", s.seed); }},
};

}  // namespace

std::span<const Option> options() {
  return table;
}

const Option& find_option(std::string_view name) {
  std::string known;
  for (const Option& option : table) {
    if (option.name == name) return option;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", option.name);
  }
  throw OptionError(fmt::format("option '{}' is unknown; known are {}", name, known));
}

void set_option(Settings& settings, std::string_view name, std::string_view text) {
  find_option(name).set(settings, text);
}

std::span<const Word> words(std::string_view option) {
  for (const Vocabulary& vocabulary : vocabularies) {
    if (vocabulary.option == option) return vocabulary.words;
  }
  return {};
}

}  // namespace medlar
