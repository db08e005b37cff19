// A path over p0 (or c, or the prior variance): what is selected at each step, and the course of the leading features.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t most_listed = 40, most_drawn = 12;

double weight_at(const PathStep& step, std::size_t i) {
  return step.inclusion[i] * std::abs(step.coefficient[i]);
}

// The selected features of a step with the largest inclusion times |coefficient|.
std::vector<std::size_t> listed_at(const PathStep& step) {
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < step.inclusion.size(); ++i) {
    if (step.inclusion[i] > 0.5) selected.push_back(i);
  }
  std::stable_sort(selected.begin(), selected.end(),
                   [&](std::size_t a, std::size_t b) { return weight_at(step, a) > weight_at(step, b); });
  selected.resize(std::min(selected.size(), most_listed));
  return selected;
}

// The features that lead at some step where a choice was made, ordered by their place at the smallest p0.
std::vector<std::size_t> drawn_features(const Path& path) {
  std::vector<double> most(path.names.size(), 0.0);
  for (const PathStep& step : path.steps) {
    double total = 0;
    for (std::size_t i = 0; i < most.size(); ++i) total = std::max(total, weight_at(step, i));
    if (!(total > 0)) continue;
    for (std::size_t i = 0; i < most.size(); ++i) {
      most[i] += weight_at(step, i) / total;  // all steps count the same
    }
  }
  std::vector<std::size_t> order(most.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return most[a] > most[b]; });
  order.resize(std::min(order.size(), most_drawn));
  return order;
}

}  // namespace

PageJson path_part(const Path& path) {
  PageJson names = PageJson::array(), steps = PageJson::array(), drawn = PageJson::array();
  std::unordered_map<std::size_t, std::size_t> place;  // of each feature among the names
  const auto name_of = [&](std::size_t i) {
    const auto [found, is_new] = place.try_emplace(i, names.size());
    if (is_new) names.push_back(path.names[i]);
    return found->second;
  };
  for (const PathStep& step : path.steps) {
    PageJson features = PageJson::array();
    for (const std::size_t i : listed_at(step)) {
      features.push_back(PageJson::array({name_of(i), step.inclusion[i], step.coefficient[i]}));
    }
    steps.push_back({{"value", step.value},
                     {"selected", step.selected},
                     {"support", step.support},
                     {"status", to_string(step.report.status)},
                     {"relative_gap", page_number(step.report.relative_gap)},
                     {"largest", features}});
  }
  for (const std::size_t i : drawn_features(path)) {
    std::vector<double> inclusion, coefficient;
    for (const PathStep& step : path.steps) {
      inclusion.push_back(step.inclusion[i]);
      coefficient.push_back(step.coefficient[i]);
    }
    drawn.push_back({{"name", name_of(i)}, {"inclusion", inclusion}, {"coefficient", coefficient}});
  }
  return {{"over", word_of(path.over)},
          {"features", path.names.size()},
          {"complete", path.complete},
          {"names", names},
          {"steps", steps},
          {"drawn", drawn}};
}

}  // namespace medlar
