// See the header. Variable k goes: s = sum_{i<k} w_ik, A += log s, w_ij += w_ik w_kj/s. The gradient goes the same way
// backwards; the covariance is the gradient's derivative, by numbers that carry one along.
#include "medlar/families/tree_partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {

// A number and its derivative along one direction.
struct Dual {
  double value = 0, slope = 0;
  Dual() = default;
  Dual(double v, double d = 0) : value(v), slope(d) {}
};
Dual operator+(Dual a, Dual b) {
  return {a.value + b.value, a.slope + b.slope};
}
Dual operator-(Dual a, Dual b) {
  return {a.value - b.value, a.slope - b.slope};
}
Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
Dual exp(Dual a) {
  const double e = std::exp(a.value);
  return {e, e * a.slope};
}
Dual log(Dual a) {
  return {std::log(a.value), a.slope / a.value};
}
double size_of(double a) {
  return a;
}
double size_of(Dual a) {
  return a.value;
}

template <class Real>
class Elimination {
 public:
  Elimination(std::vector<Real> w, Index nodes) : n_(static_cast<std::size_t>(nodes)), w_(n_) {
    w_[n_ - 1] = std::move(w);  // w_[k]: weights among variables 0 .. k, before k goes
    s_.resize(n_);
    for (std::size_t k = n_ - 1; k >= 1; --k) {
      std::vector<Real> column(w_[k].begin() + place(0, k), w_[k].end());
      s_[k] = log_sum(column);
      sum_ = sum_ + s_[k];
      w_[k - 1].assign(w_[k].begin(), w_[k].begin() + place(0, k));
      for (std::size_t j = 1; j < k; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          Real& at = w_[k - 1][static_cast<std::size_t>(place(i, j))];
          at = log_sum(at, column[i] + column[j] - s_[k]);
        }
        pause_after(kNumbersOfALog * j);
      }
    }
  }

  Real value() const { return sum_; }

  std::vector<Real> gradient() const {
    std::vector<Real> inner;  // with respect to the weights after k has gone
    for (std::size_t k = 1; k < n_; ++k) {
      using std::exp;
      std::vector<Real> outer(w_[k].size(), Real(0));
      Real of_sum = Real(1);
      const auto column = [&](std::size_t i) { return w_[k][static_cast<std::size_t>(place(i, k))]; };
      for (std::size_t j = 1; j < k; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          const auto at = static_cast<std::size_t>(place(i, j));
          const Real through = inner[at] * exp(column(i) + column(j) - s_[k] - w_[k - 1][at]);
          outer[at] = inner[at] * exp(w_[k][at] - w_[k - 1][at]);
          outer[static_cast<std::size_t>(place(i, k))] = outer[static_cast<std::size_t>(place(i, k))] + through;
          outer[static_cast<std::size_t>(place(j, k))] = outer[static_cast<std::size_t>(place(j, k))] + through;
          of_sum = of_sum - through;
        }
        pause_after(kNumbersOfALog * j);
      }
      for (std::size_t i = 0; i < k; ++i) {
        const auto at = static_cast<std::size_t>(place(i, k));
        outer[at] = outer[at] + of_sum * exp(column(i) - s_[k]);
      }
      inner = std::move(outer);
    }
    return inner;
  }

 private:
  static std::ptrdiff_t place(std::size_t u, std::size_t v) { return static_cast<std::ptrdiff_t>(v * (v - 1) / 2 + u); }
  static Real log_sum(const std::vector<Real>& terms) {
    using std::exp;
    using std::log;
    double top = -HUGE_VAL;
    for (const Real& term : terms) top = std::max(top, size_of(term));
    Real sum(0);
    for (const Real& term : terms) sum = sum + exp(term - Real(top));
    return Real(top) + log(sum);
  }
  static double log_sum(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    return high + std::log1p(std::exp(low - high));
  }
  static Dual log_sum(Dual a, Dual b) {
    if (a.value < b.value) std::swap(a, b);
    const double e = std::exp(b.value - a.value);
    return {a.value + std::log1p(e), (a.slope + e * b.slope) / (1 + e)};
  }

  std::size_t n_;
  std::vector<std::vector<Real>> w_;
  std::vector<Real> s_;
  Real sum_ = Real(0);
};

}  // namespace

