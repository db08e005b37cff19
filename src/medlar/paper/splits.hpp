// Random splits, and what is measured over them.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/paper.hpp"

namespace medlar {

struct Split {
  Dataset training, test;
};

// `training` examples taken by chance, the others to test; the same for the same seed and number on every machine.
Split random_split(const Dataset& data, Index training, Index seed, Index number);

// A measure of each split.
struct Sample {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const;
  double standard_error() const;  // of the mean
  std::string text() const;       // "1.234 ± 0.056"
};

// The differences a - b, split by split.
Sample difference(const Sample& a, const Sample& b);

// Whether a mean is above 0 by more than two standard errors, below 0 by as much, or neither.
enum class Sign { positive, negative, neither };
Sign sign_of(const Sample& sample);

Index splits_of(const PaperOptions& options);

// A fit that must meet its tolerance: numbers of the paper's experiments come from certified fits only.
Model certified_fit(const Dataset& data, const Settings& settings, Observer* observer);

// Coefficients from small to large against the share of features, the distribution of figures 7 and 9.
Series coefficient_distribution(const Model& model, std::string name, Series::Style style);

// The share of coefficients that are smaller than a hundredth of the largest.
double negligible_share(const Model& model);

}  // namespace medlar
