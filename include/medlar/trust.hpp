// How far a model can be trusted: which features are chosen again, which pass a knockoff test, which stand for each
// other, and what its scores have meant for examples that were left out. selection.hpp measures all this;
// docs/selection.md explains each number.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/report.hpp"
#include "medlar/words.hpp"

namespace medlar {

// How often each feature is chosen when the fit is repeated on parts of the examples.
struct Stability {
  Index refits = 0;
  // Share of the examples in each refit. 1/2 means complementary pairs.
  double share = 0.5;
  // A refit chooses the `top` largest |coefficient| above 0.
  Index top = 0;
  // Number of features that vary and differ, from which a refit chooses. Twins are chosen together.
  Index different = 0;
  // A feature is stable if it is chosen in at least this fraction of the refits.
  double threshold = 1;
  // Mean number of different features that a refit chooses.
  double chosen = 0;
  // Bound on the expected number of different stable features that are noise. Only for share 1/2, and if a feature
  // varies.
  std::optional<double> false_bound;
  // One per feature of the model.
  std::vector<double> fraction;
  // Number of stable features.
  Index stable() const;
  friend bool operator==(const Stability&, const Stability&) = default;
};

// Features that pass a knockoff test.
struct Discoveries {
  // The false-discovery rate that was asked for.
  double fdr = 0.1;
  // How the copies were made.
  KnockoffKind construction = KnockoffKind::gaussian;
  // A feature is discovered if its statistic is at least this; infinite if none is.
  double threshold = HUGE_VAL;
  // |w_i| - |w of its copy|, one per feature. Levels of a category share one. A coefficient below a thousandth of the
  // largest counts as 0.
  std::vector<double> statistic;
  // Probability that the feature matters, given the size of its coefficient among those of copies. Levels share one
  // too.
  std::vector<double> probability;
  // Number of different features: levels of a category count once, and so do equal columns.
  Index units = 0;
  // Expected number of units that matter: the sum of their probabilities.
  double expected = 0;
  // Draws of the copies for the probabilities. The statistic is that of the first draw.
  Index draws = 1;
  // Report of the fit of features and copies.
  Report report;
  // Number of discovered features.
  Index discovered() const;
  // The smallest number of units, other than none, that this rate allows.
  Index fewest() const;
  friend bool operator==(const Discoveries&, const Discoveries&) = default;
};

// Features that say nearly the same. Each correlates with the first one by at least Clusters::correlation, with either
// sign. The first has the largest inclusion (of equal ones the largest |coefficient|).
struct Cluster {
  // At least two.
  std::vector<Index> members;
  // Probability that at least one of them is in: 1 - prod (1 - P), with one P per switch.
  double inclusion = 0;
  // Sum of the coefficients, each with the sign of its correlation with the first.
  double coefficient = 0;
  friend bool operator==(const Cluster&, const Cluster&) = default;
};
struct Clusters {
  double correlation = 0.95;
  // Sorted by inclusion, from large to small.
  std::vector<Cluster> list;
  friend bool operator==(const Clusters&, const Clusters&) = default;
};

// Examples whose predicted probability lies in one of several equal parts of [0, 1], and how often they were positive.
struct CalibrationBin {
  double low = 0, high = 0;
  Index examples = 0;
  // Mean probability, weighted.
  double predicted = 0;
  // Share of positive examples, weighted.
  double observed = 0;
  // Of the observed share: sqrt(share (1 - share) / effective number of examples).
  double standard_error = 0;
  friend bool operator==(const CalibrationBin&, const CalibrationBin&) = default;
};

// How well probabilities of examples that were left out agreed with the outcomes.
struct Reliability {
  double brier = 0, log_loss = 0;
  // Expected calibration error (ECE): mean |observed - predicted| over the bins, weighted by their examples.
  double error = 0;
  std::vector<CalibrationBin> bins;
  friend bool operator==(const Reliability&, const Reliability&) = default;
};

// A curve from score to probability, fitted to scores of examples that were left out.
//   platt     1/(1 + e^-(slope L + intercept))
//   isotonic  a rising curve, linear between the given scores and constant beyond them
//   folds     platt, kept inside [floor, 1 - floor]; of several labels e^(slope L_k) in proportion, mixed with equal
//             shares at the weight `floor`
struct Recalibration {
  CurveKind kind = CurveKind::platt;
  Index folds = 0;
  double slope = 0, intercept = 0;
  double floor = 0;
  std::vector<double> score, probability;
  // With the model's own probabilities, and with curves that never saw the example.
  Reliability before, after;
  double at(double score_of_example) const;
  // Of several labels, from the scores of one example.
  std::vector<double> among(std::span<const double> scores) const;
  friend bool operator==(const Recalibration&, const Recalibration&) = default;
};

}  // namespace medlar
