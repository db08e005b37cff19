// The model's part of a report page: what was fitted, its certificate, features, coefficients and hard examples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "medlar/report/html_text.hpp"
#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t most_trace_points = 300, most_quantiles = 401, most_hard_examples = 100;

PageJson certificate(const Report& report) {
  std::vector<double> seconds, objective, primal, relative_gap;
  for (const std::size_t k : thinned(report.trace.size(), most_trace_points)) {
    const TracePoint& point = report.trace[k];
    seconds.push_back(point.seconds);
    objective.push_back(point.objective);
    primal.push_back(point.primal);
    relative_gap.push_back(point.relative_gap);
  }
  return {{"status", to_string(report.status)},
          {"message", report.message},
          {"solver", report.solver},
          {"why", report.why},
          {"objective", page_number(report.objective)},
          {"primal", page_number(report.primal)},
          {"gap", page_number(report.gap)},
          {"relative_gap", page_number(report.relative_gap)},
          {"tolerance", page_number(report.tolerance)},
          {"iterations", report.iterations},
          {"passes", report.passes},
          {"seconds", page_number(report.seconds)},
          {"trace",
           {{"seconds", page_numbers(seconds)},
            {"objective", page_numbers(objective)},
            {"primal", page_numbers(primal)},
            {"relative_gap", page_numbers(relative_gap)}}}};
}

PageJson settings_table(const Model& model) {
  PageJson rows = PageJson::array();
  for (const Option& option : options()) {
    rows.push_back(PageJson::array({option.name, option.get(model.settings), option.meaning}));
  }
  return rows;
}

// By size of the coefficient.
std::vector<std::size_t> by_size(const std::vector<Feature>& features) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::abs(features[i].coefficient) > std::abs(features[j].coefficient);
  });
  return order;
}

// The first `top`: the selected ones, those of a list in its order, and then the others, as `medlar features` has them.
std::vector<std::size_t> listed_features(const Model& model, Index top) {
  std::vector<std::size_t> order = by_size(model.features);
  std::vector<std::size_t> place(order.size(), order.size());  // in the list; behind it, the same for all
  const bool listed = model.selected_by() == SelectedBy::list;
  for (std::size_t k = 0; listed && k < model.list->features.size(); ++k) {
    place[static_cast<std::size_t>(model.list->features[k])] = k;
  }
  if (!listed) {
    for (const std::size_t i : order) place[i] = model.is_selected(i) ? 0 : 1;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return place[i] < place[j]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
  return order;
}

// The class for which a larger value of the feature speaks most.
std::size_t favoured_class(const MulticlassPart& part, std::size_t feature) {
  const auto classes = std::ssize(part.class_bias);
  const auto first = part.coefficient.begin() + static_cast<std::ptrdiff_t>(feature) * classes;
  return static_cast<std::size_t>(std::max_element(first, first + classes) - first);
}

PageJson feature_columns(const Model& model, Index top) {
  const std::vector<std::size_t> order = listed_features(model, top);
  PageJson names = PageJson::array(), groups = PageJson::array(), favoured = PageJson::array();
  std::vector<double> inclusion, coefficient, sd, stability, statistic, probability;
  PageJson selected = PageJson::array(), kept = PageJson::array();
  bool grouped = false, any_kept = false;
  const bool probable = model.discoveries && !model.discoveries->probability.empty();
  for (const std::size_t i : order) {
    const Feature& feature = model.features[i];
    names.push_back(feature.name);
    inclusion.push_back(feature.inclusion);
    coefficient.push_back(feature.coefficient);
    sd.push_back(feature.sd);
    groups.push_back(feature.group < 0 ? "" : model.group_names[static_cast<std::size_t>(feature.group)]);
    grouped = grouped || feature.group >= 0;
    if (model.multiclass) favoured.push_back(model.labels[favoured_class(*model.multiclass, i)]);
    if (model.stability) stability.push_back(model.stability->fraction[i]);
    selected.push_back(model.is_selected(i));
    kept.push_back(feature.kept);
    any_kept = any_kept || feature.kept;
    if (model.discoveries) statistic.push_back(model.discoveries->statistic[i]);
    if (probable) probability.push_back(model.discoveries->probability[i]);
  }
  PageJson columns = {{"name", names},
                      {"inclusion", page_numbers(inclusion)},
                      {"coefficient", page_numbers(coefficient)},
                      {"sd", page_numbers(sd)},
                      {"selected", selected}};
  if (model.list && !model.list->features.empty()) {
    const Model narrow = list_model(model);
    PageJson listed = PageJson::array();
    for (const std::size_t i : order) {
      const Feature& feature = narrow.features[i];
      listed.push_back(feature.inclusion > 0 ? page_number(feature.coefficient) : PageJson(nullptr));
    }
    columns["listed"] = listed;
  }
  if (grouped) columns["group"] = groups;
  if (any_kept) columns["kept"] = kept;
  if (model.multiclass) columns["favours"] = favoured;
  if (model.stability) columns["stability"] = page_numbers(stability);
  if (model.discoveries) columns["knockoff"] = page_numbers(statistic);
  if (probable) columns["probability"] = page_numbers(probability);
  return columns;
}

// Quantiles of the coefficients of all features, for their cumulative distribution [MED figs 7, 9].
PageJson coefficient_quantiles(const std::vector<Feature>& features) {
  std::vector<double> sorted;
  for (const Feature& feature : features) sorted.push_back(feature.coefficient);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> values, shares;
  for (const std::size_t k : thinned(sorted.size(), most_quantiles)) {
    values.push_back(sorted[k]);
    shares.push_back(static_cast<double>(k + 1) / static_cast<double>(sorted.size()));
  }
  return {{"value", page_numbers(values)}, {"share", page_numbers(shares)}};
}

// The training examples with the largest multipliers, numbered from 1.
PageJson hard_examples(const Model& model) {
  std::vector<std::size_t> order(model.support.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(model.multipliers[a]) > std::abs(model.multipliers[b]);
  });
  order.resize(std::min(order.size(), most_hard_examples));
  PageJson rows = PageJson::array();
  std::vector<double> multipliers;
  for (const std::size_t k : order) {
    rows.push_back(model.support[k] + 1);
    multipliers.push_back(model.multipliers[k]);
  }
  return {{"total", model.support.size()}, {"row", rows}, {"multiplier", page_numbers(multipliers)}};
}

}  // namespace

