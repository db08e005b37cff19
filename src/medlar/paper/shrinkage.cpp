// Figures 4 and 5: the prior of a coefficient with a switch, and how it shrinks the coefficient.   [MED 4.1; errata 2,
// 3]
#include <fmt/format.h>

#include <cmath>

#include "medlar/paper/exhibits.hpp"
#include "medlar/priors/coefficients/switches.hpp"

namespace medlar {
namespace {

constexpr double small_p0 = 0.01;
constexpr double all_p0[] = {0.99999, 0.1, 0.01, 0.00001};

std::string percent(double p) {
  return fmt::format("p0 = {}", p);
}

}  // namespace

Exhibit switch_prior(const PaperOptions&, Observer*) {
  // The prior of theta s has an atom at 0, so its distribution function is drawn.
  const auto cumulative = [](double p0, double x) {
    return p0 * 0.5 * std::erfc(-x * std::sqrt(0.5)) + (x >= 0 ? 1 - p0 : 0);
  };
  Exhibit exhibit;
  exhibit.title = "Prior of a coefficient with its switch";
  exhibit.paper = "A coefficient is θ s with θ Gaussian and s on with probability p0: a spike at 0 beside a Gaussian.";
  exhibit.ours = "Its cumulative distribution, in which the spike is a step of height 1 − p0.";
  Chart chart{"figure4", "Cumulative prior of the coefficient θ s", "coefficient", "probability", {}};
  for (const double p0 : {0.99999, 0.5, small_p0}) {
    Series series{percent(p0), {}, {}, p0 > 0.9 ? Series::Style::dashed : Series::Style::line};
    for (int k = -300; k <= 300; ++k) {
      if (k == 0) {
        series.x.push_back(0);
        series.y.push_back(p0 / 2);  // the foot of the step
      }
      series.x.push_back(k * 0.01);
      series.y.push_back(cumulative(p0, k * 0.01));
    }
    chart.series.push_back(std::move(series));
  }
  exhibit.charts = {std::move(chart)};
  return exhibit;
}

Exhibit shrinkage(const PaperOptions&, Observer*) {
  Exhibit exhibit;
  exhibit.title = "How a switch shrinks a coefficient";
  exhibit.paper = "The expected coefficient against W = Σ λ y x, with a switch and without.";
  exhibit.ours =
      "The same from the log-partition of one switch, with prior variance 1; the dots mark where the switch is as "
      "likely on as off.";
  Chart chart{"figure5", "Expected coefficient with and without a switch", "W", "E[θ s]", {}};
  ResultTable table{
      "figure5-transitions", {"p0", "transition", "printed", "inclusion there", "inclusion at printed"}, {}};
  Series transitions{"even odds", {}, {}, Series::Style::dots};
  double worst = 0, kept = 0, lost = 0;
  for (const double p0 : all_p0) {
    const SwitchPartition one(1, p0, 1);
    Series series{percent(p0), {}, {}, p0 > 0.9 ? Series::Style::dashed : Series::Style::line};
    for (int k = 0; k <= 240; ++k) {
      series.x.push_back(k * 0.03);
      series.y.push_back(one.mean_at(0, k * 0.03));
    }
    chart.series.push_back(std::move(series));
    if (p0 >= 0.5) continue;
    const double odds = std::log((1 - p0) / p0), right = std::sqrt(2 * odds), printed = std::sqrt(odds);
    transitions.x.push_back(right);
    transitions.y.push_back(one.mean_at(0, right));
    worst = std::max(worst, std::abs(one.inclusion_at(0, right) - 0.5));
    lost = std::max(lost, one.mean_at(0, right / 2) / (right / 2));
    kept = one.mean_at(0, 1.5 * right) / (1.5 * right);
    table.rows.push_back(
        {fmt::format("{}", p0), {right, printed, one.inclusion_at(0, right), one.inclusion_at(0, printed)}});
  }
  chart.series.push_back(std::move(transitions));
  exhibit.charts = {std::move(chart)};
  exhibit.claims = {
      {"With selection small coefficients are diminished and large ones are kept.",
       lost < 0.5 && kept > 0.9 ? "holds" : "does not hold",
       fmt::format(
           "At half the transition at most {:.1f} % of a coefficient is left; at one and a half times the transition "
           "{:.1f} % is (p0 = 0.00001).",
           100 * lost, 100 * kept),
       "our question"},
      {"The transition is at W = ±√(log((1 − p0)/p0)).",
       "holds only when log is replaced by 2 log: W = ±√(2 log((1 − p0)/p0))",
       fmt::format(
           "At the corrected place the inclusion is 1/2 within {:.0e}; at the printed one it is {:.3g} for p0 = {} "
           "(errata, rows 2 and 3).",
           worst, *table.rows.back().values[3], table.rows.back().label),
       "section 4.1"}};
  exhibit.tables = {std::move(table)};
  return exhibit;
}

}  // namespace medlar
