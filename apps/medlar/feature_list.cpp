#include "feature_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.hpp"

namespace medlar::cli {
namespace {

constexpr std::size_t kClustersShown = 10, kMembersShown = 5, kClassesShown = 6;

// The number of each feature's cluster, from 1; 0 for a feature without one.
std::vector<std::size_t> cluster_of(const Model& model) {
  std::vector<std::size_t> number(model.features.size(), 0);
  if (!model.clusters) return number;
  for (std::size_t k = 0; k < model.clusters->list.size(); ++k) {
    for (const Index i : model.clusters->list[k].members) number[static_cast<std::size_t>(i)] = k + 1;
  }
  return number;
}

// The value, with a * if it reaches the threshold.
std::string marked(double value, double least) {
  return fmt::format("{:.4g}{}", value, value >= least ? "*" : " ");
}

std::string member_names(const Model& model, const Cluster& cluster) {
  std::vector<std::string> members;
  for (std::size_t k = 0; k < std::min(cluster.members.size(), kMembersShown); ++k) {
    members.push_back(shown(model.features[static_cast<std::size_t>(cluster.members[k])].name));
  }
  const std::string names = fmt::format("{}", fmt::join(clipped_apart(members), ", "));
  const std::size_t more = cluster.members.size() - std::min(cluster.members.size(), kMembersShown);
  return more > 0 ? names + fmt::format(" and {} more", more) : names;
}

}  // namespace

bool has_probabilities(const Model& model) {
  return model.discoveries && !model.discoveries->probability.empty();
}

std::string selected_text(const Model& model) {
  const SelectedBy by = model.selected_by();
  const std::string_view rule = by == SelectedBy::knockoffs   ? "discovered"
                                : by == SelectedBy::stability ? "stable"
                                : by == SelectedBy::list      ? "the list"
                                : by == SelectedBy::evidence  ? "beyond chance by themselves"
                                                              : "inclusion > 1/2";
  const auto kept =
      std::count_if(model.features.begin(), model.features.end(), [](const Feature& f) { return f.kept; });
  const std::size_t others = model.features.size() - static_cast<std::size_t>(kept);
  return fmt::format("selected ({}): {} of {} features{}", rule, model.selected(), others,
                     kept > 0 ? fmt::format(", beside {} kept", kept) : "");
}

std::vector<std::size_t> sorted_features(const Model& model, const std::string& sort) {
  std::vector<std::size_t> order(model.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> place(order.size(), order.size());  // in the list, or the same for all that are selected
  if (sort == "selected") {
    const bool listed = model.selected_by() == SelectedBy::list;
    for (std::size_t k = 0; listed && k < model.list->features.size(); ++k) {
      place[static_cast<std::size_t>(model.list->features[k])] = k;
    }
    for (const std::size_t i : order) place[i] = listed ? place[i] : model.is_selected(i) ? 0 : 1;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Feature &a = model.features[i], &b = model.features[j];
    if (sort == "name") return a.name < b.name;
    if (place[i] != place[j]) return place[i] < place[j];
    if (sort == "stability" && model.stability && model.stability->fraction[i] != model.stability->fraction[j]) {
      return model.stability->fraction[i] > model.stability->fraction[j];
    }
    if (sort == "probability" && has_probabilities(model)) {
      const auto& probability = model.discoveries->probability;
      if (probability[i] != probability[j]) return probability[i] > probability[j];
    }
    if (sort == "inclusion" && a.inclusion != b.inclusion) return a.inclusion > b.inclusion;
    return std::abs(a.coefficient) > std::abs(b.coefficient);
  });
  return order;
}

std::string feature_table(const Model& model, const std::vector<std::size_t>& features, bool verbose) {
  const bool grouped =
      std::any_of(model.features.begin(), model.features.end(), [](const Feature& f) { return f.group >= 0; });
  const bool clustered = model.clusters && !model.clusters->list.empty();
  const std::vector<std::size_t> cluster = cluster_of(model);
  const bool listed = model.list && !model.list->features.empty();
  std::vector<std::vector<std::string>> rows{{"name"}};
  if (listed) rows.front().push_back("in the list");
  rows.front().push_back(listed ? "in the predictor" : "coefficient");
  if (verbose) rows.front().insert(rows.front().end(), {"inclusion", "sd"});
  const Model narrow = listed ? list_model(model) : Model{};
  std::vector<std::vector<double>> by_class;
  if (verbose && model.labels.size() <= kClassesShown) by_class = inclusion_by_class(model);
  if (!by_class.empty()) {
    for (const std::string& label : model.labels) rows.front().push_back(clipped("in " + shown(label)));
  }
  if (model.stability) rows.front().push_back("stability");
  if (model.discoveries) rows.front().push_back("knockoff");
  if (has_probabilities(model)) rows.front().push_back("probability");
  if (clustered) rows.front().push_back("cluster");
  if (grouped) rows.front().push_back("group");
  const bool any_kept =
      std::any_of(model.features.begin(), model.features.end(), [](const Feature& f) { return f.kept; });
  if (any_kept) rows.front().push_back("");
  std::vector<std::string> names;
  for (const std::size_t i : features) names.push_back(shown(model.features[i].name));
  names = clipped_apart(names);
  for (std::size_t k = 0; k < features.size(); ++k) {
    const std::size_t i = features[k];
    const Feature& feature = model.features[i];
    auto& row = rows.emplace_back(std::vector<std::string>{names[k]});
    if (listed) row.push_back(narrow.features[i].inclusion > 0 ? brief(narrow.features[i].coefficient) : "");
    row.push_back(brief(feature.coefficient));
    if (verbose) row.insert(row.end(), {fmt::format("{:.4f}", feature.inclusion), brief(feature.sd)});
    if (!by_class.empty()) {
      for (const double p : by_class[i]) row.push_back(fmt::format("{:.4f}", p));
    }
    if (model.stability) row.push_back(marked(model.stability->fraction[i], model.stability->threshold));
    if (model.discoveries) row.push_back(marked(model.discoveries->statistic[i], model.discoveries->threshold));
    if (has_probabilities(model)) row.push_back(fmt::format("{:.4f}", model.discoveries->probability[i]));
    if (clustered) row.push_back(cluster[i] == 0 ? "" : fmt::format("{}", cluster[i]));
    if (grouped) {
      row.push_back(feature.group < 0 ? ""
                                      : clipped(shown(model.group_names[static_cast<std::size_t>(feature.group)])));
    }
    if (any_kept) row.push_back(feature.kept ? "kept" : "");
  }
  return table(rows);
}

Json feature_json(const Model& model, std::size_t i) {
  const Feature& feature = model.features[i];
  Json entry = {{"name", feature.name},
                {"inclusion", feature.inclusion},
                {"coefficient", feature.coefficient},
                {"sd", feature.sd},
                {"selected", model.is_selected(i)}};
  if (feature.kept) entry["kept"] = true;
  if (model.list) {
    const auto& list = *model.list;
    const auto found = std::find(list.features.begin(), list.features.end(), static_cast<Index>(i));
    const auto place = static_cast<std::size_t>(found - list.features.begin());
    entry["in_list"] = found != list.features.end();
    if (found != list.features.end() && list.bias.size() == 1) entry["list_coefficient"] = list.coefficient[place];
  }
  if (feature.group >= 0) entry["group"] = model.group_names[static_cast<std::size_t>(feature.group)];
  if (model.stability) {
    entry["stability"] = model.stability->fraction[i];
    entry["stable"] = model.stability->fraction[i] >= model.stability->threshold;
  }
  if (model.discoveries) {
    entry["knockoff"] = model.discoveries->statistic[i];
    entry["discovered"] = model.discoveries->statistic[i] >= model.discoveries->threshold;
    if (has_probabilities(model)) entry["probability"] = model.discoveries->probability[i];
  }
  return entry;
}

Json clusters_json(const Model& model) {
  Json list = Json::array();
  for (const Cluster& cluster : model.clusters->list) {
    Json names = Json::array();
    for (const Index i : cluster.members) names.push_back(model.features[static_cast<std::size_t>(i)].name);
    list.push_back(
        {{"inclusion", cluster.inclusion}, {"coefficient", json_number(cluster.coefficient)}, {"members", names}});
  }
  return {{"correlation", model.clusters->correlation}, {"list", list}};
}

std::string trust_remarks(const Model& model) {
  std::string text;
  if (model.stability) {
    const Stability& part = *model.stability;
    text += fmt::format("* stable: among the top {} in a share of at least {} of {} refits: {} of {} features",
                        part.top, brief(part.threshold), part.refits, part.stable(), part.fraction.size());
    if (part.different < std::ssize(part.fraction)) {
      text += fmt::format(", of which {} vary and differ", part.different);
    }
    if (part.false_bound) {
      text += fmt::format(";\n  at most {}{} expected to be there by chance\n", brief(*part.false_bound),
                          part.different < std::ssize(part.fraction) ? " different" : "");
    } else if (part.different > 0) {
      text += fmt::format(";\n  no bound on those by chance is known for share = {}\n", brief(part.share));
    } else {
      text += "\n";
    }
  }
  if (model.discoveries) {
    const Discoveries& found = *model.discoveries;
    text += fmt::format("* discovered: beats its {} knockoff, false-discovery rate {}: {} features\n",
                        word_of(found.construction), brief(found.fdr), found.discovered());
    if (found.discovered() == 0) {
      text += fmt::format("  (at this rate there are at least {} or none; go by stability, or ask for a larger rate)\n",
                          found.fewest());
    }
    if (has_probabilities(model)) {
      text +=
          fmt::format("probability: that the feature matters, by {} draws of such copies; {:.1f} of {} are expected to",
                      found.draws, found.expected, found.units);
      text += found.units < std::ssize(found.probability)
                  ? ",\n  where levels of a category, and columns that are the same, count as one\n"
                  : "\n";
    }
  }
  if (model.clusters && !model.clusters->list.empty()) {
    const auto& list = model.clusters->list;
    text += fmt::format("clusters of features that correlate by {} or more, and the inclusion of at least one:\n",
                        brief(model.clusters->correlation));
    for (std::size_t k = 0; k < std::min(list.size(), kClustersShown); ++k) {
      text += fmt::format("  {}: {:.4f}  {}\n", k + 1, list[k].inclusion, member_names(model, list[k]));
    }
    if (list.size() > kClustersShown) text += fmt::format("  ... and {} more\n", list.size() - kClustersShown);
  }
  return text;
}

}  // namespace medlar::cli
