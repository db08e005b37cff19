// Single examples of a report page: why each got its score.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "medlar/explain.hpp"
#include "medlar/folds.hpp"
#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t worst_rows = 50, spread_rows = 100;  // examples that are explained

// The examples that are explained: the worst ones, and others evenly taken, in the order of the file.
template <class Badness>
std::vector<std::size_t> chosen_examples(std::size_t size, Badness badness) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return badness(a) > badness(b); });
  order.resize(std::min(order.size(), worst_rows));
  for (const std::size_t t : thinned(size, spread_rows)) order.push_back(t);
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  return order;
}

}  // namespace

// Each name stands once in `names`, however many examples its feature explains.
PageJson explained_part(const Model& model, const Dataset& data, const Comparison* truth) {
  const bool odd = model.task == Task::anomaly, several = model.labels.size() > 2;
  const std::vector<Prediction> own = odd ? model.predict(data.x) : std::vector<Prediction>();
  const std::vector<Prediction>& predicted = odd ? own : truth->predicted;
  const std::vector<std::size_t> chosen = chosen_examples(predicted.size(), [&](std::size_t t) {
    const double score = predicted[t].score;
    if (odd) return -score;
    if (several) return -predicted[t].probabilities[static_cast<std::size_t>(truth->y[t])];
    return truth->y.empty() ? std::abs(truth->values[t] - score) : (truth->y[t] == 1 ? -score : score);
  });
  const auto row_of = [&](std::size_t t) { return odd ? static_cast<Index>(t) : truth->rows[t]; };
  std::vector<Index> rows;
  for (const std::size_t t : chosen) rows.push_back(row_of(t));
  const std::vector<Explanation> explained = explain(model, subset(data, rows).x);
  PageJson list = PageJson::array(), names = PageJson::array();
  std::unordered_map<Index, std::size_t> place;  // of each feature among the names
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t t = chosen[k];
    const Prediction& prediction = predicted[t];
    PageJson features = PageJson::array();
    double lead = explained[k].bias + explained[k].added_by_others;
    for (const Contribution& each : explained[k].largest) lead += each.added;
    for (const Contribution& each : explained[k].largest) {
      const auto [found, is_new] = place.try_emplace(each.feature, names.size());
      if (is_new) names.push_back(model.features[static_cast<std::size_t>(each.feature)].name);
      features.push_back(PageJson::array({found->second, page_number(each.value), each.added}));
    }
    PageJson entry = {{"row", rows[k] + 1},        {"score", several ? lead : prediction.score},
                      {"bias", explained[k].bias}, {"others", explained[k].others},
                      {"largest", features},       {"added_by_others", explained[k].added_by_others}};
    if (several) {
      entry["rival"] = explained[k].rival;
    } else {
      entry["sd"] = prediction.sd;
    }
    if (!data.lines.empty()) entry["line"] = data.lines[static_cast<std::size_t>(rows[k])];
    if (!odd) entry["truth"] = model.task == Task::classify ? PageJson(truth->y[t]) : PageJson(truth->values[t]);
    if (model.task != Task::regress) {
      entry["label"] = prediction.label;
      entry["probability"] = prediction.probability;
    }
    list.push_back(std::move(entry));
  }
  return {{"names", names}, {"rows", list}};
}

}  // namespace medlar
