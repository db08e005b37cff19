#include "medlar/models/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {

namespace {

void check_count(std::string_view what, std::size_t count, std::string_view of, Index wanted) {
  if (static_cast<Index>(count) == wanted) return;
  throw DataError(fmt::format("the dataset has {} {}, but {} {}", count, what, wanted, of));
}

// A number minus itself is 0, unless it is infinite or NaN. This needs no branch in the loop.
bool all_finite(NumbersView values) {
  return values.visit([&](const auto* value) {
    bool finite = true;
    for (std::size_t j = 0; j < values.size(); ++j) finite &= value[j] - value[j] == 0;
    return finite;
  });
}

void check_values(const ByFeature<double>& given, std::string_view option, double low, double high) {
  for (const auto& [name, value] : given.entries) {
    if (value >= low && value <= high && std::isfinite(value)) continue;
    throw OptionError(
        fmt::format("{} gives '{}' the value {}, but it must {}", option, name, value,
                    std::isfinite(low) ? fmt::format("lie in [{}, {}]", low, high) : "be a finite number"));
  }
}

void check_linear_priors(const Settings& settings) {
  const ByFeature<double>& given = settings.feature_prior_variance;
  for (const auto& [name, value] : given.entries) {
    if (value > 0 && std::isfinite(value)) continue;
    throw OptionError(fmt::format(
        "feature-prior-variance gives '{}' the value {}, but it must be a finite number above 0", name, value));
  }
  if (settings.model == ModelKind::linear) return;
  const auto refuse = [&](std::string_view option) {
    throw OptionError(fmt::format("{} is for linear models, but model = {}; leave it out", option, settings.model));
  };
  if (!given.empty()) refuse("feature-prior-variance");
  if (!settings.keep.empty()) refuse("keep");
}

}  // namespace

// Sends each option's text back through its reader, so that each range is checked in one place only. Files were read
// when they were set.
void check_settings(const Settings& settings) {
  Settings copy;
  for (const Option& option : options()) {
    const bool from_file = option.name == "feature-priors" || option.name == "prior-mean" ||
                           option.name == "feature-prior-variance" ||
                           (option.name == "groups" && settings.groups == GroupsKind::file);
    if (!from_file) option.set(copy, option.get(settings));
  }
  for (const Option& option : options()) {
    const std::string given = option.get(settings);
    if (option.chapter != "latent" || settings.model == ModelKind::latent || given == option.get(Settings{})) continue;
    throw OptionError(fmt::format("{} = {}, but model = {}; use --model latent", option.name, given, settings.model));
  }
  check_values(settings.feature_p0, "feature-priors", 0, 1);
  check_linear_priors(settings);
  check_values(settings.prior_mean, "prior-mean", -HUGE_VAL, HUGE_VAL);
}

void check_dataset(const Dataset& data, bool may_miss) {
  const Index examples = data.examples(), features = data.features();
  if (examples == 0) throw DataError(fmt::format("{}: has no examples", data.source));
  if (features == 0) throw DataError(fmt::format("{}: has no features", data.source));
  check_count("names", data.names.size(), "features", features);
  if (!data.group_of.empty()) check_count("groups of features", data.group_of.size(), "features", features);
  for (const Index group : data.group_of) {
    if (group < 0 || group >= std::ssize(data.group_names)) {
      throw DataError(fmt::format("a feature has group {}, but there are {} groups", group, data.group_names.size()));
    }
  }
  if (!data.weights.empty()) check_count("weights", data.weights.size(), "examples", examples);
  if (!data.beliefs.empty()) check_count("label beliefs", data.beliefs.size(), "examples", examples);
  for (const double belief : data.beliefs) {
    if (belief >= 0 && belief <= 1) continue;
    throw DataError(fmt::format("{}: a label belief is {}, but must lie in [0, 1]", data.source, belief));
  }
  if (!data.fold_group.empty()) check_count("groups of examples", data.fold_group.size(), "examples", examples);
  if (!data.lines.empty()) check_count("line numbers", data.lines.size(), "examples", examples);
  const Target& target = data.target;
  if (target.present)
    check_count("targets", target.numeric ? target.values.size() : target.codes.size(), "examples", examples);
  for (const Column code : target.codes) {
    if (code >= std::ssize(target.labels)) {
      throw DataError(fmt::format("a target has code {}, but there are {} labels", code, target.labels.size()));
    }
  }
  for (Index t = 0; t < examples; ++t) {
    if (all_finite(data.x.row(t).values)) continue;
    for_each(data.x.row(t), [&](Index i, double value) {
      if (std::isfinite(value) || (may_miss && std::isnan(value))) return;
      if (std::isnan(value) && !data.lines.empty()) {
        throw DataError(
            fmt::format("{}:{}: '{}' has no value here, which only generative models do without; use "
                        "--missing mean or --model generative",
                        data.source, data.lines[static_cast<std::size_t>(t)], data.names[static_cast<std::size_t>(i)]));
      }
      throw DataError(fmt::format("{}: feature '{}' of example {} is {}, but must be a finite number", data.source,
                                  data.names[static_cast<std::size_t>(i)], t + 1, value));
    });
  }
}

}  // namespace medlar
