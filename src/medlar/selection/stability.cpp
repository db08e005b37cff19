// How often each feature is chosen when the fit is repeated on parts of the examples: complementary halves (Shah and
// Samworth 2013), for which the number of noise features among the stable ones has a bound, or parts of another size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/folds.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/selection.hpp"
#include "medlar/selection/checks.hpp"
#include "medlar/selection/refits.hpp"

namespace medlar {
namespace {

constexpr double kHalf = 0.5;

void check_numbers(const StabilityOptions& how) {
  if (how.refits < 2 || how.refits > 1000000) {
    throw OptionError(fmt::format("refits = {}, but must lie in 2 .. 1000000", how.refits));
  }
  if (!(how.share > 0 && how.share < 1)) {
    throw OptionError(fmt::format("share = {}, but must lie in (0, 1)", how.share));
  }
  if (how.share == kHalf && how.refits % 2 != 0) {
    throw OptionError(fmt::format("refits = {}, but halves come in pairs; give an even number", how.refits));
  }
  if (how.top && *how.top < 1) throw OptionError(fmt::format("top = {}, but must be >= 1", *how.top));
  if (how.threshold && !(*how.threshold > kHalf && *how.threshold <= 1)) {
    throw OptionError(fmt::format("threshold = {}, but must lie in (0.5, 1]", *how.threshold));
  }
}

// The label of each example as a number, or 0 for all of a regression: parts have their share of each.
std::vector<double> strata(const Dataset& data, const Settings& settings, double share) {
  std::vector<double> stratum(static_cast<std::size_t>(data.examples()), 0.0);
  if (data.examples() < 2) {
    throw OptionError(
        fmt::format("stability needs at least two examples, but {} has {}", data.source, data.examples()));
  }
  const auto require_some = [&](Index examples, const char* kind) {
    if (share * static_cast<double>(examples) >= kHalf) return;
    throw OptionError(fmt::format("share = {} of {} examples{} is none; give at least {:.3g}", share, examples, kind,
                                  kHalf / static_cast<double>(examples)));
  };
  require_some(data.examples(), "");
  if (resolve_task(data, settings) != "classify") return stratum;
  const ClassLabels classes = class_labels(data, settings);
  std::vector<Index> count(classes.labels.size(), 0);
  for (std::size_t t = 0; t < stratum.size(); ++t) {
    stratum[t] = static_cast<double>(classes.y[t]);
    ++count[static_cast<std::size_t>(classes.y[t])];
  }
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] == data.examples()) {
      throw OptionError(fmt::format(
          "every example has the label '{}', but stability needs at least two examples of another; add some",
          classes.labels[k]));
    }
  }
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] < 2) {
      throw OptionError(fmt::format(
          "stability needs at least two examples of each label, but '{}' has {}; leave it out, or put labels "
          "together by --positive",
          classes.labels[k], count[k]));
    }
    require_some(count[k], " of a label");
  }
  return stratum;
}

// Examples in an order that the seed decides, those of one stratum together.
std::vector<Index> shuffled_strata(const std::vector<double>& stratum, std::uint64_t seed) {
  std::vector<Index> order(stratum.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random(seed);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  const auto of = [&](Index t) { return stratum[static_cast<std::size_t>(t)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a) < of(b); });
  return order;
}

// The examples of refit k. Of halves, 2k and 2k + 1 share none.
std::vector<Index> part_of(const std::vector<double>& stratum, double share, Index k, Index seed) {
  const bool halves = share == kHalf;
  std::seed_seq words{static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(halves ? k / 2 : k)};
  std::vector<std::uint32_t> mixed(2);
  words.generate(mixed.begin(), mixed.end());
  const std::vector<Index> order = shuffled_strata(stratum, (std::uint64_t{mixed[0]} << 32) | mixed[1]);
  std::vector<Index> part;
  double due = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t t = static_cast<std::size_t>(order[j]);
    if (halves ? static_cast<Index>(j % 2) == k % 2 : false) part.push_back(order[j]);
    if (halves) continue;
    const bool opens = j == 0 || stratum[static_cast<std::size_t>(order[j - 1])] != stratum[t];
    if (opens) due = share * static_cast<double>(std::count(stratum.begin(), stratum.end(), stratum[t]));
    if (opens || due >= kHalf) part.push_back(order[j]);
    due -= 1;
  }
  std::sort(part.begin(), part.end());
  return part;
}

