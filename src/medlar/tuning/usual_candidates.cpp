// What tune tries unless told otherwise. With switches the penalty on a coefficient is like tau |w| near 0 and like
// w^2/(2v) far away (docs/theory.md#switches), with tau = sqrt(2/v log((1 - p0)/p0)). No feature enters above tau = max
// |V_i| of the fit without features, just as no feature enters an L1 path above its largest lambda. Shares of this tau
// suit any number of examples, any c and any units; fixed values of p0 do not.
#include <algorithm>
#include <cmath>
#include <span>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/models/checks.hpp"
#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/preparing.hpp"
#include "medlar/thresholds/refits.hpp"
#include "medlar/tune.hpp"
#include "medlar/tuning/strength.hpp"

namespace medlar {
namespace {

constexpr double kPlainP0[] = {1, 0.1, 1e-2, 1e-3, 1e-5};
constexpr double kShares[] = {0.12, 0.2, 0.3, 0.45, 0.65};         // of the largest tau
constexpr double kRankingShares[] = {0.17, 0.4};                   // likewise, of the fits that rank features
constexpr double kVariances[] = {0.1, 1};                          // in units of the default
constexpr double kVariancesWithoutSwitches[] = {0.01, 0.1};        // likewise; 1 is among the plain ones
constexpr double kRelaxedVariances[] = {0.01, 0.03, 0.1, 0.3, 1};  // likewise
constexpr double kRankingVariance = 0.1;                           // likewise
constexpr double kListShares[] = {0.12, 0.2, 0.3, 0.45};           // fits of these, with the first of kVariances, and
constexpr double kTubeShares[] = {0.12, 0.3};                      // likewise, of fits that guard against outliers
constexpr double kListVariance = 0.01;                             // of this without switches, rank features for lists
constexpr Index kKept[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 64};
constexpr double kMostLogOdds = 40;  // p0 = 4e-18; beyond, fits are slow, and the variance can fall instead
constexpr double kNullP0 = 1e-300, kNullVariance = 1e-8;  // with these no coefficient differs from 0

bool has_paths(const Settings& settings) {
  return settings.model == ModelKind::linear;
}

// Refits of few features gain where there are more features than examples, and for two labels enough examples
// (thresholds/refits.hpp; docs/selection.md).
bool refits_gain(const Dataset& data, const Settings& settings) {
  if (!has_paths(settings) || has_several_classes(data, settings) || settings.expand != ExpansionKind::none ||
      data.features() <= data.examples())
    return false;
  return are_enough_for_refits(data.examples()) || resolve_task(data, settings) == Task::regress;
}

// The largest tau, and the default prior variance.
struct Scale {
  double tau = 0, variance = 1;
};

// |V_i| of several classes is the length over all of them, which one switch turns.
void set_tau(Scale& scale, std::span<const double> v, std::size_t features) {
  for (std::size_t i = 0; i < features; ++i) {
    double squares = 0;
    for (std::size_t k = i; k < v.size(); k += features) squares += v[k] * v[k];
    scale.tau = std::max(scale.tau, std::sqrt(squares));
  }
}

Scale scale_of(const LinearFit& linear, Observer* observer) {
  Scale scale{0, *linear.settings().prior_variance};
  Settings null = linear.settings();
  null.p0 = kNullP0;
  null.feature_p0 = {};
  null.feature_prior_variance = {};
  null.prior_mean = {};
  null.prior_variance = kNullVariance * scale.variance;
  null.solver = SolverKind::automatic;
  null.max_seconds = HUGE_VAL;  // what is tried does not depend on the clock
  const auto solution = linear.solve(null, observer);
  if (solution.report.status == Status::interrupted) throw Interrupted();
  std::vector<double> v = solution.dual.v;
  SolverUnits(linear.settings(), linear.names()).v_to_solver(v);
  set_tau(scale, v, linear.names().size());
  return scale;
}

Scale scale_of(const Dataset& data, const Settings& settings, Observer* observer) {
  check_dataset(data);
  Settings asked = settings;
  asked.prior_variance.reset();
  set_linear_algebra_threads(settings.threads);
  return heard_by(observer, [&] { return scale_of(*linear_fit(data, asked), observer); });
}

// p0 with this transition at this prior variance, or at the largest one whose p0 is not too small to solve for.
TuneCandidate at_strength(double tau, double variance) {
  const double most = 2 * kMostLogOdds / (tau * tau), v = std::min(variance, most);
  return {1 / (1 + std::exp(0.5 * v * tau * tau)), {}, v, {}};
}

void add_once(std::vector<TuneCandidate>& list, const TuneCandidate& candidate) {
  const auto same = [&](TuneCandidate other) {
    other.ranks_lists = candidate.ranks_lists;
    return other == candidate;
  };
  const auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end())
    list.push_back(candidate);
  else
    found->ranks_lists = found->ranks_lists || candidate.ranks_lists;
}

// Whether tune may also try the margins of the paper.
bool margin_is_free(const Settings& settings) {
  return settings.margin == MarginKind::automatic && settings.own_margin == nullptr && !settings.c &&
         !settings.epsilon && !settings.margin_location && settings.solver == SolverKind::automatic;
}

// Of labels: scores near a margin of 1 are projected on few features better than log odds, which have no bound, so the
// lists are made from fits of the exponential margin. Of numbers: a tube, which outliers move less, competes.
void add_other_margin(const Dataset& data, const Settings& settings, std::vector<TuneCandidate>& list,
                      Observer* observer) {
  const bool numbers = resolve_task(data, settings) == Task::regress;
  Settings other = settings;
  other.margin = numbers ? MarginKind::tube : MarginKind::exponential;
  const Scale scale = scale_of(data, other, observer);
  std::vector<TuneCandidate> added{{1, {}, (numbers ? kVariances[0] : kListVariance) * scale.variance, {}}};
  for (const double share : numbers ? std::span<const double>(kTubeShares) : std::span<const double>(kListShares)) {
    if (scale.tau > 0) added.push_back(at_strength(share * scale.tau, kVariances[0] * scale.variance));
  }
  if (!numbers) {
    for (TuneCandidate& each : list) each.ranks_lists = false;
  }
  for (TuneCandidate& each : added) {
    each.margin = other.margin;
    each.competes = numbers;
    each.ranks_lists = !numbers;
    list.push_back(each);
  }
}

}  // namespace