PageJson page_number(double value) {
  return std::isfinite(value) ? PageJson(value) : PageJson(nullptr);
}

PageJson page_numbers(const std::vector<double>& values) {
  PageJson list = PageJson::array();
  for (const double value : values) list.push_back(page_number(value));
  return list;
}

std::vector<std::size_t> thinned(std::size_t size, std::size_t most) {
  std::vector<std::size_t> kept(std::min(size, most));
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = size <= most ? k : k * (size - 1) / (most - 1);
  return kept;
}

namespace {

// What was unknown about the examples, and the course of the total KL divergence.
std::string what_was_latent(const Model& model) {
  if (!model.latent) return "";
  const LatentPart& part = *model.latent;
  std::string text =
      fmt::format(" Latent: {} ({})", text_of(model.settings.latent), word_of(model.settings.latent_mode));
  if (!part.unlabelled.empty()) {
    text += fmt::format(", {} of {} examples without a label", part.unlabelled.size(), part.weight.size());
  }
  if (part.kl.size() > 1) {
    text += fmt::format("; the total KL divergence fell from {} to {} in {} rounds", short_number(part.kl.front()),
                        short_number(part.kl.back()), part.kl.size() - 1);
  }
  return text + ". The certificate holds for the latent variables as they are at the end.";
}

// By a switch, or because a relaxed refit kept others.
bool can_leave_out(const Model& model) {
  return model.prior() == PriorKind::switches || model.prior() == PriorKind::groups ||
         std::any_of(model.features.begin(), model.features.end(), [](const Feature& f) { return f.inclusion < 1; });
}

// Whether a feature can be left out, and by which prior.
std::string how_features_count(const Model& model) {
  const PriorKind prior = model.prior();
  if (model.generative && prior != PriorKind::switches) {
    return fmt::format("without feature selection, families {}", text_of(model.settings.family));
  }
  if (prior == PriorKind::gaussian && can_leave_out(model)) {
    const auto kept =
        std::count_if(model.features.begin(), model.features.end(), [](const Feature& f) { return f.inclusion > 0; });
    return fmt::format("of which the {} best were kept and fitted anew (p0 = 1)", kept);
  }
  if (prior == PriorKind::gaussian) return "without feature selection (p0 = 1)";
  return fmt::format("with feature selection (prior {}, p0 = {})", word_of(prior), short_number(model.settings.p0));
}

}  // namespace

std::string what_was_fitted(const Model& model) {
  const Settings& settings = model.settings;
  std::string what = "predicts a number";
  if (!model.schema.target.empty() && model.task == Task::regress)
    what = fmt::format("predicts ‘{}’", model.schema.target);
  if (model.task == Task::classify && model.labels.size() == 2) {
    what = fmt::format("tells ‘{}’ from ‘{}’", model.labels[1], model.labels[0]);
  } else if (model.task == Task::classify) {
    what = fmt::format("tells {} classes apart", model.labels.size());
  } else if (model.task == Task::anomaly) {
    what = "tells the unusual from the usual";
  }
  const std::string c = settings.c ? fmt::format(", c = {}", short_number(*settings.c)) : "";
  return fmt::format("A {} model that {}, fitted on {} examples and {} features {}; {} margins{}, {} scaling.{}",
                     word_of(settings.model), what, model.examples,
                     model.kernel ? model.kernel->columns : std::ssize(model.features), how_features_count(model),
                     word_of(settings.margin), c, settings.scale == ScaleKind::none ? "no" : word_of(settings.scale),
                     what_was_latent(model));
}

PageJson model_part(const Model& model, Index top) {
  PageJson part = {{"version", MEDLAR_VERSION},
                   {"task", word_of(model.task)},
                   {"kind", word_of(model.settings.model)},
                   {"prior", word_of(model.prior())},
                   {"selects", can_leave_out(model)},
                   {"sentence", what_was_fitted(model)},
                   {"labels", model.labels},
                   {"target", model.schema.target},
                   {"examples", model.examples},
                   {"total", model.features.size()},
                   {"selected", model.selected()},
                   {"selected_by", word_of(model.selected_by())},
                   {"verdict", verdict(model)},
                   {"bias", page_number(model.bias)},
                   {"bias_sd", page_number(model.bias_sd)},
                   {"c", model.settings.c ? page_number(*model.settings.c) : PageJson(nullptr)},
                   {"settings", settings_table(model)},
                   {"certificate", certificate(model.report)},
                   {"features", feature_columns(model, top)},
                   {"coefficients", coefficient_quantiles(model.features)},
                   {"hard", hard_examples(model)}};
  if (model.tuning) part["tuning"] = tuning_part(*model.tuning);
  if (model.recalibration) part["recalibration"] = recalibration_part(*model.recalibration);
  if (PageJson trust = trust_part(model); !trust.is_null()) part["trust"] = std::move(trust);
  if (PageJson trees = tree_part(model); !trees.is_null()) part["trees"] = std::move(trees);
  if (PageJson about = template_part(model); !about.is_null()) part["template"] = std::move(about);
  return part;
}

}  // namespace medlar
