// What a model keeps of how far it can be trusted: which features are chosen again, which beat their knockoffs, which
// stand for each other, and what its scores have meant on examples that were left out. docs/selection.md says what each
// number means; selection.hpp measures them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "medlar/report.hpp"
#include "medlar/words.hpp"

namespace medlar {

// How often each feature is chosen when the fit is repeated on parts of the examples.
struct Stability {
  Index refits = 0;
  double share = 0.5;                 // 1/2: complementary pairs
  Index top = 0;                      // chosen in a refit: the `top` largest |coefficient| above 0
  Index different = 0;                // features that vary and differ, among which is chosen; twins are chosen together
  double threshold = 1;               // stable: chosen in at least this fraction of the refits
  double chosen = 0;                  // mean number of different features chosen in a refit
  std::optional<double> false_bound;  // on the expected number of different stable features that are noise; for share
                                      // 1/2, and where a feature varies
  std::vector<double> fraction;       // one per feature of the model
  Index stable() const;               // how many features are
  friend bool operator==(const Stability&, const Stability&) = default;
};

// Features that beat their knockoffs.
struct Discoveries {
  double fdr = 0.1;                                    // the false-discovery rate that was asked for
  KnockoffKind construction = KnockoffKind::gaussian;  // of the copies
  double threshold = HUGE_VAL;                         // discovered: statistic >= threshold; infinite when nothing is
  // |w_i| - |w of its copy|, one per feature; levels of a category share one. A coefficient below a thousandth of the
  // largest counts as 0.
  std::vector<double> statistic;
  // That the feature matters, given the size of its coefficient among those of copies; likewise.
  std::vector<double> probability;
  Index units = 0;           // different features: levels of a category, and columns that are the same, count once
  double expected = 0;       // of the units, those that matter: the sum of their probabilities
  Index draws = 1;           // of the copies that the probabilities rest on; the statistic is that of the first
  Report report;             // of the fit of features and copies
  Index discovered() const;  // how many features are
  Index fewest() const;      // units that the rate allows, unless there are none
  friend bool operator==(const Discoveries&, const Discoveries&) = default;
};

// Features that nearly say the same: each correlates with the first of them by at least Clusters::correlation, either
// way. The first has the largest inclusion (of equals the largest |coefficient|).
struct Cluster {
  std::vector<Index> members;  // at least two
  double inclusion = 0;        // probability that one of them at least is in: 1 - prod (1 - P), one P per switch
  double coefficient = 0;      // of all together, each with the sign of its correlation with the first
  friend bool operator==(const Cluster&, const Cluster&) = default;
};
struct Clusters {
  double correlation = 0.95;
  std::vector<Cluster> list;  // by inclusion, from large to small
  friend bool operator==(const Clusters&, const Clusters&) = default;
};

// Examples whose predicted probability lies in one of equal parts of [0, 1], and how often they were positive.
struct CalibrationBin {
  double low = 0, high = 0;
  Index examples = 0;
  double predicted = 0;       // mean probability, weighted
  double observed = 0;        // share of positive examples, weighted
  double standard_error = 0;  // of that share, sqrt(share (1 - share) / effective number of examples)
  friend bool operator==(const CalibrationBin&, const CalibrationBin&) = default;
};

// How well probabilities of examples that were left out agreed with what came.
struct Reliability {
  double brier = 0, log_loss = 0;
  double error = 0;  // mean |observed - predicted| over the bins, weighted by their examples (ECE)
  std::vector<CalibrationBin> bins;
  friend bool operator==(const Reliability&, const Reliability&) = default;
};

// A curve from score to probability, fitted to scores of examples that were left out. platt: 1/(1 + e^-(slope L +
// intercept)). isotonic: rising steps, straight between `score` and `probability`, level beyond.
struct Recalibration {
  CurveKind kind = CurveKind::platt;
  Index folds = 0;
  double slope = 0, intercept = 0;
  std::vector<double> score, probability;
  Reliability before, after;  // by the model's own probabilities, and by curves that never saw the example
  double at(double score_of_example) const;
  friend bool operator==(const Recalibration&, const Recalibration&) = default;
};

}  // namespace medlar