// The features of the largest |coefficient| above 0; of equals the first.
std::vector<std::size_t> chosen_features(const Model& model, Index top) {
  std::vector<std::size_t> order(model.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(model.features[i].coefficient); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return size(i) > size(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
  std::erase_if(order, [&](std::size_t i) { return size(i) == 0; });
  return order;
}

// Those that have features; of halves, those whose other half has some too.
std::vector<std::size_t> refits_done(const std::vector<std::size_t>& features, bool halves) {
  std::vector<std::size_t> done;
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (features[k] > 0 && (!halves || features[k ^ 1] > 0)) done.push_back(k);
  }
  return done;
}

}  // namespace

Index Stability::stable() const {
  return std::count_if(fraction.begin(), fraction.end(), [&](double each) { return each >= threshold; });
}

Index usual_top(Index features) {
  const auto of_few = static_cast<Index>(std::sqrt(0.8 * static_cast<double>(features)));
  return std::clamp<Index>(of_few, 1, 15);
}

double false_selection_bound(double chosen, Index features, double threshold) {
  return chosen * chosen / ((2 * threshold - 1) * static_cast<double>(features));
}

void check_stability(const Dataset& data, const Settings& settings, const StabilityOptions& how) {
  check_numbers(how);
  require_linear(settings, "stability");
  strata(data, settings, how.share);
}

std::optional<Stability> measure_stability(const Dataset& data, const Settings& settings, const StabilityOptions& how,
                                           Observer* observer) {
  check_stability(data, settings, how);
  const std::vector<double> stratum = strata(data, settings, how.share);
  std::vector<std::vector<std::size_t>> chosen(static_cast<std::size_t>(how.refits));
  Settings alone = for_parts(data, settings);
  alone.threads = 1;
  alone.max_seconds = HUGE_VAL;  // the deadline holds for all together
  std::vector<std::size_t> features(chosen.size());
  Deadline deadline(observer, settings.max_seconds);
  Refits refits(settings.threads, how.refits, "refit", &deadline);
  refits.run(how.refits, [&](Index k, Observer* watching) {
    const Model model = fit(fitted_part(data, part_of(stratum, how.share, k, settings.seed)), alone, watching);
    if (model.report.status == Status::interrupted) return;
    const Index top = how.top.value_or(usual_top(std::ssize(model.features)));
    features[static_cast<std::size_t>(k)] = model.features.size();
    chosen[static_cast<std::size_t>(k)] = chosen_features(model, top);
  });
  set_linear_algebra_threads(settings.threads);
  const std::vector<std::size_t> done = refits_done(features, how.share == kHalf);
  if (done.size() < 2) return std::nullopt;
  const auto n = static_cast<Index>(features[done.front()]);
  Stability part;
  part.refits = std::ssize(done);
  part.share = how.share;
  part.top = how.top.value_or(usual_top(n));
  part.fraction.assign(features[done.front()], 0.0);
  const auto count = static_cast<double>(done.size());
  for (const std::size_t k : done) {
    for (const std::size_t i : chosen[k]) part.fraction[i] += 1;
    part.chosen += static_cast<double>(chosen[k].size()) / count;
  }
  for (double& each : part.fraction) each /= count;
  // Where q^2 / ((2 threshold - 1) n) = 1; fractions move in steps, hence never below the first step above 1/2.
  const double square = static_cast<double>(part.top) * static_cast<double>(part.top) / static_cast<double>(n);
  const double step = 1 / count;
  part.threshold = how.threshold.value_or(std::clamp(kHalf * (1 + square), kHalf + step, 1.0));
  if (how.share == kHalf) part.false_bound = false_selection_bound(part.chosen, n, part.threshold);
  return part;
}

}  // namespace medlar
