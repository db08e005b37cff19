// Options: what is fitted.
#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

void set_groups(Settings& s, std::string_view text) {
  const auto kind = read_word<GroupsKind>(text);
  if (kind && kind != GroupsKind::file) {
    s.groups = *kind;
    s.feature_group = {};
    return;
  }
  s.feature_group = read_words("groups", std::string(text));
  s.groups = GroupsKind::file;
}

void set_bias(Settings& s, std::string_view text) {
  constexpr Range variance{0, ranges::inf, true, true, "be flat, none or a variance > 0"};
  const auto kind = read_word<BiasKind>(text);
  s.bias = kind ? BiasChoice(*kind) : BiasChoice(BiasKind::variance, {number("bias", text, variance), text});
}

void set_class_weight(Settings& s, std::string_view text) {
  if (const auto kind = read_word<ClassWeightKind>(text)) {
    s.class_weight = *kind;
    return;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t colon = part.rfind(':');
    const auto weight = colon == part.npos ? std::nullopt : number_in(part.substr(colon + 1));
    if (colon == 0 || !weight || !ranges::above_zero.holds(*weight)) {
      throw OptionError(
          fmt::format("class-weight = '{}', but must be none, balanced or label:weight,... with weights > 0", text));
    }
    begin = end + 1;
  }
  s.class_weight = {ClassWeightKind::by_label, std::string(text)};
}

