// Gram-Schmidt, each column twice, so that orthogonality does not suffer where columns are nearly dependent.
#include "medlar/models/linear/kept_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {
namespace {

constexpr double kDependent = 1e-7;        // of a column's spread, what is left of it that is none
constexpr double kConstantSpread = 1e-10;  // of its size

// The columns of these features, one after the other.
std::vector<double> columns_of(const Matrix& x, std::span<const std::size_t> features) {
  const auto examples = static_cast<std::size_t>(x.rows());
  std::vector<std::ptrdiff_t> place(static_cast<std::size_t>(x.columns()), -1);
  for (std::size_t j = 0; j < features.size(); ++j) place[features[j]] = static_cast<std::ptrdiff_t>(j);
  std::vector<double> values(features.size() * examples, 0.0);
  for (std::size_t t = 0; t < examples; ++t) {
    for_each(x.row(static_cast<Index>(t)), [&](Index i, double value) {
      const std::ptrdiff_t j = place[at(i)];
      if (j >= 0) values[static_cast<std::size_t>(j) * examples + t] = value;
    });
  }
  return values;
}

// Sums over the examples, each with its weight, of a total of 1.
class Weighted {
 public:
  Weighted(std::span<const double> weights, std::size_t examples) : weights_(examples, 1.0) {
    if (!weights.empty()) weights_.assign(weights.begin(), weights.end());
    double total = 0;
    for (const double each : weights_) total += each;
    for (double& each : weights_) each /= total;
  }
  double mean(std::span<const double> a) const {
    CompensatedSum sum;
    for (std::size_t t = 0; t < a.size(); ++t) sum.add(weights_[t] * a[t]);
    return sum.value();
  }
  double product(std::span<const double> a, std::span<const double> b) const {
    CompensatedSum sum;
    for (std::size_t t = 0; t < a.size(); ++t) sum.add(weights_[t] * a[t] * b[t]);
    return sum.value();
  }

 private:
  std::vector<double> weights_;
};

[[noreturn]] void refuse_constant(const std::string& name, bool flat_bias) {
  throw OptionError(fmt::format("keep names '{}', which {} in all examples of the fit; leave it out", name,
                                flat_bias ? "has the same value, so that the bias says it all," : "is 0"));
}

[[noreturn]] void refuse_dependent(const std::string& name, const std::vector<std::string>& others, bool flat_bias) {
  std::string list;
  for (const std::string& other : others) list += (list.empty() ? "'" : ", '") + other + "'";
  throw OptionError(fmt::format(
      "keep names '{}', which is a sum of multiples of {}{} in the examples of the fit, so that its coefficient could "
      "be any; leave one of them out",
      name, list, flat_bias ? " and a constant" : ""));
}

}  // namespace

KeptColumns::KeptColumns(const Matrix& x, std::span<const double> weights, std::span<const Index> kept,
                         std::span<const char> levels, std::span<const std::string> names, bool flat_bias) {
  for (const Index i : kept) kept_.push_back(at(i));
  const auto examples = static_cast<std::size_t>(x.rows());
  flat_.examples = examples;
  const Weighted over(weights, examples);
  std::vector<double> z = columns_of(x, kept_);
  for (std::size_t j = 0; j < kept_.size(); ++j) {
    const std::span<double> column(z.data() + j * examples, examples);
    const double size = std::sqrt(over.product(column, column)), mean = flat_bias ? over.mean(column) : 0.0;
    for (double& each : column) each -= mean;
    const double spread = std::sqrt(over.product(column, column));
    if (!(spread > kConstantSpread * size)) {
      if (levels[kept_[j]] != 0) continue;
      refuse_constant(names[kept_[j]], flat_bias);
    }
    std::vector<double> parts(flat_.count() + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < flat_.count(); ++k) {
        const std::span<const double> q(flat_.q.data() + k * examples, examples);
        const double part = over.product(q, column);
        parts[k] += part;
        for (std::size_t t = 0; t < examples; ++t) column[t] -= part * q[t];
      }
    }
    const double left = std::sqrt(over.product(column, column));
    if (!(left > kDependent * spread)) {
      if (levels[kept_[j]] != 0) continue;
      // Its coefficients on the columns before it, which say who takes part.
      std::vector<double> c(parts);
      std::vector<std::string> others;
      for (std::size_t k = flat_.count(); k-- > 0;) {
        c[k] /= r_[k][k];
        for (std::size_t i = 0; i < k; ++i) c[i] -= c[k] * r_[k][i];
        double length = 0;
        for (const double each : r_[k]) length += each * each;
        if (std::abs(c[k]) * std::sqrt(length) > 1e-4 * spread) others.push_back(names[flat_.place[k]]);
      }
      std::reverse(others.begin(), others.end());
      refuse_dependent(names[kept_[j]], others, flat_bias);
    }
    for (double& each : column) each /= left;
    parts.back() = left;
    flat_.place.push_back(kept_[j]);
    flat_.q.insert(flat_.q.end(), column.begin(), column.end());
    mean_.push_back(mean);
    r_.push_back(std::move(parts));
  }
}

