// Selection that says how far it can be trusted: how often a feature is chosen again, and which features beat their
// knockoffs. docs/selection.md says what each number means.
#pragma once

#include <cmath>
#include <cstdint>
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

// How often each feature is chosen when the fit is repeated on parts of the examples.
struct Stability {
  Index refits = 0;
  double share = 0.5;                 // 1/2: complementary pairs
  Index top = 0;                      // chosen in a refit: the `top` largest |coefficient| above 0
  double threshold = 1;               // stable: chosen in at least this fraction of the refits
  double chosen = 0;                  // mean number of features chosen in a refit
  std::optional<double> false_bound;  // on the expected number of stable features that are noise; share 1/2 only
  std::vector<double> fraction;       // one per feature of the model
  Index stable() const;               // how many features are
};

// Fits parts of the examples on all threads (settings.threads; the answer does not depend on it) with the same
// settings. Linear models only. Nothing is returned when the observer asked to stop.
std::optional<Stability> measure_stability(const Dataset& data, const Settings& settings,
                                           const StabilityOptions& how = {}, Observer* observer = nullptr);

// Copies of features that are to the features as these are to each other, made without a look at the target: in
// (x, copy) any feature may change places with its copy and the distribution of the pair stays what it is.
struct Knockoffs {
  std::string construction;  // gaussian, markov
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

// Features that beat their knockoffs.
struct Discoveries {
  double fdr = 0.1;               // the false-discovery rate that was asked for
  std::string construction;       // of the copies
  double threshold = HUGE_VAL;    // discovered: statistic >= threshold; infinite when nothing is
  std::vector<double> statistic;  // |w_i| - |w of its copy|, one per feature; levels of a category share one
  Report report;                  // of the fit of features and copies
  Index discovered() const;       // how many features are
};

// Fits features and copies together and lists the features that beat their copy by more than chance would, so that
// the expected share of false ones among them is at most `fdr`, as far as the copies are true. Linear models only.
// Nothing is returned when the observer asked to stop.
std::optional<Discoveries> discover(const Dataset& data, const Settings& settings, double fdr,
                                    Observer* observer = nullptr);

}  // namespace medlar
