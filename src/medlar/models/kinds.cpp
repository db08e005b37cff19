// fit() and Model::predict() check what they are given and pass it on to the kind of model asked for. The typical sd
// takes predictions of many examples, so it must stay small beside the fit and end when the fit is asked to end.
#include "medlar/models/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/models/checks.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/preparing.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/prepare/time_left.hpp"
#include "medlar/scores_by_class.hpp"

namespace medlar {
namespace {

constexpr std::array all_kinds{
    Kind{ModelKind::linear, fit_linear, predict_linear},
    Kind{ModelKind::kernel, fit_kernel, predict_kernel},
    Kind{ModelKind::generative, fit_generative, predict_generative},
    Kind{ModelKind::latent, fit_latent, predict_latent},
};

// The root mean square of the predictions' sd over at most about `most` of the counted examples, evenly spaced.
double mean_sd(const Model& model, const Dataset& data, const Examples& counted, std::size_t most) {
  const std::size_t step = (counted.rows.size() + most - 1) / most;
  std::vector<Index> rows;
  for (std::size_t t = 0; t < counted.rows.size(); t += step) rows.push_back(counted.rows[t]);
  const std::vector<Prediction> predictions = model.predict(select_rows(data.x, rows));
  double squares = 0, total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double weight = counted.weights.empty() ? 1 : counted.weights[k * step];
    squares += weight * predictions[k].sd * predictions[k].sd;
    total += weight;
  }
  return std::sqrt(squares / total);
}

// The one sd that turns every score into a probability without changing the order of the scores. It is taken over at
// most 256 examples of positive weight, or 32 where examples have very many values. If the fit was asked to end, or the
// solve has used its seconds and this takes long, it is taken over as many examples as a few thousandths of a second
// allow.
double typical_sd(const Model& model, const Dataset& data, Observer* observer) {
  constexpr Index most_values = Index{1} << 22;
  const Index each = std::max<Index>(1, data.x.stored() / std::max<Index>(1, data.examples()));
  const auto most = static_cast<std::size_t>(std::clamp<Index>(most_values / each, 32, 256));
  const Examples counted = counted_examples(data, data.weights);
  const bool cut = cut_short(model.settings, model.report);
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  double sd = 0;
  const auto asked = [&] {
    return (cut && spent() > 0.02 * model.settings.max_seconds) || (observer != nullptr && observer->stop_requested());
  };
  if (unless_given_up(asked, [&] { sd = mean_sd(model, data, counted, most); })) return sd;
  const double before = spent();
  sd = mean_sd(model, data, counted, 1);
  for (std::size_t some = 4; some <= most; some *= 4) {
    if (spent() - before > 2e-3) break;
    sd = mean_sd(model, data, counted, some);
  }
  return sd;
}

// Options that only generative models know.
void refuse_generative_options(const Settings& settings) {
  const Settings usual;
  if (settings.task == Task::anomaly) {
    throw OptionError(fmt::format(
        "task = anomaly needs --model generative, but model = {}; leave --model out, or use that", settings.model));
  }
  for (const Option& option : options()) {
    if (option.chapter == "generative" && option.get(settings) != option.get(usual)) {
      throw OptionError(fmt::format("{} = {} is an option of --model generative, but model = {}", option.name,
                                    option.get(settings), settings.model));
    }
  }
}

}  // namespace

std::span<const Kind> kinds() {
  return all_kinds;
}

const Kind& kind_of(const Settings& settings) {
  const auto found =
      std::find_if(all_kinds.begin(), all_kinds.end(), [&](const Kind& kind) { return kind.model == settings.model; });
  if (found == all_kinds.end()) throw OptionError(fmt::format("model = {} is not known", settings.model));
  return *found;
}

