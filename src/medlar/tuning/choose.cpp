// The rules by which one of the candidates is taken.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "medlar/tuning.hpp"

namespace medlar {
namespace {

constexpr double kEqual = 1e-9;

// Positive where a is the better mean, 0 where they are equal up to rounding.
double ahead(const TuneScore& a, const TuneScore& b, bool higher_is_better) {
  const double difference = higher_is_better ? a.mean - b.mean : b.mean - a.mean;
  return std::abs(difference) <= kEqual * std::max(std::abs(a.mean), std::abs(b.mean)) ? 0 : difference;
}

}  // namespace

void choose(Tuning& tuning) {
  const auto& scores = tuning.scores;
  tuning.best = tuning.one_se = 0;
  if (scores.empty()) return;
  const auto lead = [&](std::size_t a, std::size_t b) { return ahead(scores[a], scores[b], tuning.higher_is_better); };
  // Of equal means, a fit of all features comes before a refit of few, because many orderings of few examples make a
  // refit perfect by chance. Then the one with fewer features comes first.
  const auto less = [&](std::size_t k) {
    return std::make_tuple(!scores[k].candidate.ranking.has_value(), -scores[k].selected, -scores[k].candidate.p0);
  };
  const auto is_out = [&](std::size_t k) { return scores[k].dropped || !scores[k].candidate.competes; };
  while (tuning.best + 1 < scores.size() && is_out(tuning.best)) ++tuning.best;
  for (std::size_t k = tuning.best + 1; k < scores.size(); ++k) {
    if (is_out(k)) continue;
    const double by = lead(k, tuning.best);
    if (by > 0 || (by == 0 && less(k) > less(tuning.best))) tuning.best = k;
  }
  tuning.one_se = tuning.best;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (is_out(k) || lead(k, tuning.best) < -scores[tuning.best].standard_error) continue;
    const double fewer = scores[tuning.one_se].selected - scores[k].selected;
    if (fewer > 0 || (fewer == 0 && lead(k, tuning.one_se) > 0)) tuning.one_se = k;
  }
}

}  // namespace medlar
