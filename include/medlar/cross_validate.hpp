// K-fold cross-validation of settings: which p0 and c predict best on examples that were not fitted.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

struct Candidate {
  double p0 = 1e-3;
  std::optional<double> c;  // empty: the default of the task
};

struct CandidateScore {
  Candidate candidate;
  std::vector<double> folds;  // the metric on each fold that was left out
  double mean = 0;
  double standard_error = 0;  // of the mean, from the spread of the folds
  double selected = 0;        // mean number of features with inclusion > 1/2
  bool converged = true;      // every fold met the tolerance
};

// How well a model predicts, as one number; held_out_score() in metrics.hpp is the usual one.
struct Measured {
  std::string metric;
  double value = 0;
  bool higher_is_better = true;
};
using Measure = std::function<Measured(const Model&, const Dataset&)>;

struct CrossValidation {
  std::string metric;
  std::vector<CandidateScore> scores;  // one per candidate, in their order
  std::size_t best = 0;                // the best mean; of equals the smallest p0
  bool interrupted = false;            // the observer asked to stop: scores hold the candidates that were finished
};

// The fold (0 .. folds - 1) of each example. Examples are shuffled by the seed, sorted by target and dealt out in turn,
// so every fold has its share of each class, or of small and large values.
std::vector<Index> assign_folds(const Target& target, Index examples, Index folds, Index seed);

// The examples of these rows, with everything that belongs to them.
Dataset subset(const Dataset& data, std::span<const Index> rows);

// Fits each candidate on all folds but one, in turn, with everything that a fit decides (defaults, scaling) decided
// anew from the fitted folds alone.
CrossValidation cross_validate(const Dataset& data, const Settings& settings, std::span<const Candidate> candidates,
                               Index folds, const Measure& measure, Observer* observer = nullptr);
// The same with the fold of each example given: 0, 1, ..., each of them with an example.
CrossValidation cross_validate(const Dataset& data, const Settings& settings, std::span<const Candidate> candidates,
                               std::span<const Index> fold_of, const Measure& measure, Observer* observer = nullptr);

}  // namespace medlar
