// The problem that a peer solves, and a certificate of it that asks for nothing but the peer's weights:
//
//   F(w, b) = penalty(w) + penalty(b / B) + C sum_t loss_t,        penalty = |.|^2 / 2 (ridge) or |.|_1 (lasso)
//   J(beta) = sum_t gain(beta_t) - (|V|^2 + B^2 S^2) / 2,          V = sum_t beta_t x_t,  S = sum_t beta_t
//
// with |V|_inf, B |S| <= 1 instead of the last terms for a lasso, and S = 0 for a free bias. F >= J for all feasible
// beta. For the smooth losses beta follows from w (beta_t is minus the slope of C loss_t); for hinge and tube
// no beta follows from w, and J is that of our own certified fit of the same problem.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contest_set.hpp"

namespace medlar::bench {

enum class PeerLoss { hinge, squared_hinge, logistic, tube, squared_tube };
enum class PeerPenalty { ridge, lasso };
enum class PeerBias { none, penalised, free };

struct PeerProblem {
  PeerLoss loss = PeerLoss::hinge;
  PeerPenalty penalty = PeerPenalty::ridge;
  PeerBias bias = PeerBias::penalised;
  double c = 1;
  double bias_scale = 1;  // B, of a penalised bias
  double epsilon = 0;     // of the tubes

  bool smooth() const { return loss != PeerLoss::hinge && loss != PeerLoss::tube; }
  bool regression() const { return loss == PeerLoss::tube || loss == PeerLoss::squared_tube; }
  std::string text() const;  // names the problem, to the last digit
};

// min over s of F(s w, s b). Where all margins are met in the end, an error of 1e-6 in them costs far more than 1e-6 of
// F, and the factor 1 + 1e-6 heals it: a peer shall not suffer from that.
double primal(const PeerProblem& problem, const ContestSet& set, std::span<const double> w, double b);

// Smooth losses: J at the feasible beta nearest to what the weights say.
double dual(const PeerProblem& problem, const ContestSet& set, std::span<const double> w, double b);

}  // namespace medlar::bench
