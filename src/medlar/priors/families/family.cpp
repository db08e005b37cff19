// Defaults that are right for most families.
#include "medlar/priors/families/family.hpp"

#include <numeric>

namespace medlar {

double Family::score(std::span<const double> chi, std::span<const double> u) const {
  std::vector<double> slope(chi.size());
  gradient(chi, slope);
  return std::inner_product(u.begin(), u.end(), slope.begin(), 0.0);
}

double Family::variance(std::span<const double> curvature, std::span<const double> u) const {
  std::vector<double> turned(u.size());
  product(curvature, u, turned);
  return std::inner_product(u.begin(), u.end(), turned.begin(), 0.0);
}

void Family::crosses(std::span<const double>, std::span<const double>, std::span<double> out) const {
  for (double& each : out) each = 0;  // of no products
}

double Family::left_out(std::span<const double> chi, std::span<const double>, double counted,
                        std::span<const double> u) const {
  std::vector<double> without(chi.begin(), chi.end());
  for (std::size_t i = 0; i < u.size(); ++i) without[i] -= counted * u[i];
  return score(without, u) - score(chi, u);
}

// With a single column, it adds everything.
void Family::contributions(std::span<const double> slope, std::span<const double>, std::span<const double> x,
                           std::span<const double> u, std::span<double> out) const {
  out[0] = std::inner_product(u.begin(), u.end(), slope.begin(), 0.0) + base_measure(x);
}

double Family::coefficient_variance(std::span<const double> curvature, Index i) const {
  std::vector<double> unit(static_cast<std::size_t>(statistics()), 0.0), turned(unit.size());
  unit[static_cast<std::size_t>(i)] = 1;
  product(curvature, unit, turned);
  return turned[static_cast<std::size_t>(i)];
}

std::shared_ptr<const Family> Family::for_examples(std::span<const double>, std::span<const ColumnMoments>,
                                                   double) const {
  return nullptr;
}

std::shared_ptr<const Family> Family::shaped(std::span<const double>) const {
  return nullptr;
}

std::shared_ptr<const Family> Family::marginal(std::span<const Index>, std::span<const double>,
                                               std::vector<double>&) const {
  return nullptr;
}

}  // namespace medlar
