// Chooses between factors by shape. The hard case is a matrix with both sides too large to factor: then only the rows
// or columns enter that matter most, and which side is cheaper changes during a solve.
#include "medlar/linalg/systems/preconditioner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/linalg/systems/example_factor.hpp"
#include "medlar/linalg/systems/feature_factor.hpp"

namespace medlar {

namespace {

// For two sides that are too large to factor whole. Each assembly takes the side where fewer rows or columns matter.
class PartialFactor : public Preconditioner {
 public:
  PartialFactor(const Matrix& x, Index largest)
      : x_(x), largest_(largest), square_of_column_(static_cast<std::size_t>(x.columns()), 0.0) {
    for (Index t = 0; t < x.rows(); ++t) {
      for_each(x.row(t),
               [&](Index i, double value) { square_of_column_[static_cast<std::size_t>(i)] += value * value; });
    }
  }

  void assemble(std::span<const double> h, const Curvature& curvature) override {
    const std::vector<Index> rows = coupled_rows(h, curvature), columns = heavy_columns(curvature);
    by_examples_ = rows.size() <= columns.size();
    if (by_examples_) {
      examples_.assemble(h, curvature, rows);
    } else {
      features_.assemble(h, curvature, columns);
    }
  }

  double solve(std::span<const double> r, double total, std::span<double> z) const override {
    return by_examples_ ? examples_.solve(r, total, z) : features_.solve(r, total, z);
  }

  double accuracy() const override { return 1e-5; }
  int max_steps() const override { return 400; }
  std::string form() const override {
    return by_examples_ ? "partial Cholesky over examples with conjugate gradients"
                        : "partial Cholesky over features with conjugate gradients";
  }
  std::string why() const override {
    return fmt::format("{} examples and {} features both exceed {}", x_.rows(), x_.columns(), largest_);
  }

 private:
  // Rows whose own curvature is small against what they share with others.
  std::vector<Index> coupled_rows(std::span<const double> h, const Curvature& curvature) const {
    std::vector<double> ratio(h.size());
    for (std::size_t t = 0; t < h.size(); ++t) {
      double k = 0;
      for_each(x_.row(static_cast<Index>(t)),
               [&](Index i, double value) { k += curvature.d[static_cast<std::size_t>(i)] * value * value; });
      ratio[t] = k / h[t];
    }
    return largest(ratio, [&](double r) { return r > 0.1; });
  }

  // The columns that hold 99 % of the curvature.
  std::vector<Index> heavy_columns(const Curvature& curvature) const {
    std::vector<double> weight(square_of_column_);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] *= curvature.d[i];
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    double held = 0;
    return largest(weight, [&](double w) {
      const bool wanted = held < 0.99 * total;
      held += w;
      return wanted;
    });
  }

  // Indices by falling score while `wanted`, at most largest_ of them, in increasing order.
  template <class Wanted>
  std::vector<Index> largest(const std::vector<double>& score, Wanted wanted) const {
    std::vector<Index> order(score.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto cap = std::min(order.size(), static_cast<std::size_t>(largest_));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(cap), order.end(),
                      [&](Index a, Index b) {
                        const double sa = score[static_cast<std::size_t>(a)], sb = score[static_cast<std::size_t>(b)];
                        return sa != sb ? sa > sb : a < b;
                      });
    std::size_t count = 0;
    while (count < cap && wanted(score[static_cast<std::size_t>(order[count])])) ++count;
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
  }

  const Matrix& x_;
  Index largest_;
  std::vector<double> square_of_column_;
  ExampleFactor examples_{x_};
  FeatureFactor features_{x_};
  bool by_examples_ = true;
};

template <class Factor>
class WholeFactor : public Preconditioner {
 public:
  WholeFactor(const Matrix& x, Index size, std::string form, std::string why)
      : factor_(x), all_(static_cast<std::size_t>(size)), form_(std::move(form)), why_(std::move(why)) {
    std::iota(all_.begin(), all_.end(), Index{0});
  }
  void assemble(std::span<const double> h, const Curvature& curvature) override {
    factor_.assemble(h, curvature, all_);
  }
  double solve(std::span<const double> r, double total, std::span<double> z) const override {
    return factor_.solve(r, total, z);
  }
  double accuracy() const override { return 1e-10; }
  int max_steps() const override { return 12; }
  std::string form() const override { return form_; }
  std::string why() const override { return why_; }

 private:
  Factor factor_;
  std::vector<Index> all_;
  std::string form_, why_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_preconditioner(const Matrix& x, Index largest_factor) {
  if (std::min(x.rows(), x.columns()) > largest_factor) return std::make_unique<PartialFactor>(x, largest_factor);
  if (x.rows() <= x.columns()) {
    return std::make_unique<WholeFactor<ExampleFactor>>(
        x, x.rows(), "Cholesky over examples", fmt::format("{} examples <= {} features", x.rows(), x.columns()));
  }
  return std::make_unique<WholeFactor<FeatureFactor>>(x, x.columns(), "Cholesky over features",
                                                      fmt::format("{} features < {} examples", x.columns(), x.rows()));
}

}  // namespace medlar
