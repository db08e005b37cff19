// The problems of a latent fit together. Two classes are one problem. More classes are one problem each, against all
// others, with their own coefficients and bias. J, F, the gap and the total KL divergence are then sums over the
// classes, and so is the certificate.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/models/latent/variables/drive.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

class LatentProblems {
 public:
  // The model has its labels and resolved settings.
  LatentProblems(const Model& model, const std::vector<std::string>& names, const Grouping& grouping,
                 std::size_t examples);

  std::size_t count() const { return classes_ == 2 ? 1 : classes_; }
  const ParameterPrior& prior() const { return prior_; }
  const BiasPrior& bias() const { return bias_; }
  const Limits& limits() const { return limits_; }  // what earlier problems have left

  // The solution of the next problem, its bias, and the signed multiplier of each example.
  void add(const LatentSolution& solution, double bias, std::span<const double> multipliers);

  // Fills in the fields that every model has, and the total KL. Support counts among the examples.
  void finish(Model& model) &&;

 private:
  const std::vector<std::string>& names_;
  const Grouping& grouping_;
  std::size_t classes_, added_ = 0;
  ParameterPrior prior_;
  BiasPrior bias_;
  Limits limits_;
  MulticlassPart part_;
  std::vector<Feature> features_;
  std::vector<double> multipliers_, kl_;
  Report report_;
};

}  // namespace medlar
