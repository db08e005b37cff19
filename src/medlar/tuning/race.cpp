// With three folds a standard error is itself a rough estimate, so a candidate must be behind in two ways before it is
// dropped: fold by fold (a paired test), and by more than the leader's own uncertainty. The second protects candidates
// within one standard error of the best, which the user may choose.
#include "medlar/tuning/race.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "medlar/thresholds/race.hpp"

namespace medlar {
namespace {

struct Moments_of {
  double mean = 0, standard_error = 0;
};

Moments_of moments_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

}  // namespace

std::vector<std::vector<std::size_t>> race_stages(std::size_t folds, bool exhaustive) {
  std::vector<std::vector<std::size_t>> stages;
  for (std::size_t from = 0; from < folds;) {
    const std::size_t size = exhaustive ? folds : from == 0 ? kFoldsToFirstLook : kFoldsToNextLook;
    stages.emplace_back();
    for (; from < folds && stages.back().size() < size; ++from) stages.back().push_back(from);
  }
  return stages;
}

std::vector<bool> still_racing(std::span<const std::vector<double>> values, bool higher_is_better) {
  std::vector<bool> goes_on(values.size(), false);
  std::size_t leader = values.size();
  const double sign = higher_is_better ? 1 : -1;
  for (std::size_t k = 0; k < values.size(); ++k) {
    goes_on[k] = !values[k].empty();
    if (!goes_on[k]) continue;
    if (leader == values.size() || sign * moments_of(values[k]).mean > sign * moments_of(values[leader]).mean) {
      leader = k;
    }
  }
  if (leader == values.size() || values[leader].size() < 2) return goes_on;
  const std::vector<double>& best = values[leader];
  // Without long double: the distribution is compiled once, for double, which is digits enough for a level.
  using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, InDoubles> t(static_cast<double>(best.size() - 1));
  const double critical = boost::math::quantile(boost::math::complement(t, kLevelOfTest));
  const double reach =
      boost::math::quantile(boost::math::complement(t, kLevelOfReach)) * moments_of(best).standard_error;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!goes_on[k] || k == leader) continue;
    std::vector<double> behind(best.size());
    for (std::size_t fold = 0; fold < best.size(); ++fold) behind[fold] = sign * (best[fold] - values[k][fold]);
    const Moments_of lag = moments_of(behind);
    if (lag.mean > reach && lag.mean > critical * lag.standard_error) goes_on[k] = false;
  }
  return goes_on;
}

}  // namespace medlar