Settings at_strength_of(const Dataset& data, const Settings& settings, double share, Observer* observer) {
  if (!has_paths(settings)) return settings;
  const Scale scale = scale_of(data, settings, observer);
  if (!(scale.tau > 0)) return settings;
  const TuneCandidate of = at_strength(share * scale.tau, kRankingVariance * scale.variance);
  Settings strong = settings;
  strong.p0 = of.p0;
  strong.prior_variance = of.prior_variance;
  return strong;
}

std::vector<TuneCandidate> usual_candidates(const Dataset& data, const Settings& settings, std::optional<bool> relaxed,
                                            Observer* observer) {
  std::vector<TuneCandidate> list;
  for (const double p0 : kPlainP0) list.push_back({p0, {}, {}, {}});
  if (has_paths(settings)) {
    const Scale scale = scale_of(data, settings, observer);
    for (const double share : kVariancesWithoutSwitches) {
      list.push_back({1, {}, share * scale.variance, {}, {}, share == kListVariance});
    }
    for (const double variance : kVariances) {
      for (const double share : kShares) {
        if (!(scale.tau > 0)) continue;
        TuneCandidate candidate = at_strength(share * scale.tau, variance * scale.variance);
        candidate.ranks_lists =
            variance == kVariances[0] && std::count(std::begin(kListShares), std::end(kListShares), share) > 0;
        add_once(list, candidate);
      }
    }
    if (margin_is_free(settings)) add_other_margin(data, settings, list, observer);
  }
  if (relaxed.value_or(refits_gain(data, settings))) {
    for (TuneCandidate& each : relaxed_candidates(data, settings, {}, {}, observer)) list.push_back(std::move(each));
  }
  return list;
}

std::vector<TuneCandidate> relaxed_candidates(const Dataset& data, const Settings& settings,
                                              std::span<const Index> kept, std::span<const double> prior_variances,
                                              Observer* observer) {
  const Scale scale = has_paths(settings) ? scale_of(data, settings, observer) : Scale{};
  std::vector<double> variances(prior_variances.begin(), prior_variances.end());
  for (const double share : kRelaxedVariances) {
    if (prior_variances.empty()) variances.push_back(share * scale.variance);
  }
  std::vector<Ranking> rankings;
  for (const double share : kRankingShares) {
    if (!(scale.tau > 0)) continue;
    const TuneCandidate ranked = at_strength(share * scale.tau, kRankingVariance * scale.variance);
    rankings.push_back({ranked.p0, ranked.prior_variance, 1});
  }
  if (rankings.empty()) rankings.push_back({});
  std::vector<TuneCandidate> list;
  for (Ranking ranking : rankings) {
    for (const Index count : kept.empty() ? std::span<const Index>(kKept) : kept) {
      if (count > data.features() && count > 1 && kept.empty()) continue;
      ranking.kept = count;
      for (const double variance : variances) list.push_back({1, {}, variance, ranking});
    }
  }
  return list;
}

}  // namespace medlar
