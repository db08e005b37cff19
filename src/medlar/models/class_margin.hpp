// Any margin prior of a classifier behind one type. Solvers between classes ask it once per constraint, beside a pass
// over the data. One compiled solver thus serves all four priors at no measurable cost.
#pragma once

#include <variant>

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"

namespace medlar {

class ClassMargin {
 public:
  using Any = std::variant<ExponentialMargin, LaplaceMargin, GaussianMargin, HingeMargin>;
  ClassMargin(Any psi) : psi_(psi) {}

  Domain domain() const {
    return std::visit([](const auto& psi) { return psi.domain(); }, psi_);
  }
  double value(double lambda) const {
    return std::visit([&](const auto& psi) { return psi.value(lambda); }, psi_);
  }
  double slope(double lambda) const {
    return std::visit([&](const auto& psi) { return psi.slope(lambda); }, psi_);
  }
  double curvature(double lambda) const {
    return std::visit([&](const auto& psi) { return psi.curvature(lambda); }, psi_);
  }
  double loss(double margin) const {
    return std::visit([&](const auto& psi) { return psi.loss(margin); }, psi_);
  }
  double multiplier(double margin) const {
    return std::visit([&](const auto& psi) { return psi.multiplier(margin); }, psi_);
  }
  Response respond(double margin) const {
    return std::visit([&](const auto& psi) { return medlar::respond(psi, margin); }, psi_);
  }
  double proximal(double margin, double q, double lambda) const {
    return std::visit([&](const auto& psi) { return psi.proximal(margin, q, lambda); }, psi_);
  }

 private:
  Any psi_;
};

static_assert(MarginPotential<ClassMargin>);

}  // namespace medlar
