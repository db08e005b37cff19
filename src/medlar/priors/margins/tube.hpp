// Epsilon-tube margin prior: P0(gamma) flat on [0, epsilon], proportional to e^{c(epsilon - gamma)} beyond   [MED eq.
// 4]
//
//   psi(lambda) = -log( [k phi(u) + e^u/(1 - x)] / (1 + k) ) on [0, c),  u = lambda epsilon, k = c epsilon, x =
//   lambda/c
//
// on lambda = |beta|. The tilted prior P0(gamma) e^{lambda gamma} is a mixture of a decay below epsilon (the flat part)
// and an exponential tail of rate c - lambda above it; psi' = -E[gamma] and psi'' = -Var[gamma] are the mixture's.
// Every sum below has terms of one sign, so each formula keeps its digits from lambda = 0 to lambda = c.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/decay_moments.hpp"
#include "medlar/numerics/expm1_ratio.hpp"
#include "medlar/numerics/hermite_table.hpp"
#include "medlar/numerics/proximal_root.hpp"
#include "medlar/priors/margins/open_end.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/simd/tube_loops.hpp"

namespace medlar {

struct TubeMargin {
  explicit TubeMargin(double rate = 1, double width = 0);

  double c, epsilon;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    return lambda < 0 || lambda >= c ? kMinusInfinity : value(Point{lambda, c - lambda});
  }
  double slope(double lambda) const { return lambda == 0 ? -prior_.mean : -tilted(Point{lambda, c - lambda}).mean; }
  double curvature(double lambda) const {
    return lambda == 0 ? -prior_.variance : -tilted(Point{lambda, c - lambda}).variance;
  }

  double loss(double margin) const {
    if (margin >= -prior_.mean) return 0;
    const Point at = maximiser(-margin);
    return std::max(value(at) - at.lambda * margin, 0.0);  // lambda = 0 already gives 0
  }
  double multiplier(double margin) const { return margin >= -prior_.mean ? 0 : below(c, maximiser(-margin).lambda); }

  Response respond(double margin, bool with_loss = true) const {
    if (margin >= -prior_.mean) return {};
    double variance = 0;
    const Point at = maximiser(-margin, &variance);
    const double loss = with_loss ? std::max(value(at) - at.lambda * margin, 0.0) : 0.0;
    return {loss, below(c, at.lambda), 1 / variance};
  }
  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const;
  void value_all(std::span<const double> lambda, std::span<double> value) const {
    tube_values(for_loops(), lambda.data(), value.data(), lambda.size());
  }

  // What the loops over many residuals read.
  TubePrior for_loops() const {
    return {c, epsilon, middle_, {guesses_->knots().data(), guesses_->cubics().data(), guesses_->pieces()}};
  }

  double proximal(double g, double q, double guess) const { return proximal_root(*this, g, q, guess); }

  SvrMargin linear_part() const { return {c, epsilon}; }  // without the logarithm

 private:
  // A multiplier with its distance from c, both to full relative accuracy.
  struct Point {
    double lambda;
    double rest;
  };
  struct Moments {
    double mean;
    double variance;
  };

  double value(Point at) const;
  Moments tilted(Point at) const;  // of gamma under P0(gamma) e^{lambda gamma}
  // E[gamma] = residual, for residual > E0[gamma]; the variance is that of the last step, at most 1e-8 away.
  Point maximiser(double residual, double* variance = nullptr) const;
  // First guesses of lambda below c/2 and of c - lambda above, by this place of the residual.
  double place(double residual) const { return residual <= middle_ ? residual / middle_ - 2 : -middle_ / residual; }
  std::shared_ptr<const HermiteTable> make_guesses() const;
  Moments prior_;  // at lambda = 0
  double middle_;  // E[gamma] at lambda = c/2
  std::shared_ptr<const HermiteTable> guesses_;
};

static_assert(MarginPotential<TubeMargin>);

inline TubeMargin::TubeMargin(double rate, double width)
    : c(rate),
      epsilon(width),
      prior_(tilted(Point{0, c})),
      middle_(tilted(Point{c / 2, c / 2}).mean),
      guesses_(make_guesses()) {}

inline double TubeMargin::value(Point at) const {
  const double u = at.lambda * epsilon;
  const double k = c * epsilon;
  if (u <= 1) {
    const double flat = k * expm1_ratio_minus_1(u);
    const double tail = (c * std::expm1(u) + at.lambda) / at.rest;
    return 0 - std::log1p((flat + tail) / (1 + k));
  }
  return -u - std::log((k * (-std::expm1(-u) / u) + c / at.rest) / (1 + k));
}