namespace {

// A discriminant over single times needs a value at every time.
void require_equal_lengths(const Matrix& x) {
  if (!x.is_sparse()) return;
  for (Index t = 0; t < x.rows(); ++t) {
    const auto values = static_cast<Index>(x.row(t).values.size());
    if (values == x.columns()) continue;
    throw DataError(
        fmt::format("sequence {} has {} values, but the longest has {}; sequences of unequal length need --model "
                    "latent --latent alignment:S",
                    t + 1, values, x.columns()));
  }
}

bool aligns(const Settings& settings) {
  return settings.model == ModelKind::latent && settings.latent == LatentKind::alignment;
}

}  // namespace

void require_features(const Model& model, const Matrix& x) {
  const Schema& schema = model.schema;
  const bool any_length = aligns(model.settings) && schema.channels > 0;
  if (any_length ? x.columns() % schema.channels != 0 : x.columns() != schema.features) {
    throw DataError(
        fmt::format("the data has {} features, but the model was fitted on {}", x.columns(), schema.features));
  }
  if (schema.channels > 0 && !any_length) require_equal_lengths(x);
}

namespace {

// By the curve that the model keeps. The label is always the most probable one.
void recalibrate_predictions(const Model& model, const Matrix& x, std::vector<Prediction>& predictions) {
  const Recalibration& curve = *model.recalibration;
  if (model.labels.size() == 2) {
    for (Prediction& each : predictions) {
      each.probability = curve.at(each.score);
      each.label = each.probability > 0.5 || (each.probability == 0.5 && each.score > 0) ? 1 : 0;
    }
    return;
  }
  const auto scores = scores_by_class(model, x);
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    Prediction& each = predictions[t];
    each.probabilities = curve.among(scores[t]);
    each.label = std::max_element(scores[t].begin(), scores[t].end()) - scores[t].begin();
    each.score = scores[t][static_cast<std::size_t>(each.label)];
    each.probability = each.probabilities[static_cast<std::size_t>(each.label)];
  }
}

// Checks, fits by `fitted`, and adds the fields that every kind has.
template <class Fitted>
Model checked_fit(const Dataset& data, const Settings& settings, Observer* observer, Fitted fitted) {
  check_settings(settings);
  const bool generative = settings.model == ModelKind::generative;
  check_dataset(data, generative);
  if (!generative) refuse_generative_options(settings);
  if (settings.model != ModelKind::kernel) {
    refuse_unused(settings, {"multiclass"},
                  fmt::format("model = {}, which fits several labels jointly,", settings.model));
    if (settings.model != ModelKind::linear) {  // a linear model may be fitted through its kernel
      refuse_unused(settings, {"cache-mb", "gram-precision"}, fmt::format("model = {}", settings.model));
    }
  }
  if (!data.beliefs.empty() && settings.model != ModelKind::latent) {
    throw OptionError(
        fmt::format("the labels are only believed (label-belief), but model = {}; use --model latent "
                    "--latent labels",
                    settings.model));
  }
  if (data.schema.channels > 0 && !aligns(settings)) require_equal_lengths(data.x);
  set_linear_algebra_threads(settings.threads);
  Model model = heard_by(observer, fitted);
  // A generative model has a slope for this purpose, and the sd of a tree's score is expensive.
  if (model.task == Task::classify && model.labels.size() == 2 && !model.generative) {
    model.typical_sd = typical_sd(model, data, observer);
  }
  return model;
}

}  // namespace

Model fit(const Dataset& data, const Settings& settings, Observer* observer) {
  return checked_fit(data, settings, observer, [&] { return kind_of(settings).fit(data, settings, observer); });
}

Model fit(const Dataset& data, const Settings& settings, Observer* observer, const Continuation& continuation) {
  return checked_fit(data, settings, observer, [&] { return continue_linear(data, settings, observer, continuation); });
}

std::vector<Prediction> Model::predict(const Matrix& x) const {
  require_features(*this, x);
  if (settings.model == ModelKind::generative && !generative) {
    throw DataError("the model says it is generative, but has no part for it");
  }
  std::vector<Prediction> predictions = kind_of(settings).predict(*this, x);
  if (recalibration) recalibrate_predictions(*this, x, predictions);
  return predictions;
}

}  // namespace medlar
