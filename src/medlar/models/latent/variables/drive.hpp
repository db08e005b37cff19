// The two ways to the joint minimum over Q and (w, b): the paper's alternation, and descent on the total KL divergence,
// in which every Q is the best one at each point (docs/theory.md#latent). Both report the total after every round, and
// it never rises.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "medlar/models/latent/variables/descent.hpp"
#include "medlar/problem/run.hpp"

namespace medlar {

struct LatentSolution {
  LatentPoint point;
  std::vector<double> kl;  // total KL divergence after each round; a round of descent is one step
  Report report;           // J, F and gap of the convex problem with Q frozen as it is at the end
};

// A drive from a start. Several parts may follow each other under common limits.
class LatentDrive {
 public:
  LatentDrive(const PriorView& prior, BiasPrior bias, const Limits& limits, Observer* observer)
      : prior_(prior), bias_(bias), limits_(limits), run_(limits, observer), observer_(observer) {}

  // Descent on these terms. All parts but the last end at a looser gap, and the report is that of the last part.
  LatentPoint descend(const Terms& terms, LatentPoint start, const std::string& stage, bool last);

  // Alternation: descent on frozen(w, b), then the next Q, until the total changes by less than the tolerance.
  using Freeze = std::function<std::unique_ptr<Terms>(std::span<const double> w, double b)>;
  LatentPoint alternate(std::unique_ptr<Terms> frozen, const Freeze& freeze, LatentPoint start);

  LatentPoint origin(double bias) const;  // w of the prior; its value is not computed
  bool stopped() { return run_.asked() || passes_ >= limits_.max_passes; }
  LatentSolution finished(LatentPoint point) &&;

 private:
  LatentPoint part(const Terms& terms, LatentPoint start, const std::string& stage, double tolerance, bool last,
                   bool keep_kl);

  const PriorView& prior_;
  BiasPrior bias_;
  Limits limits_;
  Run run_;
  Observer* observer_;
  Bounds bounds_;  // of the last point
  Index passes_ = 0, iterations_ = 0;
  std::vector<double> kl_;
};

}  // namespace medlar
