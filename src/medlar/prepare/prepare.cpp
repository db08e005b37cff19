// Most of this file refuses what double precision cannot solve, before a solver runs into it: strengths more than 1e12
// away from the scale of the data, squares that vanish or overflow. The limits are relative to a unit (the margin's
// location or the target's deviation), so that a change of units changes nothing.
#include "medlar/prepare/prepare.hpp"
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "medlar/error.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/prepare/kernel_map.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/prepare/transforms.hpp"
#include "medlar/priors/margins/table.hpp"
#include "medlar/thresholds/digits.hpp"

namespace medlar {

Examples counted_examples(const Dataset& data, std::span<const double> weights) {
  Examples examples;
  for (Index t = 0; t < data.examples(); ++t) {
    if (!weights.empty() && weights[static_cast<std::size_t>(t)] == 0) continue;
    examples.rows.push_back(t);
    if (!weights.empty()) examples.weights.push_back(weights[static_cast<std::size_t>(t)]);
  }
  return examples;
}

Moments weighted_moments(std::span<const double> y, std::span<const double> weights) {
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  if (least != y.end() && *least == *most) return {*least, 0};  // whose mean would be rounded
  CompensatedSum total, sum, squares;
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  for (std::size_t t = 0; t < y.size(); ++t) total.add(weight(t)), sum.add(weight(t) * y[t]);
  const double mean = sum.value() / total.value();
  double largest = 0;  // as the unit, so that no square vanishes or overflows
  for (const double value : y) largest = std::max(largest, std::abs(value - mean));
  if (largest == 0) return {mean, 0};
  for (std::size_t t = 0; t < y.size(); ++t) {
    const double part = (y[t] - mean) / largest;
    squares.add(weight(t) * part * part);
  }
  return {mean, largest * std::sqrt(squares.value() / total.value())};
}

// What margin = auto stands for. Squared errors and the logistic loss predict best on most data (docs/defaults.md); a
// tube, a location of the margin or the paper's quadratic program is asked for by giving it. Kernels keep margins with
// few support vectors; generative and latent models need a margin at 1.
static MarginKind usual_margin(const Settings& settings) {
  const bool linear = settings.model == ModelKind::linear && settings.solver != SolverKind::bounded_qp;
  if (settings.task == Task::regress) return linear && !settings.epsilon ? MarginKind::gaussian : MarginKind::tube;
  // Rounds for kept columns stall with a potential that is infinitely steep at its ends.
  return linear && !settings.margin_location && settings.keep.empty() ? MarginKind::logistic : MarginKind::exponential;
}

void resolve_margin_and_bias(Settings& settings) {
  const bool regress = settings.task == Task::regress;
  if (settings.own_margin != nullptr || settings.margin == MarginKind::own)
    resolve_own_margin(settings);
  else if (settings.margin == MarginKind::automatic)
    settings.margin = usual_margin(settings);
  if (settings.margin != MarginKind::own) {
    const MarginMaker* maker = find_margin(settings.margin, regress);
    if (maker == nullptr) {
      throw OptionError(fmt::format("margin = {} does not go with task = {}; use {}", settings.margin, settings.task,
                                    margins_that(regress)));
    }
    if (regress && !maker->has_epsilon) {
      refuse_unused(settings, {"epsilon"}, fmt::format("a regression with margin = {}", settings.margin));
    }
  }
  if (settings.bias == BiasKind::automatic) {
    settings.bias = settings.model == ModelKind::generative ? BiasChoice(BiasKind::variance, 1) : BiasKind::flat;
  }
}

namespace {

double largest_square(const Matrix& x) {
  double largest = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index, double value) { largest = std::max(largest, value * value); });
  }
  return largest;
}

// Refuses strengths so far from one, in units of what is predicted, that double precision cannot tell them from their
// limit.
void require_strengths_near_one(const Settings& settings, const Matrix& x, double unit) {
  const std::string_view of =
      settings.task == Task::regress ? "the target's standard deviation" : "the margin's location";
  if (!std::isnormal(unit * unit)) {
    throw OptionError(
        fmt::format("{} is {:g}, whose square double precision does not hold; bring it nearer to 1", of, unit));
  }
  if (*settings.c * unit > kFarthestStrength) {
    throw OptionError(
        fmt::format("c = {:g} is more than {:g} / {} ({:g}): errors are then forbidden, which double "
                    "precision cannot solve; a c of 10,000 units forbids them in effect",
                    *settings.c, kFarthestStrength, of, unit));
  }
  if (settings.bias == BiasKind::variance && settings.bias.argument.value / unit / unit > kFarthestStrength) {
    throw OptionError(fmt::format("bias = {} is as good as a flat one; use --bias flat", settings.bias));
  }
  const double ratio = *settings.prior_variance / unit / unit;
  if (ratio >= 1 / kFarthestStrength / kFarthestStrength && ratio <= kFarthestStrength) return;
  const double reach = ratio * largest_square(x);
  if (reach > 0 && (reach < 1e-4 / kFarthestStrength / kFarthestStrength || reach > 1e4 * kFarthestStrength)) {
    throw OptionError(
        fmt::format("prior-variance = {:g} is too {} for {} of {:g} and features up to {:g}: double "
                    "precision cannot tell it from {}; bring it nearer to {:g}",
                    *settings.prior_variance, reach > 1 ? "large" : "small", of, unit, std::sqrt(reach / ratio),
                    reach > 1 ? "infinity" : "0", unit * unit * ratio / reach));
  }
}

