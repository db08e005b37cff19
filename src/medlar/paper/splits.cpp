// Random splits, and what is measured over them.
#include "medlar/paper/splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/folds.hpp"
#include "medlar/paper/exhibits.hpp"

namespace medlar {

// The shuffle is written out, because it differs between standard libraries.
Split random_split(const Dataset& data, Index training, Index seed, Index number) {
  if (training < 1 || training >= data.examples()) {
    throw DataError(fmt::format("{}: {} examples cannot give {} to train on and some to test", data.source,
                                data.examples(), training));
  }
  std::mt19937_64 random(static_cast<std::uint64_t>(seed) * 1000003 + static_cast<std::uint64_t>(number));
  std::vector<Index> order(static_cast<std::size_t>(data.examples()));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t k = order.size() - 1; k > 0; --k) std::swap(order[k], order[random() % (k + 1)]);
  const std::span<const Index> all(order);
  const auto size = static_cast<std::size_t>(training);
  return {subset(data, all.first(size)), subset(data, all.subspan(size))};
}

double Sample::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Sample::standard_error() const {
  const double centre = mean();
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto size = static_cast<double>(values.size());
  return std::sqrt(squares / (size - 1) / size);
}

std::string Sample::text() const {
  return fmt::format("{:.4g} ± {:.2g}", mean(), standard_error());
}

Sample difference(const Sample& a, const Sample& b) {
  Sample each;
  for (std::size_t k = 0; k < a.values.size(); ++k) each.add(a.values[k] - b.values[k]);
  return each;
}

Sign sign_of(const Sample& sample) {
  const double mean = sample.mean(), error = sample.standard_error();
  return mean > 2 * error ? Sign::positive : mean < -2 * error ? Sign::negative : Sign::neither;
}

Index splits_of(const PaperOptions& options) {
  return options.quick ? std::min<Index>(options.splits, 3) : options.splits;
}

Model certified_fit(const Dataset& data, const Settings& settings, Observer* observer) {
  check_observer(observer);
  Model model = fit(data, settings, observer);
  if (model.report.status == Status::interrupted) throw Interrupted{};
  if (model.report.status != Status::converged && model.report.status != Status::almost) {
    throw DataError(fmt::format("{}: a fit with p0 = {} did not meet its tolerance: {}", data.source, settings.p0,
                                model.report.message));
  }
  return model;
}

Series coefficient_distribution(const Model& model, std::string name, Series::Style style) {
  std::vector<double> sorted, share;
  for (const Feature& feature : model.features) sorted.push_back(feature.coefficient);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    share.push_back(static_cast<double>(k + 1) / static_cast<double>(sorted.size()));
  }
  return {std::move(name), std::move(sorted), std::move(share), style};
}

double negligible_share(const Model& model) {
  double largest = 0;
  for (const Feature& feature : model.features) largest = std::max(largest, std::abs(feature.coefficient));
  const auto small = std::count_if(model.features.begin(), model.features.end(), [&](const Feature& feature) {
    return std::abs(feature.coefficient) < largest / 100;
  });
  return static_cast<double>(small) / static_cast<double>(model.features.size());
}

}  // namespace medlar
