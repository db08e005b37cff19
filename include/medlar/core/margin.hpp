// A margin prior of your own: any type that meets MarginPotential, behind one virtual class, for Settings::own_margin
// and for Problem (docs/own_priors.md).
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "medlar/core/concepts.hpp"

namespace medlar {

// The members of a MarginPotential, and those that answer for many margins or multipliers at once: a virtual call is
// made for a block and not for each number wherever a solver can help it.
class OwnMargin {
 public:
  virtual ~OwnMargin() = default;

  virtual Domain domain() const = 0;
  virtual double value(double lambda) const = 0;
  virtual double slope(double lambda) const = 0;
  virtual double curvature(double lambda) const = 0;
  virtual double loss(double margin) const = 0;
  virtual double multiplier(double margin) const = 0;
  virtual double proximal(double margin, double q, double lambda) const = 0;
  virtual Response respond(double margin) const = 0;

  virtual void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                           std::span<double> bend) const = 0;
  virtual void value_all(std::span<const double> lambda, std::span<double> value) const = 0;
  virtual void slope_all(std::span<const double> lambda, std::span<double> slope) const = 0;
  virtual void curvature_all(std::span<const double> lambda, std::span<double> curvature) const = 0;
};

template <MarginPotential Psi>
class OwnMarginOf final : public OwnMargin {
 public:
  explicit OwnMarginOf(Psi psi) : psi_(std::move(psi)) {}

  Domain domain() const override { return psi_.domain(); }
  double value(double lambda) const override { return psi_.value(lambda); }
  double slope(double lambda) const override { return psi_.slope(lambda); }
  double curvature(double lambda) const override { return psi_.curvature(lambda); }
  double loss(double margin) const override { return psi_.loss(margin); }
  double multiplier(double margin) const override { return psi_.multiplier(margin); }
  double proximal(double margin, double q, double lambda) const override { return psi_.proximal(margin, q, lambda); }
  Response respond(double margin) const override { return medlar::respond(psi_, margin); }

  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const override {
    medlar::respond_all(psi_, margin, loss, multiplier, bend);
  }
  void value_all(std::span<const double> lambda, std::span<double> value) const override {
    medlar::value_all(psi_, lambda, value);
  }
  void slope_all(std::span<const double> lambda, std::span<double> slope) const override {
    medlar::slope_all(psi_, lambda, slope);
  }
  void curvature_all(std::span<const double> lambda, std::span<double> curvature) const override {
    medlar::curvature_all(psi_, lambda, curvature);
  }

 private:
  Psi psi_;
};

// settings.own_margin = own_margin(MyMargin{...});
template <MarginPotential Psi>
std::shared_ptr<const OwnMargin> own_margin(Psi psi) {
  return std::make_shared<const OwnMarginOf<Psi>>(std::move(psi));
}

}  // namespace medlar