// The feature of a product may have the name of a column.
void require_names_apart(const std::vector<std::string>& names, const Settings& settings) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw DataError(
        fmt::format("expand = {} makes a feature '{}', which is also the name of another; rename that column",
                    settings.expand, name));
  }
}

}  // namespace

void resolve_classification_scale(Settings& settings, const Matrix& x) {
  if (maker_of(settings).location == 0) {
    refuse_unused(settings, {"margin-location"}, fmt::format("margin = {}", settings.margin));
  }
  if (!settings.c) settings.c = maker_of(settings).usual_c;
  if (!settings.prior_variance) settings.prior_variance = 1;
  require_strengths_near_one(settings, x, settings.margin_location.value_or(1));
}

void resolve_regression_scale(Settings& settings, const Matrix& x, double sd) {
  constexpr double least_variance = 1e-200;  // a path goes to much smaller ones, and none may vanish
  const double unit = sd > 0 ? sd : 1.0;
  if (!(unit * unit > least_variance) || !std::isfinite(unit * unit)) {
    throw DataError(fmt::format(
        "the target's standard deviation is {:.3g}, beyond what variances in double precision hold; {} the target",
        unit, unit > 1 ? "divide" : "multiply"));
  }
  if (!settings.c) settings.c = maker_of(settings).usual_c / unit;
  if (!settings.epsilon && maker_of(settings).has_epsilon) settings.epsilon = 0.1 * unit;
  if (!settings.prior_variance) settings.prior_variance = unit * unit;
  require_strengths_near_one(settings, x, unit);
}

Prepared prepare(const Dataset& data, const Examples& examples, Settings& settings) {
  Prepared prepared;
  prepared.names = data.names;
  const bool all = static_cast<Index>(examples.rows.size()) == data.examples();
  prepared.x = all ? data.x : select_rows(data.x, examples.rows);
  if (settings.precision == ValuePrecision::floats) prepared.x = prepared.x.as_floats();
  const auto add = [&](Transform transform) {
    prepared.x = apply(transform, prepared.x, prepared.names);
    prepared.names = names_after(transform, prepared.names);
    prepared.transforms.push_back(std::move(transform));
  };
  const bool map = is_kernel_map(settings.expand.kind);
  if (settings.expand != ExpansionKind::none && !map) {
    add(make_expansion(prepared.x, settings.expand));
    require_names_apart(prepared.names, settings);
  }
  if (settings.scale == ScaleKind::automatic)
    settings.scale = prepared.x.is_sparse() ? ScaleKind::maxabs : ScaleKind::standard;
  if (settings.scale == ScaleKind::standard && prepared.x.is_sparse() && settings.model != ModelKind::generative &&
      !bias_prior(settings).flat()) {
    throw OptionError(
        fmt::format("scale = standard centres the features, which a flat bias absorbs for sparse data, but "
                    "bias = {}; use --scale maxabs or --bias flat",
                    settings.bias));
  }
  if (settings.scale != ScaleKind::none) add(make_scale(prepared.x, settings.scale, true, examples.weights));
  if (map) {  // distances need features of one size; the map's inner products already have the size of a kernel
    if (!settings.gamma) settings.gamma = 1 / static_cast<double>(prepared.x.columns());
    const KernelOfMap kernel{settings.kernel, *settings.gamma, settings.coef0, settings.degree};
    add(make_kernel_map(prepared.x, settings.expand, kernel, static_cast<std::uint64_t>(settings.seed)));
  }
  return prepared;
}

void require_both_classes(std::span<const int> y, const Settings& settings, const BinaryLabels& binary,
                          const Target& target) {
  const auto positive = std::count(y.begin(), y.end(), 1);
  if (settings.bias == BiasKind::flat && (positive == 0 || positive == std::ssize(y))) {
    throw DataError(fmt::format(
        "every example has the label '{}': a flat bias would be unbounded; add examples of another "
        "label, or use --bias VARIANCE{}",
        binary.labels[positive == 0 ? 0 : 1], target.numeric ? ", or --task regress if the target is a number" : ""));
  }
}

void require_each_class(std::span<const Index> y, const Settings& settings, const ClassLabels& classes) {
  for (Index k = 0; k < classes.classes() && settings.bias == BiasKind::flat; ++k) {
    if (std::find(y.begin(), y.end(), k) != y.end()) continue;
    throw DataError(
        fmt::format("no example of the label '{}' counts: its flat bias would be unbounded; add examples of it, or use "
                    "--bias VARIANCE",
                    classes.labels[static_cast<std::size_t>(k)]));
  }
}

}  // namespace medlar
