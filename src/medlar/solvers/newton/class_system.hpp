// The linear system of a Newton step between classes: for multipliers d and biases b,
//
//   (diag(h) + U A'' U^T + sigma2 B^T B) d + B^T b = r,      B d = s
//
// where row c of U is +u_t in class `up` and -u_t in class `down`, and row k of B adds what class k receives. B and b
// are there for a flat bias only, without the last class, which the others determine. Few constraints: a Cholesky
// factor, class by class where A'' ties no two classes. Many over few statistics: a factor over those
// (class_feature_factor.hpp). Many over many: conjugate gradients, which touch the statistics row by row, or the pairs
// of examples if those are fewer (class_crosses.hpp), and never form the matrix; their preconditioner keeps B d = s.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "medlar/problem/class_crosses.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

class ClassSystem {
 public:
  using Product = std::function<void(std::span<const double> d, std::span<double> out)>;  // A'' d

  // `apart`: A'' ties no two classes. A matrix that takes more than `most_work` multiplications is not formed.
  ClassSystem(const ClassConstraints& constraints, bool flat, double sigma2, bool apart = false,
              double most_work = kMostWorkOfFactor);
  ~ClassSystem();

  // Whether the matrix of such a system is factored.
  static bool direct(const ClassConstraints& constraints, bool apart = false, double most_work = kMostWorkOfFactor);
  bool direct() const { return direct_; }
  Index passes() const { return passes_; }

  // `diagonal` may hold u . A'' u of each constraint where the caller knows it cheaply; else it is estimated if needed.
  // `cross` is given where A'' has it in closed form.
  void assemble(std::vector<double> h, Product product, std::vector<double> diagonal = {},
                ClassCrosses::Cross cross = {});
  bool by_crosses() const { return suit_crosses_; }  // if assemble() is given a cross
  // How small the residual of conjugate gradients becomes, relative to where it began.
  void set_accuracy(double accuracy) { accuracy_ = accuracy; }
  // False when the digits do not suffice.
  bool solve(std::span<const double> r, std::span<const double> s, std::span<double> d, std::span<double> b);

  // out_k = sum of what class k receives, for the classes in B
  std::vector<double> received(std::span<const double> d) const;
  std::size_t balanced() const { return balanced_; }

 private:
  struct Dense;
  void form();        // the whole matrix
  void form_apart();  // likewise, class by class
  void apply(std::span<const double> d, std::span<double> out);
  void estimate_diagonal();
  void set_preconditioner();
  std::vector<double> precondition(std::span<const double> r, std::span<const double> s, std::span<double> b) const;
  bool iterate(std::span<const double> r, std::span<const double> s, std::span<double> d, std::span<double> b);

  const StatisticRows& rows_;
  const ClassConstraints& constraints_;
  std::size_t balanced_;  // rows of B
  double sigma2_;
  bool apart_, direct_, suit_crosses_;
  std::vector<double> h_, diagonal_;
  Product product_;
  ClassCrosses::Cross cross_;
  std::unique_ptr<ClassCrosses> crosses_;
  std::unique_ptr<Dense> dense_;
  double accuracy_ = 1e-8;
  Index passes_ = 0;
};

}  // namespace medlar
