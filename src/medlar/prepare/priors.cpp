#include "medlar/prepare/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/core/margin.hpp"
#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/margins/table.hpp"

namespace medlar {

const MarginMaker& maker_of(const Settings& settings) {
  const bool regress = settings.task == Task::regress;
  const bool named = settings.margin != MarginKind::automatic && settings.margin != MarginKind::own;
  return margin_maker(named ? settings.margin : regress ? kUsualToRegress : kUsualToClassify, regress);
}

double location_of(const Settings& settings) {
  return settings.margin_location.value_or(maker_of(settings).location);
}

Margin margin_prior(const Settings& settings) {
  const double c = *settings.c, location = location_of(settings);
  if (settings.margin == MarginKind::exponential && c * location <= 1 && settings.prior_mean.empty()) {
    throw OptionError(fmt::format(
        "c = {} with the exponential margin at {}: the prior itself meets every constraint on average, so that nothing "
        "would be learnt; c must exceed 1/{} = {}",
        c, location, location, 1 / location));
  }
  if (settings.margin == MarginKind::own && settings.task != Task::regress && settings.prior_mean.empty() &&
      !(settings.own_margin->slope(0) > 0)) {
    throw OptionError(
        fmt::format("the program's own margin prior has psi'(0) = {:g}: the prior itself meets every constraint on "
                    "average, so that "
                    "nothing would be learnt; to classify, psi'(0) must be above 0",
                    settings.own_margin->slope(0)));
  }
  return margin_at(settings, location);
}

namespace {

// Refuses what no solver could certify: numbers that are none, a psi that is not concave, a multiplier outside the
// domain, a loss that is not the maximum over lambda of psi(lambda) - lambda margin. Asked at a few places of each.
void require_potential(const OwnMargin& own) {
  const auto refuse = [](double at, const char* what) {
    throw OptionError(fmt::format("the program's own margin prior is no potential: at {:g}, {}", at, what));
  };
  const Domain domain = own.domain();
  const double end = domain.upper, unit = std::isfinite(end) ? end : 10;
  std::vector<double> lambda;
  for (const double part : {0.0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) lambda.push_back(part * unit);
  const auto near = [](double a, double b, double size) { return std::abs(a - b) <= 1e-6 * (1 + std::abs(size)); };
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    const double l = lambda[i], value = own.value(l), slope = own.slope(l);
    if (!std::isfinite(value) || !std::isfinite(slope) || !(own.curvature(l) <= 0)) {
      refuse(l, "psi and psi' must be numbers inside the domain and psi'' must not be above 0");
    }
    for (const double other : lambda) {  // a concave psi lies below its tangents
      const double tangent = value + slope * (other - l), psi = own.value(other);
      if (psi > tangent && !near(psi, tangent, std::abs(psi) + std::abs(tangent))) refuse(l, "psi is not concave");
    }
  }
  for (std::size_t i = 0; i <= lambda.size(); ++i) {
    const double margin = i < lambda.size() ? own.slope(lambda[i]) : own.slope(0) + 1;
    const double l = own.multiplier(margin), loss = own.loss(margin);
    if (!(l >= 0) || !(domain.closed ? l <= end : l < end) || !std::isfinite(l)) {
      refuse(margin, "the multiplier of a margin must lie in the domain of psi");
    }
    bool least = near(loss, own.value(l) - l * margin, loss);
    for (const double other : lambda) {
      const double value = own.value(other) - other * margin;
      least = least && (loss >= value || near(loss, value, loss));
    }
    if (!least)
      refuse(margin, "the loss of a margin must be the largest psi(lambda) - lambda margin, at its multiplier");
  }
}

}  // namespace

void resolve_own_margin(Settings& settings) {
  if (settings.own_margin == nullptr) {
    throw OptionError(
        "margin = own is a margin prior that a C++ program brings along (Settings::own_margin), which neither the "
        "command line nor a model file holds; give it again, or name another margin");
  }
  if (settings.margin != MarginKind::automatic && settings.margin != MarginKind::own) {
    throw OptionError(fmt::format("margin = {}, but the program brings a margin prior of its own; leave margin at auto",
                                  settings.margin));
  }
  const OwnMargin& own = *settings.own_margin;
  const double slope = own.slope(0);
  if (!(own.domain().upper > 0) || !(own.curvature(0) <= 0) || !std::isfinite(slope) || own.value(0) != 0) {
    throw OptionError(
        "the program's own margin prior is no potential: psi(0) = 0, a finite psi'(0), psi''(0) <= 0 and an upper end "
        "of its domain above 0 are wanted");
  }
  require_potential(own);
  if (settings.task == Task::regress && slope > 0) {
    throw OptionError(fmt::format(
        "the program's own margin prior has psi'(0) = {:g}: a number has a constraint on either side, which both would "
        "draw it; to regress, psi'(0) must not be above 0",
        slope));
  }
  settings.margin = MarginKind::own;
}

Margin margin_at(const Settings& settings, double location) {
  if (settings.margin == MarginKind::own && settings.own_margin != nullptr) return Margin(settings.own_margin);
  return maker_of(settings).make({*settings.c, location, settings.epsilon.value_or(0)});
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

ParameterPrior parameter_prior(const Settings& settings, std::span<const std::string> names, const Grouping& grouping,
                               std::span<const double> units) {
  const auto n = static_cast<Index>(names.size());
  const double variance = *settings.prior_variance;
  std::vector<double> p = per_feature(settings.feature_p0, names, settings.p0, "feature-priors");
  for (const Index i : grouping.kept) p[static_cast<std::size_t>(i)] = 1;
  const bool certain = std::all_of(p.begin(), p.end(), [](double value) { return value == 1; });
  if (!settings.prior_mean.empty()) {
    if (!certain) {
      throw OptionError(fmt::format("prior-mean needs p0 = 1 (no selection), but p0 = {}", settings.p0));
    }
    std::vector<double> mean = per_feature(settings.prior_mean, names, 0.0, "prior-mean");
    for (std::size_t i = 0; i < units.size(); ++i) mean[i] /= units[i];
    return GaussianPartition(n, variance, std::move(mean));
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
