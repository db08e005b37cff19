// LIBLINEAR and LIBSVM as peers: the coefficients that they find, at the tightest stopping rule that they bear.
#pragma once

#include <string>
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

// LIBSVM with a kernel: linear, poly or rbf in its own meaning. epsilon < 0 asks for classification.
struct PeerKernel {
  std::string name;
  double gamma = 1, coef0 = 0;
  int degree = 3;
};
struct PeerKernelFit {
  std::vector<double> beta;       // signed multipliers, one per example
  std::vector<double> decisions;  // of the rows of `at`
};
PeerKernelFit libsvm_kernel(const std::vector<std::vector<double>>& x, const std::vector<double>& y, double C,
                            double epsilon, const PeerKernel& kernel, const std::vector<std::vector<double>>& at);

}  // namespace medlar::test
