// Any margin prior as one type: the potentials of this room, and a user's own behind a virtual class. Solvers are
// compiled for it once. What a loop asks it for many margins it answers by block, with one dispatch; a loop that asks
// for single numbers runs inside visit(), where the potential has its own type (problem.hpp: by_margin).
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "medlar/core/concepts.hpp"
#include "medlar/core/margin.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/logistic.hpp"
#include "medlar/priors/margins/smoothed.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/priors/margins/tube.hpp"

namespace medlar {

// A user's own potential, shared between copies.
class OwnPotential {
 public:
  explicit OwnPotential(std::shared_ptr<const OwnMargin> own) : own_(std::move(own)) {}

  Domain domain() const { return own_->domain(); }
  double value(double lambda) const { return own_->value(lambda); }
  double slope(double lambda) const { return own_->slope(lambda); }
  double curvature(double lambda) const { return own_->curvature(lambda); }
  double loss(double margin) const { return own_->loss(margin); }
  double multiplier(double margin) const { return own_->multiplier(margin); }
  double proximal(double margin, double q, double lambda) const { return own_->proximal(margin, q, lambda); }
  Response respond(double margin) const { return own_->respond(margin); }
  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const {
    own_->respond_all(margin, loss, multiplier, bend);
  }
  void value_all(std::span<const double> lambda, std::span<double> value) const { own_->value_all(lambda, value); }
  void slope_all(std::span<const double> lambda, std::span<double> slope) const { own_->slope_all(lambda, slope); }
  void curvature_all(std::span<const double> lambda, std::span<double> curvature) const {
    own_->curvature_all(lambda, curvature);
  }

 private:
  std::shared_ptr<const OwnMargin> own_;
};

using AnyPotential = std::variant<ExponentialMargin, LaplaceMargin, GaussianMargin, HingeMargin, LogisticMargin,
                                  TubeMargin, SvrMargin, SmoothedMargin, OwnPotential>;

template <class Psi>
concept KnownPotential = std::constructible_from<AnyPotential, std::in_place_type_t<Psi>, Psi>;

class Margin {
 public:
  template <class Psi>
  requires(!std::same_as<std::remove_cvref_t<Psi>, Margin> && MarginPotential<std::remove_cvref_t<Psi>>)
      Margin(Psi&& psi)
      : Margin(any_of(std::forward<Psi>(psi)), 0) {}
  explicit Margin(std::shared_ptr<const OwnMargin> own) : Margin(AnyPotential(OwnPotential(std::move(own))), 0) {}

  Domain domain() const { return domain_; }
  double value(double lambda) const;
  double slope(double lambda) const;
  double curvature(double lambda) const;
  double loss(double margin) const;
  double multiplier(double margin) const;
  double proximal(double margin, double q, double lambda) const;
  Response respond(double margin) const;

  // One dispatch each.
  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const;
  void value_all(std::span<const double> lambda, std::span<double> value) const;
  void slope_all(std::span<const double> lambda, std::span<double> slope) const;
  void curvature_all(std::span<const double> lambda, std::span<double> curvature) const;

  // use(psi), psi of the type that it is.
  template <class Use>
  decltype(auto) visit(Use&& use) const {
    return std::visit(std::forward<Use>(use), psi_);
  }

 private:
  Margin(AnyPotential psi, int);

  template <class Psi>
  static AnyPotential any_of(Psi&& psi) {
    using Own = std::remove_cvref_t<Psi>;
    if constexpr (KnownPotential<Own>) {
      return AnyPotential(std::in_place_type<Own>, std::forward<Psi>(psi));
    } else {
      return OwnPotential(own_margin<Own>(std::forward<Psi>(psi)));
    }
  }

  AnyPotential psi_;
  Domain domain_;
};

static_assert(MarginPotential<OwnPotential>);
static_assert(MarginPotential<Margin>);

}  // namespace medlar
