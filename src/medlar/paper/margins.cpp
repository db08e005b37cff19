// Figures 1 and 2: margin priors, their potentials, and the losses that they amount to.   [MED eq. 3, eq. 4]
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "medlar/paper/exhibits.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/tube.hpp"

namespace medlar {
namespace {

using Function = std::function<double(double)>;

Series drawn(std::string name, const Function& f, double low, double high, Series::Style style = Series::Style::line) {
  Series series{std::move(name), {}, {}, style};
  for (int k = 0; k <= 200; ++k) {
    series.x.push_back(low + (high - low) * k / 200);
    series.y.push_back(f(series.x.back()));
  }
  return series;
}

// -log of the integral of P0(gamma) e^{sign lambda gamma} by Simpson's rule on pieces between the prior's kinks.
double potential_by_quadrature(const Function& prior, double lambda, double sign, std::vector<double> kinks) {
  double total = 0;
  constexpr int steps = 20000;
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double step = (kinks[k + 1] - kinks[k]) / steps;
    for (int j = 0; j <= steps; ++j) {
      const double gamma = kinks[k] + step * j;
      const double weight = j == 0 || j == steps ? 1 : j % 2 == 1 ? 4 : 2;
      total += weight * step / 3 * prior(gamma) * std::exp(sign * lambda * gamma);
    }
  }
  return -std::log(total);
}

constexpr double kC = 3, kEpsilon = 0.5, kPi = 3.14159265358979323846;

std::string agreement(double worst) {
  return fmt::format("The largest difference from the integral that defines the potential is {:.1e}.", worst);
}

}  // namespace

Exhibit classification_margins(const PaperOptions&, Observer*) {
  const Function exponential = [](double g) { return g <= 1 ? kC * std::exp(-kC * (1 - g)) : 0; };
  const Function laplace = [](double g) { return kC / 2 * std::exp(-kC * std::abs(1 - g)); };
  const Function gaussian = [](double g) {
    return kC / std::sqrt(2 * kPi) * std::exp(-kC * kC * (1 - g) * (1 - g) / 2);
  };
  const ExponentialMargin a{kC, 1};
  const LaplaceMargin b{kC, 1};
  const GaussianMargin d{kC, 1};
  double worst = 0;
  for (double lambda = 0.1; lambda < 2; lambda += 0.1) {
    worst = std::max({worst, std::abs(a.value(lambda) - potential_by_quadrature(exponential, lambda, -1, {-29, 1})),
                      std::abs(b.value(lambda) - potential_by_quadrature(laplace, lambda, -1, {-29, 1, 11})),
                      std::abs(d.value(lambda) - potential_by_quadrature(gaussian, lambda, -1, {-6, 8}))});
  }
  using enum Series::Style;
  Exhibit exhibit;
  exhibit.title = "Margin priors to classify and their potentials";
  exhibit.paper = "Draws the prior of a margin and the term that it adds to the dual objective.";
  exhibit.ours = fmt::format("The same with c = {}, and the loss that each potential amounts to.", kC);
  exhibit.charts = {{"figure1-priors",
                     "Margin priors",
                     "margin γ",
                     "density",
                     {drawn("exponential", exponential, -1, 3), drawn("Laplace", laplace, -1, 3, dashed),
                      drawn("Gaussian", gaussian, -1, 3)}},
                    {"figure1-potentials",
                     "Potentials ψ(λ)",
                     "λ",
                     "ψ(λ)",
                     {drawn(
                          "exponential", [&](double x) { return a.value(x); }, 0, 2.9),
                      drawn(
                          "Laplace", [&](double x) { return b.value(x); }, 0, 2.9, dashed),
                      drawn(
                          "Gaussian", [&](double x) { return d.value(x); }, 0, 2.9)}},
                    {"figure1-losses",
                     "The losses they amount to",
                     "margin",
                     "loss",
                     {drawn(
                          "exponential", [&](double x) { return a.loss(x); }, -1, 2),
                      drawn(
                          "Laplace", [&](double x) { return b.loss(x); }, -1, 2, dashed),
                      drawn(
                          "Gaussian", [&](double x) { return d.loss(x); }, -1, 2)}}};
  exhibit.claims = {{"The exponential margin prior contributes λ + log(1 − λ/c) to the objective (section 2.2).",
                     worst < 1e-8 ? "holds" : "does not hold",
                     agreement(worst) + " The printed formula calls it log Z; it is −log Z (errata, row 1).",
                     "section 2.2, eq. 3"}};
  return exhibit;
}

Exhibit regression_margins(const PaperOptions&, Observer*) {
  const Function prior = [](double g) {
    const double height = 1 / (kEpsilon + 1 / kC);
    return g < 0 ? 0 : g <= kEpsilon ? height : height * std::exp(kC * (kEpsilon - g));
  };
  const TubeMargin tube{kC, kEpsilon};
  double worst = 0;
  for (double lambda = 0.1; lambda < 2; lambda += 0.1) {
    // The constraint of a regression is y - L + gamma >= 0: the margin enters with the other sign.
    worst =
        std::max(worst, std::abs(tube.value(lambda) - potential_by_quadrature(prior, lambda, 1, {0, kEpsilon, 30})));
  }
  Exhibit exhibit;
  exhibit.title = "Margin prior to regress and its penalty";
  exhibit.paper =
      "Draws the prior that is flat on [0, ε] with an exponential tail, and the penalty that it amounts to.";
  exhibit.ours =
      fmt::format("The same with c = {} and ε = {}; the penalty is the conjugate loss of the residual.", kC, kEpsilon);
  const Function penalty = [&](double r) { return tube.loss(-std::abs(r)); };
  exhibit.charts = {
      {"figure2-prior", "Margin prior", "margin γ", "density", {drawn("ε-tube", prior, -0.5, 3)}},
      {"figure2-potential",
       "Potential ψ(λ)",
       "λ",
       "ψ(λ)",
       {drawn(
           "ε-tube", [&](double x) { return tube.value(x); }, 0, 2.9)}},
      {"figure2-penalty", "Penalty of a residual", "residual", "loss", {drawn("ε-tube", penalty, -3, 3)}}};
  const double dead = -tube.slope(0);
  exhibit.claims = {
      {"The ε-tube prior of eq. 4 has the potential that the fits use.", worst < 1e-8 ? "holds" : "does not hold",
       agreement(worst), "eq. 4"},
      {"The penalty is that of an ε-insensitive loss: residuals within the tube cost nothing.",
       fmt::format("holds only when the tube is taken as |r| ≤ {:.3g}, the prior’s mean margin, instead of ε = {}",
                   dead, kEpsilon),
       fmt::format("The penalty is 0 up to |r| = {:.4g}, and at |r| = ε it is {:.3g}.", dead, penalty(kEpsilon)),
       "our question"}};
  return exhibit;
}

}  // namespace medlar