Matrix KeptColumns::replaced(const Matrix& x, double scale) const {
  std::vector<char> gone(static_cast<std::size_t>(x.columns()), 0);
  for (const std::size_t i : kept_) gone[i] = 1;
  std::vector<std::size_t> order(flat_.count());  // of the q, by their places
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return flat_.place[a] < flat_.place[b]; });
  std::vector<double> values;
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  for (Index t = 0; t < x.rows(); ++t) {
    if (!x.is_sparse()) {
      const std::size_t begin = values.size();
      for_each(x.row(t), [&](Index i, double value) { values.push_back(gone[at(i)] != 0 ? 0 : value); });
      for (const std::size_t j : order) values[begin + flat_.place[j]] = scale * flat_.at(at(t), j);
      continue;
    }
    std::size_t next = 0;
    const auto put = [&](std::size_t i, double value) {
      column_of.push_back(static_cast<Column>(i));
      values.push_back(value);
    };
    const auto put_before = [&](std::size_t i) {
      for (; next < order.size() && flat_.place[order[next]] < i; ++next) {
        put(flat_.place[order[next]], scale * flat_.at(at(t), order[next]));
      }
    };
    for_each(x.row(t), [&](Index i, double value) {
      if (gone[at(i)] != 0) return;
      put_before(at(i));
      put(at(i), value);
    });
    put_before(gone.size());
    starts.push_back(std::ssize(values));
  }
  if (!x.is_sparse()) return Matrix::dense(x.rows(), x.columns(), std::move(values));
  return Matrix::sparse(x.rows(), x.columns(), std::move(starts), std::move(column_of), std::move(values));
}

Matrix KeptColumns::alone(double scale) const {
  std::vector<double> values(flat_.q.size());
  for (std::size_t t = 0; t < flat_.examples; ++t) {
    for (std::size_t j = 0; j < flat_.count(); ++j) values[t * flat_.count() + j] = scale * flat_.at(t, j);
  }
  return Matrix::dense(static_cast<Index>(flat_.examples), std::ssize(flat_.place), std::move(values));
}

// Column j is mean_j + sum_k r_jk q_k.
std::vector<double> KeptColumns::to_flat(std::span<const double> w) const {
  std::vector<double> t(flat_.count(), 0.0);
  for (std::size_t j = 0; j < flat_.count(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) t[k] += r_[j][k] * w[flat_.place[j]];
  }
  return t;
}

double KeptColumns::to_features(std::span<const double> t, std::span<double> w) const {
  for (const std::size_t i : kept_) w[i] = 0;
  std::vector<double> left(t.begin(), t.end());
  for (std::size_t j = flat_.count(); j-- > 0;) {
    const double u = left[j] / r_[j][j];
    for (std::size_t k = 0; k <= j; ++k) left[k] -= u * r_[j][k];
    w[flat_.place[j]] = u;
  }
  return mean_score(w);
}

double KeptColumns::mean_score(std::span<const double> w) const {
  double sum = 0;
  for (std::size_t j = 0; j < flat_.count(); ++j) sum += mean_[j] * w[flat_.place[j]];
  return sum;
}

}  // namespace medlar
