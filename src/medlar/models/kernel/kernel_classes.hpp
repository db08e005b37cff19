// Several classes by a kernel: what the two ways of fitting them are given, and what they give.
#pragma once

#include <span>
#include <vector>

#include "medlar/kernels/kernel.hpp"
#include "medlar/observer.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/report.hpp"

namespace medlar {

struct KernelClasses {
  const ClassLabels& labels;
  std::span<const Index> y;  // of the examples that count
  std::span<const double> weights;
  const Matrix& x;  // theirs; of a precomputed kernel their Gram matrix
  Kernel kernel;
  const Settings& settings;  // resolved
};

// A score is sum_t v beta_t k(x, x_t) + bias, one per pair of classes or one per class.
struct KernelClassFit {
  std::vector<double> beta;  // of every example, score by score
  std::vector<double> bias;
  double mean_diagonal = 0;
  Report report;
};

// Each two classes by a model of their own, as LIBSVM does, in the order (0, 1), (0, 2), ..., (1, 2), ...
KernelClassFit fit_two_by_two(const KernelClasses& given, Observer* observer);

// One score per class, with a constraint for each example and rival class (docs/theory.md#several-classes).
KernelClassFit fit_jointly(const KernelClasses& given, Observer* observer);

}  // namespace medlar
