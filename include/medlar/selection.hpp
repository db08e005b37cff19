// Selection that says how far it can be trusted: how often a feature is chosen again, and which features beat their
// knockoffs. docs/selection.md says what each number means.
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
  double share = 0.5;               // of the examples, in (0, 1)
  std::optional<Index> top;         // how many features a refit chooses; usual_top(features) unless given
  std::optional<double> threshold;  // in (1/2, 1]; unless given, where the bound on false selections is 1
};

// 15, or less where so many of so few features say nothing: floor(sqrt(0.8 features)), and at least 1.
Index usual_top(Index features);

// q^2 / ((2 threshold - 1) n): at most so many of the features that a refit chooses no more often than by chance are
// expected to be stable, when refits choose q of n features on average (Meinshausen and Buehlmann 2010, theorem 1;
// for complementary pairs without their exchangeability, Shah and Samworth 2013, (7)).
double false_selection_bound(double chosen, Index features, double threshold);

// Fits parts of the examples on all threads (settings.threads; the answer does not depend on it) with the same
// settings. Linear models only. When the observer asks to stop, or settings.max_seconds are over, which hold for all
// refits together, those that were done count (of halves, whole pairs): Stability::refits says how many. Nothing is
// returned when there are not two.
std::optional<Stability> measure_stability(const Dataset& data, const Settings& settings,
                                           const StabilityOptions& how = {}, Observer* observer = nullptr);

// Copies of features that are to the features as these are to each other, made without a look at the target: in
// (x, copy) any feature may change places with its copy and the distribution of the pair stays what it is.
struct Knockoffs {
  KnockoffKind construction = KnockoffKind::gaussian;
  std::vector<double> copy;  // examples x features, row by row
};

// gaussian: equal in mean and covariance, under the features' correlations shrunk towards none (second-order copies).
Knockoffs gaussian_knockoffs(const Matrix& x, std::uint64_t seed);

// A chain of variables with few values, each of them dependent on the one before it; `levels[j]` values of variable j,
// coded 0, 1, ...
struct CodedChain {
  std::vector<Index> levels;
  std::vector<std::vector<Index>> codes;  // by variable, one per example
};
// Copies of the codes of a Markov chain fitted to them (each count with `pseudo` added), value by value along the chain
// (Sesia, Sabatti and Candes 2019, algorithm 1).
std::vector<std::vector<Index>> markov_knockoffs(const CodedChain& chain, std::uint64_t seed, double pseudo = 0.5);

// The smallest t > 0 among |statistic| with (1 + #{statistic <= -t}) / #{statistic >= t} <= fdr; infinite if there is
// none (knockoffs+, Barber and Candes 2015).
double knockoff_threshold(std::span<const double> statistic, double fdr);

struct DiscoveryOptions {
  double fdr = 0.1;  // in (0, 1)
  Index draws = 5;   // of the copies, for the probabilities
  // The strength of selection, as a share of the one at which no feature and no copy enters; empty: p0 and the prior
  // variance of the settings.
  std::optional<double> strength = 0.2;
};

// Fits features and copies together and lists the features that beat their copy by more than chance would, so that
// the expected share of false ones among them is at most `fdr`, as far as the copies are true. Linear models only.
// Nothing is returned when the observer asked to stop, or when settings.max_seconds, which hold for all its fits
// together, were over.
std::optional<Discoveries> discover(const Dataset& data, const Settings& settings, const DiscoveryOptions& how = {},
                                    Observer* observer = nullptr);

// Features that correlate by at least `correlation` (in (0, 1]) with one of larger inclusion. Linear models of this
// data without a kernel map.
Clusters find_clusters(const Model& model, const Dataset& data, double correlation = 0.95);

// The model of all examples with what was measured about it.
struct TrustOptions {
  StabilityOptions stability;
  std::optional<DiscoveryOptions> knockoffs;
  std::optional<double> correlation;  // of clusters
};
struct TrustedFit {
  Model model;
  bool complete = true;      // else the observer or the time ended it: refits or discoveries are missing
  bool out_of_time = false;  // it was the time
};
// settings.max_seconds hold for all together: at most half of them for the fit to all examples, then refits, then
// knockoffs. Nothing is returned when fewer than two refits were done.
std::optional<TrustedFit> fit_with_trust(const Dataset& data, const Settings& settings, const TrustOptions& how,
                                         Observer* observer = nullptr);

// The curve from score to probability of a linear model of two labels, by `folds` fits without the examples that are
// scored; `fit_part` makes the model of a part of the data. Nothing is returned when the observer asked to stop.
using FitPart = std::function<Model(const Dataset&, Observer*)>;
std::optional<Recalibration> recalibrate(const Model& model, const Dataset& data, CurveKind kind, Index folds,
                                         const FitPart& fit_part, Observer* observer = nullptr);

}  // namespace medlar
