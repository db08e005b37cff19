// Datasets made in memory for the tests of fit, and what those tests compare.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "medlar/fit.hpp"

namespace medlar::test {

using Rows = std::vector<std::vector<double>>;

inline Matrix dense(const Rows& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return Matrix::dense(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()), std::move(values));
}

inline Matrix sparse(const Rows& rows) {
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> values;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      column_of.push_back(static_cast<Column>(i));
      values.push_back(row[i]);
    }
    starts.push_back(static_cast<Index>(values.size()));
  }
  return Matrix::sparse(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()), std::move(starts),
                        std::move(column_of), std::move(values));
}

// Features f0, f1, ...; a numeric target.
inline Dataset dataset(Matrix x, std::vector<double> y, std::vector<double> weights = {}) {
  Dataset data;
  data.source = "memory";
  data.x = std::move(x);
  for (Index i = 0; i < data.features(); ++i) data.names.push_back(fmt::format("f{}", i));
  data.target.present = data.target.numeric = true;
  data.target.values = std::move(y);
  data.weights = std::move(weights);
  data.schema.format = "csv";
  data.schema.target = "y";
  for (const std::string& name : data.names) data.schema.columns.push_back({name, {}, {}});
  data.schema.features = data.features();
  return data;
}
inline Dataset dataset(const Rows& x, std::vector<double> y, std::vector<double> weights = {}) {
  return dataset(dense(x), std::move(y), std::move(weights));
}

// Normal features, a linear truth in the first half of them, noise; y is +1 or -1, or a number.
struct Sample {
  Rows x;
  std::vector<double> y;
};
inline Sample sample(bool classify, std::size_t examples, std::size_t features, unsigned seed, double zeros = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution zero(zeros);
  Sample drawn;
  for (std::size_t t = 0; t < examples; ++t) {
    std::vector<double> row(features);
    double f = 0.3 + 0.7 * normal(random);
    for (std::size_t i = 0; i < features; ++i) {
      row[i] = zero(random) ? 0.0 : normal(random);
      if (i < (features + 1) / 2) f += (i % 2 == 0 ? 1.5 : -1.0) * row[i];
    }
    drawn.x.push_back(row);
    drawn.y.push_back(!classify ? f : f > 0 ? 1.0 : -1.0);
  }
  return drawn;
}

inline const std::vector<std::string> kClassifiers{"exponential", "laplace", "gaussian", "hinge", "logistic"};
inline const std::vector<std::string> kRegressors{"tube", "svr", "squared"};  // squared: gaussian, of numbers
inline bool classifies(const std::string& margin) {
  return std::find(kRegressors.begin(), kRegressors.end(), margin) == kRegressors.end();
}
inline bool has_kinks(const std::string& margin) {
  return margin == "hinge" || margin == "svr";
}
inline std::vector<std::string> all_margins() {
  std::vector<std::string> all = kClassifiers;
  all.insert(all.end(), kRegressors.begin(), kRegressors.end());
  return all;
}

// Settings with an explicit margin and a tight tolerance, so that two routes to one optimum agree in their numbers.
inline Settings with(const std::string& margin, double p0, double tolerance = 1e-9) {
  Settings settings;
  set_option(settings, "margin", margin == "squared" ? "gaussian" : margin);
  settings.task = classifies(margin) ? Task::classify : Task::regress;
  settings.p0 = p0;
  settings.tolerance = tolerance;
  return settings;
}

// The same over features as they are.
inline Settings unscaled(const std::string& margin, double p0, const std::string& bias, double c, double variance,
                         double tolerance = 1e-10) {
  Settings settings = with(margin, p0, tolerance);
  set_option(settings, "bias", bias);
  settings.scale = ScaleKind::none;
  settings.threads = 1;
  settings.c = c;
  settings.prior_variance = variance;
  return settings;
}

inline std::vector<double> uneven_weights(std::size_t count) {
  std::vector<double> weights(count);
  for (std::size_t t = 0; t < count; ++t) weights[t] = 0.3 + static_cast<double>(t % 4);
  return weights;
}

inline double largest_coefficient(const Model& model) {
  double largest = 0;
  for (const Feature& feature : model.features) largest = std::max(largest, std::abs(feature.coefficient));
  return largest;
}

// The same optimum: both certified, equal objectives, scores of `x` and inclusions within the root of the gap.
inline void expect_same_fit(const Model& a, const Model& b, const Matrix& x, double accuracy = 1e-3) {
  EXPECT_EQ(a.report.status, Status::converged) << a.report.message;
  EXPECT_EQ(b.report.status, Status::converged) << b.report.message;
  const double slack = (a.report.tolerance + b.report.tolerance) * a.report.primal;
  EXPECT_NEAR(a.report.objective, b.report.objective, slack);
  EXPECT_NEAR(a.report.primal, b.report.primal, slack);
  const auto p = a.predict(x), q = b.predict(x);
  double size = 1;
  for (const Prediction& each : p) size = std::max(size, std::abs(each.score));
  for (std::size_t t = 0; t < p.size(); ++t) {
    EXPECT_NEAR(p[t].score, q[t].score, accuracy * size);
    EXPECT_NEAR(p[t].sd, q[t].sd, accuracy * (1 + p[t].sd));
  }
}

}  // namespace medlar::test
