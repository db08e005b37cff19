// How often each feature is chosen when the fit is repeated on parts of the examples: complementary halves (Shah and
// Samworth 2013), for which the number of noise features among the stable ones has a bound, or parts of another size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/folds.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/models/checks.hpp"
#include "medlar/prepare/keep.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/selection.hpp"
#include "medlar/trust/checks.hpp"
#include "medlar/trust/parts.hpp"
#include "medlar/trust/refits.hpp"
#include "medlar/trust/twins.hpp"

namespace medlar {
namespace {

void check_numbers(const StabilityOptions& how) {
  if (how.refits < 2 || how.refits > 1000000) {
    throw OptionError(fmt::format("refits = {}, but must lie in 2 .. 1000000", how.refits));
  }
  if (!(how.share > 0 && how.share < 1)) {
    throw OptionError(fmt::format("share = {}, but must lie in (0, 1)", how.share));
  }
  if (how.share == kHalves && how.refits % 2 != 0) {
    throw OptionError(fmt::format("refits = {}, but halves come in pairs; give an even number", how.refits));
  }
  if (how.top && *how.top < 1) throw OptionError(fmt::format("top = {}, but must be >= 1", *how.top));
  if (how.threshold && !(*how.threshold > 0.5 && *how.threshold <= 1)) {
    throw OptionError(fmt::format("threshold = {}, but must lie in (0.5, 1]", *how.threshold));
  }
}

// For each feature of the model, the first one that cannot be told apart from it. Kept ones, which no refit chooses,
// are as those that never vary; one that cannot be told apart from a kept one stands for itself.
std::vector<Index> twins_of_features(const Dataset& data, Settings settings) {
  const Examples counted = counted_examples(data, data.weights);
  std::vector<Index> twins;
  std::vector<std::string> names = data.names;
  if (settings.expand != ExpansionKind::none) {
    Prepared prepared = prepare(data, counted, settings);
    twins = twins_of(prepared.x);
    names = std::move(prepared.names);
  } else {
    twins = twins_of(std::ssize(counted.rows) == data.examples() ? data.x : select_rows(data.x, counted.rows));
  }
  for (const Index kept : kept_features(data, settings, names)) {
    const Index first = std::exchange(twins[static_cast<std::size_t>(kept)], kConstant);
    if (first != kept) continue;
    const auto next = std::find(twins.begin(), twins.end(), kept);
    const Index leader = next - twins.begin();
    std::replace(next, twins.end(), kept, leader);
  }
  return twins;
}

struct Chosen {
  std::vector<std::size_t> features;
  Index different = 0;
};

// The features of the largest |coefficient| above 0, the first of equal ones: `top` different features, each with its
// twins.
Chosen chosen_features(const Model& model, Index top, const std::vector<Index>& twins) {
  std::vector<std::size_t> order(model.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(model.features[i].coefficient); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return size(i) > size(j); });
  std::vector<bool> taken(twins.size(), false);  // by the first of the twins
  Chosen chosen;
  for (const std::size_t i : order) {
    if (chosen.different == top || size(i) == 0) break;
    if (twins[i] == kConstant || taken[static_cast<std::size_t>(twins[i])]) continue;
    taken[static_cast<std::size_t>(twins[i])] = true;
    ++chosen.different;
  }
  for (std::size_t i = 0; i < twins.size(); ++i) {
    if (twins[i] != kConstant && taken[static_cast<std::size_t>(twins[i])]) chosen.features.push_back(i);
  }
  return chosen;
}

// Those that were fitted; of halves, those whose other half was too.
std::vector<std::size_t> refits_done(const std::vector<char>& fitted, bool halves) {
  std::vector<std::size_t> done;
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    if (fitted[k] != 0 && (!halves || fitted[k ^ 1] != 0)) done.push_back(k);
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
  check_dataset(data);
  Parts(data, settings, how.share);
  if (!how.top) return;
  const std::vector<Index> twins = twins_of_features(data, settings);
  const Index n = distinct_columns(twins);
  if (*how.top > std::max<Index>(n, 1)) {
    throw OptionError(fmt::format("top = {}, but only {} of {} features vary and differ from each other; give fewer",
                                  *how.top, n, twins.size()));
  }
}

std::optional<Stability> measure_stability(const Dataset& data, const Settings& settings, const StabilityOptions& how,
                                           Observer* observer) {
  check_stability(data, settings, how);
  const Parts parts(data, settings, how.share);
  std::vector<Chosen> chosen(static_cast<std::size_t>(how.refits));
  Settings alone = for_parts(data, settings);
  alone.threads = 1;
  alone.max_seconds = HUGE_VAL;  // the deadline holds for all together
  Deadline deadline(observer, settings.max_seconds);
  std::vector<Index> twins;
  if (!unless_given_up([&] { return deadline.stop_requested(); }, [&] { twins = twins_of_features(data, alone); })) {
    return std::nullopt;
  }
  const Index n = distinct_columns(twins);
  const Index top = how.top.value_or(usual_top(n));
  std::vector<char> fitted(chosen.size(), 0);
  Refits refits(settings.threads, how.refits, "refit", &deadline);
  refits.run(how.refits, [&](Index k, Observer* watching) {
    const Model model = fit(fitted_part(data, parts.of(k)), alone, watching);
    if (model.report.status == Status::interrupted) return;
    chosen[static_cast<std::size_t>(k)] = chosen_features(model, top, twins);
    fitted[static_cast<std::size_t>(k)] = 1;
  });
  set_linear_algebra_threads(settings.threads);
  const std::vector<std::size_t> done = refits_done(fitted, how.share == kHalves);
  if (done.size() < 2) return std::nullopt;
  Stability part;
  part.refits = std::ssize(done);
  part.share = how.share;
  part.top = top;
  part.different = n;
  part.fraction.assign(twins.size(), 0.0);
  const auto count = static_cast<double>(done.size());
  for (const std::size_t k : done) {
    for (const std::size_t i : chosen[k].features) part.fraction[i] += 1;
    part.chosen += static_cast<double>(chosen[k].different) / count;
  }
  for (double& each : part.fraction) each /= count;
  // Where q^2 / ((2 threshold - 1) n) = 1. Fractions move in steps, so it is never below the first step above 1/2.
  const double square = static_cast<double>(top * top) / static_cast<double>(std::max<Index>(n, 1));
  const double step = 1 / count;
  part.threshold = how.threshold.value_or(std::clamp(0.5 * (1 + square), 0.5 + step, 1.0));
  if (how.share == kHalves && n > 0) part.false_bound = false_selection_bound(part.chosen, n, part.threshold);
  return part;
}

}  // namespace medlar
