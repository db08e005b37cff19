// Each set of missing columns has a marginal law of its own, which costs a factorisation. Rows often miss the same
// columns, so the last laws are kept.
#include "medlar/models/generative/marginals.hpp"

#include <cmath>
#include <numeric>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

const std::vector<Marginals::Law>& Marginals::laws(std::size_t member, const std::vector<Index>& there) {
  constexpr std::size_t most_kept = 64;  // rows often miss the same columns
  const auto found = kept_.find({member, there});
  if (found != kept_.end()) return found->second;
  if (kept_.size() >= most_kept) kept_.clear();
  std::vector<Law>& laws = kept_[{member, there}];
  std::vector<double> chi;
  for (std::size_t k = 0; k < classes_; ++k) {
    pause();
    Law law{members_[member].family->marginal(there, chi_(member, k), chi), {}, {}, 0.0};
    if (!law.family) break;
    law.slope.resize(at(law.family->statistics()));
    law.curvature.resize(at(law.family->curvature_size()));
    law.family->gradient(chi, law.slope);
    law.family->curvature(chi, law.curvature);
    const Index count = law.family->count();
    if (count >= 0) law.mean = std::inner_product(chi.begin(), chi.end(), law.slope.begin(), 0.0) / chi[at(count)];
    laws.push_back(std::move(law));
  }
  return laws;
}

std::vector<Marginals::Gap> Marginals::operator()(const RowView& row) {
  std::vector<Gap> gaps;
  std::vector<double> x, u;
  maker_.for_each_gap(row, [&](std::size_t j, std::span<const double> values) {
    Gap gap{j, {}, {}, {}, {}, {}};
    x.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      gap.there.push_back(static_cast<Index>(i));
      x.push_back(values[i]);
    }
    if (gap.there.empty()) return;
    const std::vector<Law>& by_class = laws(j, gap.there);
    if (by_class.empty()) return;  // a family without marginals: the gap says nothing
    for (const Law& law : by_class) {
      u.resize(law.slope.size());
      law.family->statistics_of(x, u);
      if (law.family->count() >= 0) u[at(law.family->count())] = 1;
      gap.score.push_back(std::inner_product(u.begin(), u.end(), law.slope.begin(), law.family->base_measure(x)));
      gap.mean.push_back(law.mean);
      gap.variance.push_back(law.family->variance(law.curvature, u));
      law.family->contributions(law.slope, law.curvature, x, u, gap.parts.emplace_back(x.size()));
    }
    gaps.push_back(std::move(gap));
  });
  return gaps;
}

}  // namespace medlar
