// Units of features, and their copies where all have few values: each unit's values are coded 0, 1, ..., the chain of
// codes is copied, and copied codes are turned into values again.
#include <algorithm>
#include <map>

#include "medlar/trust/copies.hpp"

namespace medlar {
namespace {

// Values that a unit may have at most. A column that has more of them, or more than one for two examples, holds
// numbers.
std::size_t most_levels(std::size_t columns, Index examples) {
  constexpr std::size_t few = 8;
  if (columns > 1) return std::max(few, columns + 1);
  return std::min(few, std::max<std::size_t>(2, static_cast<std::size_t>(examples) / 2));
}

// The units as a chain of few values each, and what features a value stands for; none if a unit has too many.
struct Coded {
  CodedChain chain;
  std::vector<std::vector<std::vector<double>>> meaning;  // by unit and code: the values of its features
};

std::optional<Coded> coded(const std::vector<double>& x, std::size_t features, Index examples, const Units& units) {
  Coded made;
  for (const auto& unit : units) {
    std::map<std::vector<double>, Index> code_of;
    std::vector<std::vector<double>> seen;
    for (std::size_t t = 0; t < static_cast<std::size_t>(examples); ++t) {
      std::vector<double> values;
      for (const std::size_t i : unit) values.push_back(x[t * features + i]);
      code_of.emplace(values, 0);
      if (code_of.size() > most_levels(unit.size(), examples)) return std::nullopt;
      seen.push_back(std::move(values));
    }
    auto& meaning = made.meaning.emplace_back();
    for (auto& [values, code] : code_of) {
      code = std::ssize(meaning);
      meaning.push_back(values);
    }
    made.chain.levels.push_back(std::ssize(meaning));
    auto& codes = made.chain.codes.emplace_back();
    for (const auto& values : seen) codes.push_back(code_of[values]);
  }
  return made;
}

}  // namespace

Units units_of(const Dataset& data) {
  std::map<Index, std::vector<std::size_t>> by_group;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    by_group[data.group_of.empty() ? static_cast<Index>(i) : data.group_of[i]].push_back(i);
  }
  Units units;
  for (auto& [group, members] : by_group) units.push_back(std::move(members));
  std::sort(units.begin(), units.end());
  return units;
}

std::vector<double> dense_values(const Matrix& x) {
  std::vector<double> values(static_cast<std::size_t>(x.rows() * x.columns()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { values[static_cast<std::size_t>(t * x.columns() + i)] = value; });
  }
  return values;
}

std::optional<Copies> markov_copies(const Dataset& data, const std::vector<double>& x, const Units& units) {
  const std::size_t n = data.names.size();
  auto few = coded(x, n, data.examples(), units);
  if (!few) return std::nullopt;
  Copies made;
  made.group_of.resize(n);
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const std::size_t i : units[u]) made.group_of[i] = static_cast<Index>(u);
  }
  made.draw = [few = std::move(*few), units, n, size = x.size()](std::uint64_t seed) {
    const auto codes = markov_knockoffs(few.chain, seed);
    Knockoffs drawn{KnockoffKind::markov, std::vector<double>(size)};
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (std::size_t t = 0; t < codes[u].size(); ++t) {
        const auto& values = few.meaning[u][static_cast<std::size_t>(codes[u][t])];
        for (std::size_t k = 0; k < units[u].size(); ++k) drawn.copy[t * n + units[u][k]] = values[k];
      }
    }
    return drawn;
  };
  return made;
}

}  // namespace medlar
