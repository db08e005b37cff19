// How a latent model sees single examples: the states of a sequence over time, or the shifts of an image or signal.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "medlar/alignment.hpp"
#include "medlar/folds.hpp"
#include "medlar/report/page_data.hpp"
#include "medlar/transformations.hpp"

namespace medlar {
namespace {

constexpr std::size_t most_numbers = 40000, most_sequences = 12, most_times = 500;

// Six digits, as `medlar predict --alignment` writes them.
double six_digits(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

// Every `width`-th number from `first` on, at the times that are kept.
PageJson course(const std::vector<double>& values, std::size_t width, std::size_t first,
                const std::vector<std::size_t>& times) {
  PageJson list = PageJson::array();
  for (const std::size_t tau : times) list.push_back(six_digits(values[tau * width + first]));
  return list;
}

PageJson courses(const std::vector<double>& values, std::size_t width, const std::vector<std::size_t>& times) {
  PageJson list = PageJson::array();
  for (std::size_t first = 0; first < width; ++first) list.push_back(course(values, width, first, times));
  return list;
}

// A few sequences, evenly taken; as many as keep the page small.
PageJson alignments(const Model& model, const Dataset& data) {
  const AlignmentPart& part = *model.latent->alignment;
  const auto states = static_cast<std::size_t>(part.states), channels = static_cast<std::size_t>(part.channels);
  const std::size_t times = std::min(most_times, static_cast<std::size_t>(data.features()) / channels + 1);
  const std::size_t fit = std::max<std::size_t>(1, most_numbers / (times * (states + 2 * channels)));
  std::vector<Index> rows;
  for (const std::size_t t : thinned(static_cast<std::size_t>(data.examples()), std::min(fit, most_sequences))) {
    rows.push_back(static_cast<Index>(t));
  }
  const Matrix x = subset(data, rows).x;
  const auto gamma = expected_alignment(model, x);
  const auto weights =
      model.settings.expand == ExpansionKind::none ? weights_over_time(model, x) : std::vector<std::vector<double>>();
  const std::vector<Prediction> predicted = model.predict(x);
  PageJson list = PageJson::array();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<double> signal;
    for_each(x.row(static_cast<Index>(k)), [&](Index, double value) { signal.push_back(value); });
    const std::vector<std::size_t> kept = thinned(gamma[k].size() / states, most_times);
    PageJson each = {{"row", rows[k] + 1},
                     {"score", predicted[k].score},
                     {"label", predicted[k].label},
                     {"time", PageJson::array()},
                     {"signal", courses(signal, channels, kept)},
                     {"state", courses(gamma[k], states, kept)}};
    for (const std::size_t tau : kept) each["time"].push_back(tau + 1);
    if (!weights.empty()) each["weight"] = courses(weights[k], channels, kept);
    list.push_back(std::move(each));
  }
  return {{"states", part.states},
          {"path", word_of(part.path)},
          {"channels", channel_names(model.schema, part.channels)},
          {"sequences", list}};
}

// The mean over the data of the probability of each shift.
PageJson mean_shifts(const Model& model, const Dataset& data) {
  const std::vector<Shift> shifts = shifts_of(model);
  if (shifts.empty()) return nullptr;
  std::vector<double> mean(shifts.size(), 0.0);
  for (const std::vector<double>& each : transformation_probabilities(model, data.x)) {
    for (std::size_t u = 0; u < mean.size(); ++u) mean[u] += each[u] / static_cast<double>(data.examples());
  }
  PageJson list = PageJson::array();
  for (std::size_t u = 0; u < shifts.size(); ++u) {
    list.push_back(
        {{"down", shifts[u].down}, {"right", shifts[u].right}, {"turn", shifts[u].turn}, {"probability", mean[u]}});
  }
  return list;
}

}  // namespace

PageJson latent_data_part(const Model& model, const Dataset& data) {
  if (!model.latent) return nullptr;
  if (model.latent->alignment) return {{"alignment", alignments(model, data)}};
  if (!model.latent->transformation) return nullptr;
  PageJson shifts = mean_shifts(model, data);
  if (shifts.is_null()) return nullptr;
  return {{"shifts", std::move(shifts)}};
}

}  // namespace medlar
