// Selection that says how far it can be trusted: how often a feature is chosen again, and which features pass a
// knockoff test. docs/selection.md explains each number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

struct StabilityOptions {
  Index refits = 100;
  // Share of the examples in each refit, in (0, 1).
  double share = 0.5;
  // How many features a refit chooses; by default usual_top(features).
  std::optional<Index> top;
  // In (1/2, 1]; by default the value at which the bound on false selections is 1.
  std::optional<double> threshold;
};

// floor(sqrt(0.8 features)), but at least 1 and at most 15. With few features, choosing more of them would say nothing.
Index usual_top(Index features);

// A bound on the expected number of stable features among those that a refit chooses no more often than by chance,
//
//   q^2 / ((2 threshold - 1) n),
//
// where refits choose q of n features on average (Meinshausen and Buehlmann 2010, theorem 1; for complementary pairs
// without their exchangeability, Shah and Samworth 2013, (7)).
double false_selection_bound(double chosen, Index features, double threshold);

// Fits parts of the examples with the same settings, on all threads (settings.threads; the answer does not depend on
// it). Linear models only. settings.max_seconds holds for all refits together. When it is over, or the observer asks to
// stop, the refits that were done count (of halves, whole pairs); Stability::refits is their number. Returns nothing if
// there are fewer than two.
std::optional<Stability> measure_stability(const Dataset& data, const Settings& settings,
                                           const StabilityOptions& how = {}, Observer* observer = nullptr);

// Copies that relate to the features as the features relate to each other, made without looking at the target. In (x,
// copy) any feature may be swapped with its copy without changing the distribution.
struct Knockoffs {
  KnockoffKind construction = KnockoffKind::gaussian;
  // Examples x features, row by row.
  std::vector<double> copy;
};

// Gaussian copies: equal in mean and covariance, with the correlations of the features shrunk towards 0 (second-order
// copies).
Knockoffs gaussian_knockoffs(const Matrix& x, std::uint64_t seed);

// A chain of variables with few values, each dependent on the one before. Variable j has `levels[j]` values, coded 0,
// 1, ...
struct CodedChain {
  std::vector<Index> levels;
  // By variable, one code per example.
  std::vector<std::vector<Index>> codes;
};
// Copies of the codes, value by value along a Markov chain that is fitted to them with `pseudo` added to each count
// (Sesia, Sabatti and Candes 2019, algorithm 1).
std::vector<std::vector<Index>> markov_knockoffs(const CodedChain& chain, std::uint64_t seed, double pseudo = 0.5);

// The smallest t > 0 among |statistic| with (1 + #{statistic <= -t}) / #{statistic >= t} <= fdr; infinite if there is
// none (knockoffs+, Barber and Candes 2015).
double knockoff_threshold(std::span<const double> statistic, double fdr);

struct DiscoveryOptions {
  // False-discovery rate, in (0, 1).
  double fdr = 0.1;
  // Number of draws of the copies, for the probabilities.
  Index draws = 5;
  // The strength of selection, as a share of the strength at which no feature and no copy enters. If empty, p0 and the
  // prior variance of the settings are used.
  std::optional<double> strength = 0.2;
};

// Fits features and copies together and lists the features that pass the knockoff test at the false-discovery rate
// `fdr`, as far as the copies are right. Linear models only. settings.max_seconds holds for all fits together. Returns
// nothing if it is over or the observer asked to stop.
std::optional<Discoveries> discover(const Dataset& data, const Settings& settings, const DiscoveryOptions& how = {},
                                    Observer* observer = nullptr);

// Groups features that correlate by at least `correlation` (in (0, 1]) with one of larger inclusion. For linear models
// of this data without a kernel map.
Clusters find_clusters(const Model& model, const Dataset& data, double correlation = 0.95);

// What to measure about the model of all examples.
struct TrustOptions {
  StabilityOptions stability;
  std::optional<DiscoveryOptions> knockoffs;
  // Least correlation within clusters; if empty, no clusters are made.
  std::optional<double> correlation;
};
struct TrustedFit {
  Model model;
  // False if the observer or the time limit ended it: refits or discoveries are then missing.
  bool complete = true;
  // Whether it was the time limit.
  bool out_of_time = false;
};
// settings.max_seconds holds for all together: at most half of it for the fit to all examples, then refits, then
// knockoffs. Returns nothing if fewer than two refits were done.
std::optional<TrustedFit> fit_with_trust(const Dataset& data, const Settings& settings, const TrustOptions& how,
                                         Observer* observer = nullptr);

// The curve from score to probability of a linear model of two labels. `fit_part` fits the model without each of
// `folds` folds, which is then scored. Returns nothing if the observer asked to stop.
using FitPart = std::function<Model(const Dataset&, Observer*)>;
std::optional<Recalibration> recalibrate(const Model& model, const Dataset& data, CurveKind kind, Index folds,
                                         const FitPart& fit_part, Observer* observer = nullptr);

}  // namespace medlar
