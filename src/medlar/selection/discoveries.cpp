// Features that beat their knockoffs: the fit of features and copies together, |w_i| - |w of the copy|, and the
// threshold at which the expected share of false discoveries is bounded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/model/checks.hpp"
#include "medlar/selection/calibrated_inclusion.hpp"
#include "medlar/selection/checks.hpp"
#include "medlar/selection/copies.hpp"
#include "medlar/selection/strength.hpp"

namespace medlar {
namespace {

constexpr std::size_t kMostLevels = 8;
constexpr Index kMostEntries = 200'000'000;  // of features and copies together: 1.6 GB

constexpr Index kMostDraws = 1000;
constexpr double kInUse = 1e-3;  // of the largest: what is smaller takes no part in the fit, and beats nothing

void check_discoveries(const Dataset& data, const Settings& settings, const DiscoveryOptions& how) {
  if (!(how.fdr > 0 && how.fdr < 1)) throw OptionError(fmt::format("fdr = {}, but must lie in (0, 1)", how.fdr));
  if (how.draws < 1 || how.draws > kMostDraws) {
    throw OptionError(fmt::format("draws = {}, but must lie in 1 .. {}", how.draws, kMostDraws));
  }
  if (how.strength && !(*how.strength > 0 && *how.strength < 1)) {
    throw OptionError(fmt::format("strength = {}, but must lie in (0, 1)", *how.strength));
  }
  require_linear(settings, "fdr");
  if (settings.expand != "none") {
    throw OptionError(
        fmt::format("fdr copies the features of the file, but expand = {}; use --expand none", settings.expand));
  }
  if (!settings.feature_p0.empty() || !settings.prior_mean.empty() || settings.groups == "file") {
    throw OptionError("fdr treats every feature like its copy; leave out --feature-priors, --prior-mean and --groups");
  }
  if (data.examples() * data.features() > kMostEntries / 2) {
    throw OptionError(
        fmt::format("fdr keeps features and copies as {} dense numbers, but at most {} are kept; drop "
                    "features that hardly vary",
                    2 * data.examples() * data.features(), kMostEntries));
  }
}

// Features that are swapped together: the levels of one category, or one feature.
std::vector<std::vector<std::size_t>> units_of(const Dataset& data) {
  std::map<Index, std::vector<std::size_t>> by_group;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    by_group[data.group_of.empty() ? static_cast<Index>(i) : data.group_of[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> units;
  for (auto& [group, members] : by_group) units.push_back(std::move(members));
  std::sort(units.begin(), units.end());
  return units;
}

// Row by row.
std::vector<double> dense_values(const Matrix& x) {
  std::vector<double> values(static_cast<std::size_t>(x.rows() * x.columns()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { values[static_cast<std::size_t>(t * x.columns() + i)] = value; });
  }
  return values;
}

// The units as a chain of few values each, and what features a value stands for; none if a unit has too many.
struct Coded {
  CodedChain chain;
  std::vector<std::vector<std::vector<double>>> meaning;  // by unit and code: the values of its features
};

std::optional<Coded> coded(const std::vector<double>& x, std::size_t features, Index examples,
                           const std::vector<std::vector<std::size_t>>& units) {
  Coded made;
  for (const auto& unit : units) {
    std::map<std::vector<double>, Index> code_of;
    std::vector<std::vector<double>> seen;
    for (std::size_t t = 0; t < static_cast<std::size_t>(examples); ++t) {
      std::vector<double> values;
      for (const std::size_t i : unit) values.push_back(x[t * features + i]);
      code_of.emplace(values, 0);
      if (code_of.size() > std::max(kMostLevels, unit.size() + 1)) return std::nullopt;
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

DrawKnockoffs copies_of(const Dataset& data, const std::vector<double>& x,
                        const std::vector<std::vector<std::size_t>>& units) {
  const std::size_t n = data.names.size();
  auto few = coded(x, n, data.examples(), units);
  if (!few) return gaussian_copies(data.x);
  return [few = std::move(*few), units, n, size = x.size()](std::uint64_t seed) {
    const auto codes = markov_knockoffs(few.chain, seed);
    Knockoffs made{"markov", std::vector<double>(size)};
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (std::size_t t = 0; t < codes[u].size(); ++t) {
        const auto& values = few.meaning[u][static_cast<std::size_t>(codes[u][t])];
        for (std::size_t k = 0; k < units[u].size(); ++k) made.copy[t * n + units[u][k]] = values[k];
      }
    }
    return made;
  };
}

// The dataset with a copy behind each feature.
Dataset with_copies(const Dataset& data, const std::vector<double>& x, const std::vector<double>& copy) {
  const std::size_t n = data.names.size(), T = static_cast<std::size_t>(data.examples());
  std::vector<double> values(2 * x.size());
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      values[2 * (t * n + i)] = x[t * n + i];
      values[2 * (t * n + i) + 1] = copy[t * n + i];
    }
  }
  Dataset both = data;
  both.x = Matrix::dense(data.examples(), 2 * data.features(), std::move(values));
  both.names.clear();
  both.group_of.clear();
  both.schema.columns.clear();
  both.schema.features = both.features();
  for (std::size_t i = 0; i < n; ++i) {
    both.names.push_back(data.names[i]);
    both.names.push_back(data.names[i] + " (copy)");
    if (data.group_of.empty()) continue;
    both.group_of.push_back(data.group_of[i]);
    both.group_of.push_back(data.group_of[i] + std::ssize(data.group_names));
  }
  for (const std::string& name : data.group_names) both.group_names.push_back(name + " (copy)");
  return both;
}

// The size of each unit's coefficients, of the features themselves (0) or of their copies (1).
std::vector<double> sizes_of(const Model& model, const std::vector<std::vector<std::size_t>>& units,
                             std::size_t which) {
  std::vector<double> sizes;
  for (const auto& unit : units) {
    double size = 0;
    for (const std::size_t i : unit) size = std::hypot(size, model.features[2 * i + which].coefficient);
    sizes.push_back(size);
  }
  return sizes;
}

// The first draw is that of the seed itself.
std::uint64_t seed_of(Index seed, Index draw) {
  return static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(draw);
}

}  // namespace

Index Discoveries::discovered() const {
  return std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each >= threshold; });
}

double knockoff_threshold(std::span<const double> statistic, double fdr) {
  std::set<double> sizes;
  for (const double each : statistic) {
    if (each != 0) sizes.insert(std::abs(each));
  }
  for (const double t : sizes) {
    const auto beaten = std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each <= -t; });
    const auto beating = std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each >= t; });
    if (beating > 0 && static_cast<double>(1 + beaten) <= fdr * static_cast<double>(beating)) return t;
  }
  return HUGE_VAL;
}

