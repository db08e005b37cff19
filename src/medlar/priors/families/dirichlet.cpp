// K'' is a diagonal less a constant everywhere, so a product with it costs O(columns), and leaving an example out
// touches only the columns where it has counts.
#include "medlar/priors/families/dirichlet.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "medlar/priors/families/special.hpp"

namespace medlar {

namespace {

double total(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

std::string Dirichlet::objection(double x) const {
  return x >= 0 ? "" : "must be a number >= 0";
}

void Dirichlet::statistics_of(std::span<const double> x, std::span<double> u) const {
  std::copy(x.begin(), x.end(), u.begin());
}

double Dirichlet::base_measure(std::span<const double> x) const {
  double h = log_gamma(total(x) + 1);
  for (const double each : x) {
    if (each != 0) h -= log_gamma(each + 1);
  }
  return h;
}

void Dirichlet::prior(double strength, std::span<const ColumnMoments>, std::span<double> chi) const {
  std::fill(chi.begin(), chi.end(), strength);
}

void Dirichlet::barriers_at(std::span<const double> chi, std::span<double> out) const {
  std::copy(chi.begin(), chi.end(), out.begin());
}

double Dirichlet::value(std::span<const double> chi) const {
  double sum = 0;
  for (const double alpha : chi) {
    if (!(alpha > 0)) return std::numeric_limits<double>::infinity();
    sum += log_gamma(alpha);
  }
  return sum - log_gamma(total(chi));
}

void Dirichlet::gradient(std::span<const double> chi, std::span<double> out) const {
  const double all = digamma(total(chi));
  for (std::size_t k = 0; k < chi.size(); ++k) out[k] = digamma(chi[k]) - all;
}

// The diagonal, followed by the number that is subtracted from every entry.
void Dirichlet::curvature(std::span<const double> chi, std::span<double> out) const {
  for (std::size_t k = 0; k < chi.size(); ++k) out[k] = trigamma(chi[k]);
  out[chi.size()] = trigamma(total(chi));
}

void Dirichlet::product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const {
  const double shared = curvature[d.size()] * total(d);
  for (std::size_t k = 0; k < d.size(); ++k) out[k] = curvature[k] * d[k] - shared;
}

// log N! is divided among the columns in proportion to their counts.
void Dirichlet::contributions(std::span<const double> slope, std::span<const double>, std::span<const double> x,
                              std::span<const double>, std::span<double> out) const {
  const double all = total(x), shared = all > 0 ? log_gamma(all + 1) / all : 0;
  for (std::size_t k = 0; k < x.size(); ++k) out[k] = x[k] == 0 ? 0 : x[k] * (slope[k] + shared) - log_gamma(x[k] + 1);
}

double Dirichlet::left_out(std::span<const double> chi, std::span<const double>, double counted,
                           std::span<const double> u) const {
  const double all = total(chi), own = total(u);
  double sum = own * (digamma(all) - digamma(all - counted * own));
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k] != 0) sum += u[k] * (digamma(chi[k] - counted * u[k]) - digamma(chi[k]));
  }
  return sum;
}

std::shared_ptr<const Family> Dirichlet::marginal(std::span<const Index> there, std::span<const double> chi,
                                                  std::vector<double>& part) const {
  part.clear();
  for (const Index i : there) part.push_back(chi[static_cast<std::size_t>(i)]);
  return std::make_shared<const Dirichlet>(std::ssize(there));
}

double Dirichlet::score(std::span<const double> chi, std::span<const double> u) const {
  double sum = -digamma(total(chi)) * total(u);
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k] != 0) sum += u[k] * digamma(chi[k]);
  }
  return sum;
}

}  // namespace medlar
