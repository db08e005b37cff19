#include "drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "random.hpp"

namespace medlar::bench {
namespace {

// The class of a score for each.
double leading(const std::vector<double>& scores) {
  return static_cast<double>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

double value_of(const std::string& kind, double level, Random& random) {
  if (kind == "bits") return random.uniform() < 0.3 * level ? 1 : 0;
  if (kind == "durations") return -std::log1p(-random.uniform()) / level;
  if (kind == "numbers") return level + random.normal();
  double count = 0;  // of a Poisson process, by the times between
  for (double time = -std::log1p(-random.uniform()); time < 2 * level; time -= std::log1p(-random.uniform())) ++count;
  return count;
}

}  // namespace

Matrix dense_matrix(const Rows& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return Matrix::dense(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()), std::move(values));
}

Matrix sparse_matrix(const Rows& rows) {
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> values;
  std::size_t columns = 0;
  for (const auto& row : rows) {
    columns = std::max(columns, row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      column_of.push_back(static_cast<Column>(i));
      values.push_back(row[i]);
    }
    starts.push_back(static_cast<Index>(values.size()));
  }
  return Matrix::sparse(static_cast<Index>(rows.size()), static_cast<Index>(columns), std::move(starts),
                        std::move(column_of), std::move(values));
}

Dataset dataset(Matrix x, std::vector<double> y, std::vector<double> weights) {
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

Dataset drawn(const Drawing& how) {
  Random random(how.seed);
  const auto features = static_cast<std::size_t>(how.features);
  const std::size_t relevant = std::min<std::size_t>(8, (features + 1) / 2);
  const auto scores = static_cast<std::size_t>(std::max(1, how.classes == 2 ? 1 : how.classes));
  Rows truth(scores, std::vector<double>(relevant));
  for (auto& row : truth) {
    for (double& each : row) each = random.normal();
  }
  Rows x;
  std::vector<double> y, weights;
  for (Index t = 0; t < how.examples; ++t) {
    std::vector<double> row(features), score(scores, 0.0);
    for (std::size_t i = 0; i < features; ++i) {
      const bool zero = how.zeros > 0 && random.uniform() < how.zeros;
      const double fresh = random.normal();
      const bool tied = i % static_cast<std::size_t>(how.tied) != 0;
      row[i] = zero ? 0 : tied ? row[i - 1] + 0.02 * fresh : fresh;
    }
    for (std::size_t k = 0; k < scores; ++k) {
      score[k] = 0.2 + 0.6 * random.normal();
      for (std::size_t i = 0; i < relevant; ++i) score[k] += truth[k][i] * row[i];
    }
    y.push_back(how.classes == 0 ? score[0] : how.classes == 2 ? (score[0] > 0 ? 1 : 0) : leading(score));
    if (how.weighted) weights.push_back(0.2 * std::exp(random.uniform() * std::log(25.0)));
    x.push_back(std::move(row));
  }
  return dataset(how.zeros > 0 ? sparse_matrix(x) : dense_matrix(x), std::move(y), std::move(weights));
}

Dataset drawn_values(const std::string& kind, int classes, Index examples, Index features, std::uint64_t seed,
                     double missing) {
  Random random(seed);
  Rows x;
  std::vector<double> y;
  for (Index t = 0; t < examples; ++t) {
    const Index k = t % classes;
    std::vector<double> row;
    for (Index i = 0; i < features; ++i) {
      row.push_back(value_of(kind, 1 + 0.8 * static_cast<double>((k + i) % classes), random));
      if (missing > 0 && random.uniform() < missing) row.back() = std::nan("");
    }
    x.push_back(std::move(row));
    y.push_back(static_cast<double>(k));
  }
  return dataset(dense_matrix(x), std::move(y));
}

Dataset rings(Index examples, int classes, std::uint64_t seed) {
  Random random(seed);
  Rows x;
  std::vector<double> y;
  for (Index t = 0; t < examples; ++t) {
    const double k = static_cast<double>(t % classes), angle = 2 * std::numbers::pi * random.uniform();
    const double radius = 0.5 + k + 0.3 * random.normal();
    x.push_back({radius * std::cos(angle), radius * std::sin(angle), random.normal()});
    y.push_back(k);
  }
  return dataset(dense_matrix(x), std::move(y));
}

Dataset with_labels_of(Dataset data, Index examples) {
  for (auto t = static_cast<std::size_t>(examples); t < data.target.values.size(); ++t) {
    data.target.values[t] = std::nan("");
  }
  return data;
}

Dataset bumps(Index examples, Index length, int classes, std::uint64_t seed) {
  Random random(seed);
  Rows x;
  std::vector<double> y;
  for (Index t = 0; t < examples; ++t) {
    const double k = static_cast<double>(t % classes);
    const double place = static_cast<double>(length / 2 + random.below(7) - 3);
    std::vector<double> row;
    for (Index i = 0; i < length; ++i) {
      const double apart = static_cast<double>(i) - place, side = apart - 3 * k / (classes - 1) + 1.5;
      row.push_back(4 * std::exp(-0.5 * apart * apart) + 1.5 * std::exp(-2 * side * side) + 0.2 * random.normal());
    }
    x.push_back(std::move(row));
    y.push_back(k);
  }
  return dataset(dense_matrix(x), std::move(y));
}

Dataset steps(Index examples, int classes, std::uint64_t seed) {
  Random random(seed);
  Rows x;
  std::vector<double> y;
  for (Index t = 0; t < examples; ++t) {
    const double level = classes == 0 ? 2 + random.normal() : 2.4 + 1.2 * static_cast<double>(t % classes);
    const Index length = 15 + random.below(10), change = 4 + random.below(8);
    std::vector<double> row;
    for (Index tau = 0; tau < length; ++tau) {
      row.push_back((tau < change ? 0 : level) + 0.5 * random.normal());
      row.push_back(random.normal());
    }
    x.push_back(std::move(row));
    y.push_back(classes == 0 ? level : static_cast<double>(t % classes));
  }
  Dataset data = dataset(sparse_matrix(x), std::move(y));
  data.schema.channels = 2;
  data.schema.columns.clear();
  return data;
}

}  // namespace medlar::bench
