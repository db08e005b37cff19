// How good scores of left-out examples are, example by example, so that two ways can be compared on the same examples.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "medlar/answer.hpp"
#include "medlar/answer/left_out.hpp"

namespace medlar {

// One way of predicting.
struct Judged {
  LeftOutScore score;
  std::vector<double> loss;    // of each example that was left out, averaged over repetitions
  Recalibration curve;         // classes: from its scores to probabilities
  std::vector<double> errors;  // numbers: |error| of each example, averaged over repetitions
};

// a - b, example by example: the weighted mean and its standard error.
struct Difference {
  double mean = 0, standard_error = 0;
};

class Judge {
 public:
  // `usual_slope` is the slope at which scores are usually log odds.
  Judge(const Dataset& data, const Settings& settings, const std::vector<std::vector<Index>>& rows, double usual_slope);

  // `scores` holds, fold by fold, what left_out_scores() gives. A fold without scores takes no part. Scores of another
  // margin may have another usual slope.
  Judged of(std::span<const std::vector<double>> scores, std::optional<double> usual_slope = {}) const;
  Judged of(std::span<const std::vector<float>> scores, std::optional<double> usual_slope = {}) const;
  // Of predicting the shares of the labels, or the mean, of the examples that were not left out.
  Judged nothing() const;
  Difference between(const Judged& a, const Judged& b) const;
  bool classifies() const { return labels_ > 0; }
  Index outputs() const { return labels_ > 2 ? labels_ : 1; }
  // How the rows of the first `folds` folds stand to the curve that they make.
  Recalibration measured(std::span<const std::vector<double>> scores, std::span<const std::vector<double>> own,
                         CurveKind kind, Index folds) const;

 private:
  template <class Number>
  Judged judged(std::span<const std::vector<Number>> scores, double slope) const;
  Recalibration curve_of(std::span<const double> scores, std::span<const Index> y, std::span<const double> weight,
                         double slope) const;

  const std::vector<std::vector<Index>>& rows_;
  Index labels_ = 0;            // 0: numbers
  std::vector<Index> y_;        // by example
  std::vector<double> value_;   // likewise
  std::vector<double> weight_;  // likewise, mean 1
  std::vector<Index> times_;    // how often each example was left out
  double slope_;
};

}  // namespace medlar
