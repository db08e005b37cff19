#include "medlar/prepare/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {

MarginPrior margin_prior(const Settings& settings) {
  const double c = *settings.c, location = settings.margin_location.value_or(1);
  if (settings.margin == MarginKind::laplace) return LaplaceMargin{c, location};
  if (settings.margin == MarginKind::gaussian) return GaussianMargin{c, location};
  if (settings.margin == MarginKind::hinge) return HingeMargin{c, location};
  if (settings.margin == MarginKind::tube) return TubeMargin{c, *settings.epsilon};
  if (settings.margin == MarginKind::svr) return SvrMargin{c, *settings.epsilon};
  if (c * location <= 1 && settings.prior_mean.empty()) {
    throw OptionError(fmt::format(
        "c = {} with the exponential margin at {}: the prior itself meets every constraint on average, so that nothing "
        "would be learnt; c must exceed 1/{} = {}",
        c, location, location, 1 / location));
  }
  return ExponentialMargin{c, location};
}

namespace {

// p0 of each group: its members must agree.
std::vector<double> group_probabilities(std::span<const double> p, std::span<const Index> group_of,
                                        std::span<const std::string> names, std::size_t count) {
  std::vector<double> of_group(count, -1);
  for (std::size_t i = 0; i < p.size(); ++i) {
    double& known = of_group[static_cast<std::size_t>(group_of[i])];
    if (known >= 0 && known != p[i]) {
      throw OptionError(
          fmt::format("feature-priors gives '{}' p0 = {}, but another feature that shares its switch has "
                      "{}; give them the same or use --groups none",
                      names[i], p[i], known));
    }
    known = p[i];
  }
  return of_group;
}

}  // namespace

ParameterPrior parameter_prior(const Settings& settings, std::span<const std::string> names, const Grouping& grouping) {
  const auto n = static_cast<Index>(names.size());
  const double variance = *settings.prior_variance;
  const std::vector<double> p = per_feature(settings.feature_p0, names, settings.p0, "feature-priors");
  const bool certain = std::all_of(p.begin(), p.end(), [](double value) { return value == 1; });
  if (!settings.prior_mean.empty()) {
    if (!certain) {
      throw OptionError(fmt::format("prior-mean needs p0 = 1 (no selection), but p0 = {}", settings.p0));
    }
    return GaussianPartition(n, variance, per_feature(settings.prior_mean, names, 0.0, "prior-mean"));
  }
  if (certain) return GaussianPartition(n, variance);
  if (grouping.names.empty()) return SwitchPartition(p, variance);
  // Features on their own become groups of one, after the others.
  std::vector<Index> group_of = grouping.group_of;
  auto count = static_cast<Index>(grouping.names.size());
  for (Index& group : group_of) {
    if (group < 0) group = count++;
  }
  std::vector<double> of_group = group_probabilities(p, group_of, names, static_cast<std::size_t>(count));
  return GroupPartition(std::move(group_of), std::move(of_group), variance);
}

BiasPrior bias_prior(const Settings& settings) {
  if (settings.bias == BiasKind::flat || settings.bias == BiasKind::automatic) return {BiasPrior::Kind::flat, 0};
  if (settings.bias == BiasKind::none) return {BiasPrior::Kind::none, 0};
  return {BiasPrior::Kind::gaussian, settings.bias.argument.value};
}

Limits limits_of(const Settings& settings) {
  return {settings.tolerance, settings.max_passes, settings.max_seconds, static_cast<std::uint64_t>(settings.seed)};
}

}  // namespace medlar