std::optional<Discoveries> discover(const Dataset& data, const Settings& settings, const DiscoveryOptions& how,
                                    Observer* observer) try {
  check_dataset(data);
  check_discoveries(data, settings, how);
  const auto units = units_of(data);
  const std::vector<double> x = dense_values(data.x);
  const DrawKnockoffs draw = copies_of(data, x, units);
  Discoveries part;
  part.fdr = how.fdr;
  part.draws = how.draws;
  Settings fitted = settings;
  std::vector<std::vector<double>> own, copied;  // by draw and unit
  for (Index m = 0; m < how.draws; ++m) {
    const Knockoffs copies = draw(seed_of(settings.seed, m));
    const Dataset both = with_copies(data, x, copies.copy);
    if (m == 0 && how.strength) fitted = at_strength_of(both, settings, *how.strength, observer);
    const Model model = fit(both, fitted, observer);
    if (model.report.status == Status::interrupted) return std::nullopt;
    if (m == 0) part.construction = copies.construction;
    if (m == 0) part.report = model.report;
    own.push_back(sizes_of(model, units, 0));
    copied.push_back(sizes_of(model, units, 1));
  }
  const std::vector<double> probability = calibrated_inclusion(own, copied);
  const double largest = std::max(*std::max_element(own.front().begin(), own.front().end()),
                                  *std::max_element(copied.front().begin(), copied.front().end()));
  const auto in_use = [&](double size) { return size > kInUse * largest ? size : 0.0; };
  std::vector<double> by_unit;
  part.statistic.assign(data.names.size(), 0.0);
  part.probability = part.statistic;
  for (std::size_t u = 0; u < units.size(); ++u) {
    by_unit.push_back(in_use(own.front()[u]) - in_use(copied.front()[u]));
    for (const std::size_t i : units[u]) part.statistic[i] = by_unit.back();
    for (const std::size_t i : units[u]) part.probability[i] = probability[u];
  }
  part.threshold = knockoff_threshold(by_unit, how.fdr);
  return part;
} catch (const Interrupted&) {
  return std::nullopt;
}

}  // namespace medlar
