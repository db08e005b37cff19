#include "generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "medlar/error.hpp"
#include "random.hpp"

namespace medlar::bench {

namespace {

constexpr double kFlipped = 0.1;
constexpr double kShift = 20;  // of the power law of words

Dataset dataset_of(std::string name, Matrix x, std::vector<double> y) {
  Dataset data;
  data.source = std::move(name);
  data.names.reserve(static_cast<std::size_t>(x.columns()));
  for (Index i = 0; i < x.columns(); ++i) data.names.push_back(fmt::format("x{}", i + 1));
  data.x = std::move(x);
  data.target.present = data.target.numeric = true;
  data.target.values = std::move(y);
  return data;
}

double noisy_label(double score, Random& random) {
  const bool positive = (score > 0) != (random.uniform() < kFlipped);
  return positive ? 1 : -1;
}

// Words of a text: rank r has probability in proportion to 1 / (r + 20). The inverse of its distribution in closed
// form.
Column draw_word(Index words, Random& random) {
  const double r = kShift * std::pow((static_cast<double>(words) + kShift) / kShift, random.uniform()) - kShift;
  return static_cast<Column>(std::min<double>(r, static_cast<double>(words - 1)));
}

// Distinct words with counts; an entry is (1 + log count) log(2 + rank / 20), so that rare words weigh more, and a row
// has length 1.
Dataset generate_text(Index examples) {
  constexpr Index kWords = 100000;
  constexpr Index kRelevant = 60, kFirstRelevant = 20, kLastRelevant = 600;
  Random random(1);
  std::map<Column, double> relevant;
  while (static_cast<Index>(relevant.size()) < kRelevant) {
    const auto word = static_cast<Column>(kFirstRelevant + random.below(kLastRelevant - kFirstRelevant));
    relevant[word] = random.uniform() < 0.5 ? -1 : 1;
  }
  std::vector<Index> starts{0};
  std::vector<Column> columns;
  std::vector<double> values, labels;
  std::map<Column, int> counts;
  for (Index t = 0; t < examples; ++t) {
    const auto distinct = static_cast<std::size_t>(73.2 * std::exp(0.5 * random.normal())) + 1;  // 83.2 on average
    counts.clear();
    while (counts.size() < distinct) ++counts[draw_word(kWords, random)];
    double squares = 0, score = 0.02 * random.normal();
    const auto begin = values.size();
    for (const auto& [word, count] : counts) {
      const double value = (1 + std::log(count)) * std::log(2 + word / kShift);
      columns.push_back(word);
      values.push_back(value);
      squares += value * value;
    }
    const double length = std::sqrt(squares);
    for (auto j = begin; j < values.size(); ++j) {
      values[j] /= length;
      if (const auto weight = relevant.find(columns[j]); weight != relevant.end()) score += weight->second * values[j];
    }
    starts.push_back(static_cast<Index>(values.size()));
    labels.push_back(noisy_label(score, random));
  }
  Matrix x = Matrix::sparse(examples, kWords, std::move(starts), std::move(columns), std::move(values));
  return dataset_of("S1", std::move(x), std::move(labels));
}

}  // namespace

Dataset generate_dense(Index examples, Index features, Index relevant, std::uint64_t seed, bool real_target) {
  Random random(seed);
  std::vector<double> weights(static_cast<std::size_t>(features), 0.0);
  for (Index j = 0; j < relevant; ++j) {
    const auto i = static_cast<std::size_t>(j * (features / relevant));
    weights[i] = (random.uniform() < 0.5 ? -1 : 1) * (0.5 + random.uniform());
  }
  double squares = 0;
  for (const double w : weights) squares += w * w;
  std::vector<double> values, y;
  values.reserve(static_cast<std::size_t>(examples * features));
  for (Index t = 0; t < examples; ++t) {
    double score = 0;
    for (const double w : weights) {
      values.push_back(random.normal());
      score += w * values.back();
    }
    score /= std::sqrt(squares);
    y.push_back(real_target ? 0.8 * score + 0.6 * random.normal() : noisy_label(score, random));
  }
  return dataset_of("dense", Matrix::dense(examples, features, std::move(values)), std::move(y));
}

bool is_generated(const std::string& name) {
  return name == "S2" || name == "S3" || name == "S4" || name == "R4" || name == "S1" || name.starts_with("S1/");
}

Dataset generate(const std::string& name) {
  Dataset data;
  if (name == "S1" || name.starts_with("S1/"))
    data = generate_text(50000 / (name == "S1" ? 1 : std::stoll(name.substr(3))));
  else if (name == "S2")
    data = generate_dense(500, 5000, 30, 2);
  else if (name == "S3")
    data = generate_dense(200, 50000, 30, 3);
  else if (name == "S4" || name == "R4")
    data = generate_dense(200000, 50, 25, 4, name == "R4");
  else
    throw OptionError(fmt::format("no set of the name '{}' is generated; there are S1 to S4, R4 and S1/k", name));
  data.source = name;
  return data;
}

}  // namespace medlar::bench