inline TubeMargin::Moments TubeMargin::tilted(Point at) const {
  const DecayMoments decay = decay_moments(at.lambda * epsilon);
  const double flat_weight = epsilon * decay.zeroth;
  const double tail_weight = 1 / at.rest;
  const double flat = flat_weight / (flat_weight + tail_weight);
  const double tail = tail_weight / (flat_weight + tail_weight);
  const double depth = decay.first / decay.zeroth;  // of the flat part's mean below epsilon, in units of epsilon
  const double spread = decay.second / decay.zeroth - depth * depth;
  const double distance = tail_weight + epsilon * depth;  // between the means of the two parts
  return {epsilon * (1 - flat * depth) + tail * tail_weight,
          flat * epsilon * epsilon * spread + tail * tail_weight * tail_weight + flat * tail * distance * distance};
}

// Safeguarded Newton on E[gamma] = residual. The unknown is lambda below c/2 and c - lambda above it, so that a root
// close to either end keeps its relative accuracy; above c/2 the equation solved is 1/E[gamma] = 1/residual, which is
// nearly linear there. From the table's guess one step is enough nearly everywhere.
inline TubeMargin::Point TubeMargin::maximiser(double residual, double* variance) const {
  const bool lower_half = middle_ >= residual;
  const auto point = [&](double x) { return lower_half ? Point{x, c - x} : Point{c - x, x}; };
  double lower = 0;
  double upper = c / 2;
  double x = (*guesses_)(place(residual));
  if (!(x > lower && x < upper)) x = upper / 2;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Moments now = tilted(point(x));
    if (variance != nullptr) *variance = now.variance;
    const double error = lower_half ? now.mean - residual : residual - now.mean;  // increases with x
    if (std::abs(error) <= 2 * std::numeric_limits<double>::epsilon() * residual) break;
    (error > 0 ? upper : lower) = x;
    const double step = error / now.variance * (lower_half ? 1 : now.mean / residual);
    const bool newton = x - step > lower && x - step <= upper;
    const double next = newton ? x - step : lower > 0 ? std::sqrt(lower) * std::sqrt(upper) : upper / 64;
    const bool settled = newton && std::abs(step) <= 1e-8 * x;  // the step squares the error: the next is round-off
    x = next;
    if (settled) break;
  }
  return point(x);
}

// E[gamma] bends where lambda or c - lambda is about 1/epsilon or c, whichever is less: equal steps of asinh from
// there.
inline std::shared_ptr<const HermiteTable> TubeMargin::make_guesses() const {
  constexpr double kStep = 1.0 / 64;
  auto guesses = std::make_shared<HermiteTable>();
  guesses->add(place(prior_.mean), 0, middle_ / prior_.variance);
  const double unit = c / (4 * std::max(1.0, c * epsilon));
  const double last = std::asinh(c / 2 / unit);
  const int count = static_cast<int>(last / kStep) + 1;
  const auto node = [&](int k) { return k == count ? c / 2 : unit * std::sinh(last * k / count); };
  for (int k = 1; k <= count; ++k) {
    const Moments low = tilted(Point{node(k), c - node(k)});
    guesses->add(k == count ? -1 : place(low.mean), node(k), middle_ / low.variance);
  }
  for (int k = count; k > 0; --k) {
    const Moments high = tilted(Point{c - node(k), node(k)});
    guesses->add(-middle_ / high.mean, node(k), -high.mean * high.mean / (middle_ * high.variance));
  }
  guesses->add(0, 0, -1 / middle_);
  return guesses;
}

// The residuals outside the dead zone, one after the other, through the loops; the few that do not settle there, alone.
inline void TubeMargin::respond_all(std::span<const double> margin, std::span<double> loss,
                                    std::span<double> multiplier, std::span<double> bend) const {
  constexpr std::size_t kBlock = 256;
  std::array<double, kBlock> residual, losses, lambdas, bends;
  std::array<std::size_t, kBlock> place_of;
  const bool with_loss = !loss.empty();
  for (std::size_t first = 0; first < margin.size(); first += kBlock) {
    const std::size_t end = std::min(first + kBlock, margin.size());
    std::size_t active = 0;
    for (std::size_t k = first; k < end; ++k) {
      if (with_loss) loss[k] = 0;
      multiplier[k] = 0, bend[k] = 0;
      residual[active] = -margin[k], place_of[active] = k;
      active += margin[k] >= -prior_.mean ? 0 : 1;
    }
    tube_responses(for_loops(), residual.data(), with_loss ? losses.data() : nullptr, lambdas.data(), bends.data(),
                   active);
    for (std::size_t j = 0; j < active; ++j) {
      const std::size_t k = place_of[j];
      const Response one = lambdas[j] >= 0 ? Response{losses[j], lambdas[j], bends[j]} : respond(margin[k], with_loss);
      if (with_loss) loss[k] = one.loss;
      multiplier[k] = one.multiplier, bend[k] = one.bend;
    }
  }
}

}  // namespace medlar