double log_tree_sum(std::span<const double> w, Index nodes) {
  return nodes < 2 ? 0 : Elimination<double>({w.begin(), w.end()}, nodes).value();
}

std::vector<double> edge_probabilities(std::span<const double> w, Index nodes) {
  if (nodes < 2) return {};
  return Elimination<double>({w.begin(), w.end()}, nodes).gradient();
}

std::vector<double> edge_covariance_product(std::span<const double> w, Index nodes, std::span<const double> d) {
  std::vector<Dual> seeded;
  for (std::size_t e = 0; e < w.size(); ++e) seeded.emplace_back(w[e], d[e]);
  std::vector<double> product;
  for (const Dual each : Elimination<Dual>(std::move(seeded), nodes).gradient()) product.push_back(each.slope);
  return product;
}

std::vector<Index> most_probable_tree(std::span<const double> w, Index nodes) {
  std::vector<Index> order(w.size()), group(static_cast<std::size_t>(nodes)), tree;
  std::iota(order.begin(), order.end(), Index{0});
  std::iota(group.begin(), group.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return w[static_cast<std::size_t>(a)] > w[static_cast<std::size_t>(b)]; });
  for (const Index e : order) {
    Index v = 1;
    while (edge_place(0, v + 1) <= e) ++v;
    const Index u = e - edge_place(0, v), from = group[static_cast<std::size_t>(v)],
                to = group[static_cast<std::size_t>(u)];
    if (from == to) continue;
    std::replace(group.begin(), group.end(), from, to);
    tree.push_back(e);
  }
  return tree;
}

TreePartition::TreePartition(Index nodes, Index classes, std::vector<double> prior)
    : nodes_(nodes), classes_(classes), edges_(nodes * (nodes - 1) / 2), prior_(std::move(prior)) {
  prior_.resize(static_cast<std::size_t>(classes_ * edges_), 0.0);
  const auto edges = static_cast<std::size_t>(edges_);
  for (std::size_t first = 0; first < prior_.size(); first += edges) {
    at_zero_ += log_tree_sum(std::span(prior_).subspan(first, edges), nodes);
  }
}

std::vector<double> TreePartition::weights(std::span<const double> v, Index k) const {
  const auto first = prior_.begin() + static_cast<std::ptrdiff_t>(k * edges_);
  std::vector<double> w(first, first + static_cast<std::ptrdiff_t>(edges_));
  for (std::size_t e = 0; e < w.size(); ++e) w[e] += v[own(k) + e];
  return w;
}

double TreePartition::value(std::span<const double> v) const {
  double sum = 0;
  for (Index k = 0; k < classes_; ++k) sum += log_tree_sum(weights(v, k), nodes_);
  return sum - at_zero_;  // added up in the same order: exactly 0 at 0
}

void TreePartition::mean(std::span<const double> v, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (Index k = 0; k < classes_; ++k) {
    const std::vector<double> p = edge_probabilities(weights(v, k), nodes_);
    std::copy(p.begin(), p.end(), out.begin() + static_cast<std::ptrdiff_t>(own(k)));
  }
}

TreePartition::Curvature::Curvature(const TreePartition& owner, std::span<const double> v) : owner_(owner) {
  for (Index k = 0; k < owner.classes_; ++k) w_.push_back(owner.weights(v, k));
}

void TreePartition::Curvature::product(std::span<const double> d, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < w_.size(); ++k) {
    const std::size_t first = owner_.own(static_cast<Index>(k));
    const auto along = d.subspan(first, w_[k].size());
    if (std::all_of(along.begin(), along.end(), [](double each) { return each == 0; })) continue;
    const std::vector<double> turned = edge_covariance_product(w_[k], owner_.nodes_, along);
    std::copy(turned.begin(), turned.end(), out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

std::vector<double> TreePartition::Curvature::diagonal() const {
  std::vector<double> variance(static_cast<std::size_t>(owner_.dimension()), 0.0);
  for (std::size_t k = 0; k < w_.size(); ++k) {
    const std::vector<double> p = edge_probabilities(w_[k], owner_.nodes_);
    const std::size_t first = owner_.own(static_cast<Index>(k));
    for (std::size_t e = 0; e < p.size(); ++e) variance[first + e] = p[e] * (1 - p[e]);
  }
  return variance;
}

}  // namespace medlar
