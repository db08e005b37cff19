// LIBLINEAR and LIBSVM as peers: the coefficients that they find, at the tightest stopping rule that they bear.
#pragma once

#include <vector>

namespace medlar::test {

struct PeerFit {
  std::vector<double> w;
  double b = 0;
  std::vector<double> beta;  // LIBSVM: the signed multipliers, one per example
};

struct PeerClasses {
  double negative = 1, positive = 1;  // factors of C
};

// min |w|^2 / 2 + C sum max(0, 1 - y w.x), or with its square; without a bias.
PeerFit liblinear_hinge(const std::vector<std::vector<double>>& x, const std::vector<double>& y, double C,
                        PeerClasses classes = {});
PeerFit liblinear_squared_hinge(const std::vector<std::vector<double>>& x, const std::vector<double>& y, double C,
                                PeerClasses classes = {});

// min |w|^2 / 2 + C sum max(0, 1 - y (w.x + b)), and the same with max(0, |y - w.x - b| - epsilon).
PeerFit libsvm_classification(const std::vector<std::vector<double>>& x, const std::vector<double>& y, double C,
                              PeerClasses classes = {});
PeerFit libsvm_regression(const std::vector<std::vector<double>>& x, const std::vector<double>& y, double C,
                          double epsilon);

}  // namespace medlar::test
