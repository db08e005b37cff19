// See the header.
#include "medlar/constraints/constraints.hpp"

#include <algorithm>
#include <type_traits>

#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/row_loops.hpp"

namespace medlar {

namespace {

void add_side(Constraints& constraints, Index t, double sign, double offset, std::span<const double> weights) {
  constraints.example.push_back(t);
  constraints.sign.push_back(sign);
  constraints.offset.push_back(offset);
  constraints.weight.push_back(weights.empty() ? 1.0 : weights[static_cast<std::size_t>(t)]);
}

}  // namespace

std::vector<double> Constraints::signed_multipliers(std::span<const double> lambda) const {
  std::vector<double> beta(static_cast<std::size_t>(examples()), 0.0);
  for (std::size_t k = 0; k < lambda.size(); ++k) beta[static_cast<std::size_t>(example[k])] += sign[k] * lambda[k];
  return beta;
}

Constraints classification_constraints(const Matrix& x, std::span<const int> y, std::span<const double> weights) {
  Constraints constraints;
  constraints.x = &x;
  for (Index t = 0; t < x.rows(); ++t) add_side(constraints, t, y[static_cast<std::size_t>(t)], 0.0, weights);
  return constraints;
}

Constraints regression_constraints(const Matrix& x, std::span<const double> y, std::span<const double> weights) {
  Constraints constraints;
  constraints.x = &x;
  for (Index t = 0; t < x.rows(); ++t) {
    const double target = y[static_cast<std::size_t>(t)];
    add_side(constraints, t, +1.0, target, weights);
    add_side(constraints, t, -1.0, -target, weights);
  }
  return constraints;
}

namespace {

constexpr std::size_t kBlock = 2048;  // columns whose sums stay in the nearest cache while all rows pass

// add(rows, first, width) for blocks of columns, all rows of one after the other, a few of them together.
template <class Value, class Add>
void add_dense_rows(const Value* values, std::size_t n, std::span<const double> beta, Add add) {
  Pauses pauses;
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t width = std::min(kBlock, n - first);
    RowsTogether<Value> rows;
    const auto flush = [&] {
      if (rows.count > 0) add(rows, first, width);
      pauses.after(rows.count * width);
      rows.count = 0;
    };
    for (std::size_t t = 0; t < beta.size(); ++t) {
      if (beta[t] == 0) continue;
      rows.x[rows.count] = values + t * n + first;
      rows.scale[rows.count] = beta[t];
      if (++rows.count == kRowsTogether) flush();
    }
    flush();
  }
}

std::vector<double> dense_statistics(const Matrix& x, std::span<const double> beta) {
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> v(n, 0.0), lost(n, 0.0);
  x.values().visit([&](const auto* values) {
    add_dense_rows(values, n, beta, [&](const auto& rows, std::size_t first, std::size_t width) {
      add_compensated_rows(rows, v.data() + first, lost.data() + first, width);
    });
  });
  for (std::size_t i = 0; i < n; ++i) v[i] += lost[i];
  return v;
}

void dense_scores(const Matrix& x, std::span<const double> w, std::span<double> f) {
  const std::size_t n = w.size();
  Pauses pauses;
  x.values().visit([&](const auto* values) {
    RowsTogether<std::remove_cvref_t<decltype(*values)>> rows;
    for (std::size_t t = 0; t < f.size(); t += rows.count) {
      rows.count = std::min(kRowsTogether, f.size() - t);
      for (std::size_t r = 0; r < rows.count; ++r) rows.x[r] = values + (t + r) * n;
      dot_rows(rows, w.data(), f.data() + t, n);
      pauses.after(rows.count * n);
    }
  });
}

std::vector<double> sparse_statistics(const Matrix& x, std::span<const double> beta) {
  struct Sum {
    double value = 0, lost = 0;
  };
  std::vector<Sum> sums(static_cast<std::size_t>(x.columns()));
  Pauses pauses;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    for_each(x.row(static_cast<Index>(t)), [&](Index i, double value) {
      Sum& at = sums[static_cast<std::size_t>(i)];
      const double term = beta[t] * value, before = at.value, sum = before + term, part = sum - before;
      at.lost += (before - (sum - part)) + (term - part);
      at.value = sum;
    });
    pauses.after(x.row(static_cast<Index>(t)).values.size());
  }
  std::vector<double> v(sums.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = sums[i].value + sums[i].lost;
  return v;
}

}  // namespace

// The multipliers of one side nearly cancel those of the other in V, by 1e-6 and more at c = 1e4: each sum carries its
// rounding error along (Knuth's two-sum), or the gap would stop at 1e-9.
std::vector<double> statistics(const Matrix& x, std::span<const double> beta) {
  if (std::all_of(beta.begin(), beta.end(), [](double each) { return each == 0; })) {
    return std::vector<double>(static_cast<std::size_t>(x.columns()), 0.0);
  }
  return x.is_sparse() ? sparse_statistics(x, beta) : dense_statistics(x, beta);
}

std::vector<double> rough_statistics(const Matrix& x, std::span<const double> beta) {
  std::vector<double> v(static_cast<std::size_t>(x.columns()), 0.0);
  if (!x.is_sparse()) {
    x.values().visit([&](const auto* values) {
      add_dense_rows(values, v.size(), beta, [&](const auto& rows, std::size_t first, std::size_t width) {
        add_scaled_rows(rows, v.data() + first, width);
      });
    });
    return v;
  }
  Pauses pauses;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    const RowView row = x.row(static_cast<Index>(t));
    add_scaled(row, beta[t], v);
    pauses.after(row.values.size());
  }
  return v;
}

std::vector<double> scores(const Matrix& x, std::span<const double> w) {
  std::vector<double> f(static_cast<std::size_t>(x.rows()), 0.0);
  if (std::all_of(w.begin(), w.end(), [](double each) { return each == 0; }))
    return f;  // no pass for a prior of mean 0
  if (!x.is_sparse()) {
    dense_scores(x, w, f);
    return f;
  }
  Pauses pauses;
  for (Index t = 0; t < x.rows(); ++t) {
    const RowView row = x.row(t);
    f[static_cast<std::size_t>(t)] = dot(row, w);
    pauses.after(row.values.size());
  }
  return f;
}

}  // namespace medlar
