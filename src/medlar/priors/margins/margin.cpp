// Here alone every potential is compiled for single numbers.
#include "medlar/priors/margins/margin.hpp"

namespace medlar {

Margin::Margin(AnyPotential psi, int) : psi_(std::move(psi)) {
  domain_ = visit([](const auto& own) { return own.domain(); });
}

double Margin::value(double lambda) const {
  return visit([&](const auto& psi) { return psi.value(lambda); });
}
double Margin::slope(double lambda) const {
  return visit([&](const auto& psi) { return psi.slope(lambda); });
}
double Margin::curvature(double lambda) const {
  return visit([&](const auto& psi) { return psi.curvature(lambda); });
}
double Margin::loss(double margin) const {
  return visit([&](const auto& psi) { return psi.loss(margin); });
}
double Margin::multiplier(double margin) const {
  return visit([&](const auto& psi) { return psi.multiplier(margin); });
}
double Margin::proximal(double margin, double q, double lambda) const {
  return visit([&](const auto& psi) { return psi.proximal(margin, q, lambda); });
}
Response Margin::respond(double margin) const {
  return visit([&](const auto& psi) { return medlar::respond(psi, margin); });
}

void Margin::respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                         std::span<double> bend) const {
  visit([&](const auto& psi) { medlar::respond_all(psi, margin, loss, multiplier, bend); });
}
void Margin::value_all(std::span<const double> lambda, std::span<double> value) const {
  visit([&](const auto& psi) { medlar::value_all(psi, lambda, value); });
}
void Margin::slope_all(std::span<const double> lambda, std::span<double> slope) const {
  visit([&](const auto& psi) { medlar::slope_all(psi, lambda, slope); });
}
void Margin::curvature_all(std::span<const double> lambda, std::span<double> curvature) const {
  visit([&](const auto& psi) { medlar::curvature_all(psi, lambda, curvature); });
}

}  // namespace medlar
