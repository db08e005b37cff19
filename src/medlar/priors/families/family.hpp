// What an exponential family with its conjugate prior offers to everything above it (docs/theory.md#generative).
//
//   log p(x | theta) = u(x) . theta-terms + h(x),     K(chi) = log int e^{log p summed with statistics chi} dtheta
//
// chi is the sum of the statistics u; the count of examples is among them where the family needs one. Only the value,
// gradient and curvature of K are needed: E[log p(x | theta)] = u(x) . K'(chi) + h(x). K is finite on a convex domain,
// given by quantities that must stay above 0. It rises to infinity at the border, so it is its own barrier.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/types.hpp"
#include "medlar/words.hpp"

namespace medlar {

// Mean and variance of a column over all classes, from which priors take their units.
struct ColumnMoments {
  double mean = 0, variance = 0;
  Index count = 0;
};

class Family {
 public:
  virtual ~Family() = default;

  virtual FamilyKind kind() const = 0;
  virtual Index columns() const = 0;     // columns of the data that one member takes
  virtual Index statistics() const = 0;  // how many numbers chi has
  // The place in chi of the count, which every example raises by 1 whatever its x; -1 if there is none.
  virtual Index count() const = 0;

  // The first r statistics may be followed by their r x r products, which are computed when needed and not stored with
  // a row. Returns r, or 0 if there are none.
  virtual Index products() const { return 0; }

  // Why x cannot be a value of such a column; empty if it can.
  virtual std::string objection(double x) const = 0;
  // u(x) of one example without its count; u(0) = 0, so that sparse rows stay sparse.
  virtual void statistics_of(std::span<const double> x, std::span<double> u) const = 0;
  virtual double base_measure(std::span<const double> x) const = 0;  // h(x); h(0) = 0
  // `strength` pseudo-examples in the units of the data; inside the domain.
  virtual void prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const = 0;

  virtual Index barriers() const = 0;
  // The quantities that must be above 0; there are barriers() of them.
  virtual void barriers_at(std::span<const double> chi, std::span<double> out) const = 0;
  virtual double value(std::span<const double> chi) const = 0;  // K; +infinity outside its domain
  virtual void gradient(std::span<const double> chi, std::span<double> out) const = 0;
  // K'' at chi, as numbers that product() understands: K'' d.
  virtual Index curvature_size() const = 0;
  virtual void curvature(std::span<const double> chi, std::span<double> out) const = 0;
  virtual void product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const = 0;

  // For one example with statistics u, its count included: u . K'(chi), and u . K'' u, the variance of log p(x |
  // theta). A family overrides these when it can do without the whole gradient.
  virtual double score(std::span<const double> chi, std::span<const double> u) const;
  virtual double variance(std::span<const double> curvature, std::span<const double> u) const;
  // u_s . K'' u_t of all pairs of examples, by columns. z holds their first products() statistics row by row. For
  // families with products.
  virtual void crosses(std::span<const double> curvature, std::span<const double> z, std::span<double> out) const;
  // The change of an example's score when it is left out of chi, where it counts `counted` times. `curvature` is taken
  // at chi.
  virtual double left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                          std::span<const double> u) const;

  // The coefficient of column i in E[log p(x | theta)], and its variance. The i-th statistic is x_i, except in a family
  // with a shape.
  virtual double coefficient(std::span<const double> slope, Index i) const {
    return slope[static_cast<std::size_t>(i)];
  }
  virtual double coefficient_variance(std::span<const double> curvature, Index i) const;

  // out[i] is what column i adds to E[log p(x | theta)] = u . K' + h(x); `slope` is K'.
  virtual void contributions(std::span<const double> slope, std::span<const double> curvature,
                             std::span<const double> x, std::span<const double> u, std::span<double> out) const;

  // A family of several columns may need fewer statistics on these examples (row after row in x). It then has a shape
  // beside its chi, from which shaped() rebuilds it. Returns nullptr if the family stays as it is, or cannot have such
  // a shape.
  virtual std::shared_ptr<const Family> for_examples(std::span<const double> x, std::span<const ColumnMoments> moments,
                                                     double strength) const;
  virtual std::vector<double> shape() const { return {}; }
  virtual std::shared_ptr<const Family> shaped(std::span<const double> shape) const;

  // The family of some of its columns, and their part of chi. It scores a row in which the others are missing. Only for
  // families of several columns.
  virtual std::shared_ptr<const Family> marginal(std::span<const Index> there, std::span<const double> chi,
                                                 std::vector<double>& part) const;
};

}  // namespace medlar