const std::array model_table{
    Option{"task", "auto, classify, regress, anomaly", "auto: guessed from the target", "what is predicted", "model",
           false, [](Settings& s, In text) { s.task = word<Task>(text); },
           [](const Settings& s) { return text_of(s.task); }},
    Option{"positive", "label,...", "the label that sorts last", "classify: these labels against all others", "model",
           false, [](Settings& s, In text) { s.positive = text; }, [](const Settings& s) { return s.positive; }},
    Option{"model", "linear, kernel, generative, latent", "linear", "the kind of discriminant", "model", false,
           [](Settings& s, In text) { s.model = word<ModelKind>(text); },
           [](const Settings& s) { return text_of(s.model); }},
    Option{"kernel", "linear, poly, rbf, sigmoid, precomputed", "rbf", "model kernel: the inner product", "model",
           false, [](Settings& s, In text) { s.kernel = word<KernelKind>(text); },
           [](const Settings& s) { return text_of(s.kernel); }},
    Option{"gamma", "number > 0", "1 / features",
           "kernels poly, rbf and sigmoid: factor of the inner product or distance", "model", true,
           [](Settings& s, In text) { s.gamma = number_or_auto("gamma", text, ranges::above_zero); },
           [](const Settings& s) { return text_or_auto(s.gamma); }},
    Option{"coef0", "number", "0", "kernels poly and sigmoid: what is added to the inner product", "model", true,
           [](Settings& s, In text) { s.coef0 = number("coef0", text, ranges::real); },
           [](const Settings& s) { return text_of(s.coef0); }},
    Option{"degree", "whole number >= 1", "3", "kernel poly: the power", "model", true,
           [](Settings& s, In text) { s.degree = integer("degree", text, 1, 1000); },
           [](const Settings& s) { return fmt::format("{}", s.degree); }},
    Option{"margin", "exponential, laplace, gaussian, hinge, logistic; tube, svr, gaussian",
           "logistic to classify, gaussian to regress; not linear: exponential, tube",
           "prior over margins, which decides the loss", "model", false,
           [](Settings& s, In text) { s.margin = word<MarginKind>(text); },
           [](const Settings& s) { return text_of(s.margin); }},
    Option{
        "c", "number > 0",
        "3 to classify, logistic: 1; 10 / sd(y) to regress, gaussian: 3.16 / sd(y); generative: 1, for anomalies 0.1",
        "rate of the margin prior: how dearly an example's error is paid", "model", true,
        [](Settings& s, In text) { s.c = number_or_auto("c", text, ranges::above_zero); },
        [](const Settings& s) { return text_or_auto(s.c); }},
    Option{"margin-location", "number > 0", "1; generative: the median absolute leave-one-out margin",
           "classify: the margin that the prior asks for", "model", true,
           [](Settings& s, In text) { s.margin_location = number_or_auto("margin-location", text, ranges::location); },
           [](const Settings& s) { return text_or_auto(s.margin_location); }},
    Option{"epsilon", "number >= 0", "0.1 sd(y)", "regress: errors up to this size are all alike to the prior", "model",
           true, [](Settings& s, In text) { s.epsilon = number_or_auto("epsilon", text, ranges::from_zero); },
           [](const Settings& s) { return text_or_auto(s.epsilon); }},
    Option{"p0", "number in (0, 1]", "0.001", "prior probability that a feature is in; 1 selects nothing", "model",
           true, [](Settings& s, In text) { s.p0 = number("p0", text, ranges::probability); },
           [](const Settings& s) { return text_of(s.p0); }},
    Option{"feature-priors", "file", "none: p0 for every feature",
           "p0 of single features: lines of name and probability in [0, 1]", "model", false,
           [](Settings& s, In text) {
             s.feature_p0 = text.empty()
                                ? ByFeature<double>{}
                                : read_numbers("feature-priors", std::string(text), ranges::probability_or_zero);
           },
           [](const Settings& s) { return s.feature_p0.source; }},
    Option{"groups", "columns, none, or a file", "columns",
           "features that share one switch: the levels of a categorical column, or lines of name and group", "model",
           false, set_groups,
           [](const Settings& s) { return s.groups == GroupsKind::file ? s.feature_group.source : text_of(s.groups); }},
    Option{"keep", "name,...", "none", "features, or categories, that stay in: without a switch and without shrinkage",
           "model", false, [](Settings& s, In text) { s.keep = names_in("keep", text); },
           [](const Settings& s) { return text_of(s.keep); }},
    Option{"prior-variance", "number > 0", "1 to classify, var(y) to regress; latent with p0 = 1: 3 / mean |x|^2",
           "prior variance of a coefficient that is in", "model", true,
           [](Settings& s, In text) { s.prior_variance = number_or_auto("prior-variance", text, ranges::above_zero); },
           [](const Settings& s) { return text_or_auto(s.prior_variance); }},
    Option{"feature-prior-variance", "file", "none: prior-variance for every feature",
           "prior variance of single coefficients: lines of name and number > 0", "model", false,
           [](Settings& s, In text) {
             s.feature_prior_variance =
                 text.empty() ? ByFeature<double>{}
                              : read_numbers("feature-prior-variance", std::string(text), ranges::above_zero);
           },
           [](const Settings& s) { return s.feature_prior_variance.source; }},
    Option{"prior-mean", "file", "none: 0 for every feature",
           "prior mean of single coefficients: lines of name and number; needs p0 = 1", "model", false,
           [](Settings& s, In text) {
             s.prior_mean =
                 text.empty() ? ByFeature<double>{} : read_numbers("prior-mean", std::string(text), ranges::real);
           },
           [](const Settings& s) { return s.prior_mean.source; }},
    Option{"bias", "flat, none, or a variance > 0", "auto: flat; generative: 1, about the log odds of the classes",
           "prior over the bias", "model", false, set_bias, [](const Settings& s) { return text_of(s.bias); }},
    Option{"class-weight", "none, balanced, label:weight,...", "none", "classify: weight of each class", "model", false,
           set_class_weight, [](const Settings& s) { return text_of(s.class_weight); }},
    Option{"multiclass", "pairs, joint", "pairs", "model kernel: how more than two labels are told apart", "model",
           false, [](Settings& s, In text) { s.multiclass = word<Multiclass>(text); },
           [](const Settings& s) { return text_of(s.multiclass); }},
};

}  // namespace

std::span<const Option> model_options() {
  return model_table;
}

}  // namespace medlar
