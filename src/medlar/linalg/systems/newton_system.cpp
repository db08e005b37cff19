// Conjugate gradients on the Newton system. The hard part is a flat bias at gaps of 1e-9: the sum of delta must stay
// exact, and the part of the residual that only b can lower must not drown the rest.
#include "medlar/linalg/systems/newton_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/linalg/systems/preconditioner.hpp"
#include "medlar/numerics/sum.hpp"

namespace medlar {

void apply_curvature(const Curvature& curvature, std::span<double> u) {
  const std::size_t n = u.size();
  if (curvature.kappa.empty()) {
    for (std::size_t i = 0; i < n; ++i) u[i] *= curvature.d[i];
    return;
  }
  std::vector<double> along(curvature.kappa.size(), 0.0);  // kappa_g v_g . u_g
  for (std::size_t i = 0; i < n; ++i) along[static_cast<std::size_t>(curvature.group_of[i])] += curvature.v[i] * u[i];
  for (std::size_t g = 0; g < along.size(); ++g) along[g] *= curvature.kappa[g];
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = curvature.d[i] * u[i] + curvature.v[i] * along[static_cast<std::size_t>(curvature.group_of[i])];
  }
}

struct NewtonSystem::Parts {
  const Matrix& x;
  std::function<bool()> stop;
  std::vector<double> h;
  Curvature curvature;
  std::unique_ptr<Preconditioner> preconditioner;
  Index passes = 0;

  // out = (diag(h) + X C X^T + sigma2 1 1^T) in
  void multiply(std::span<const double> in, std::span<double> out) {
    std::vector<double> u(static_cast<std::size_t>(x.columns()), 0.0);
    for (Index t = 0; t < x.rows(); ++t) add_scaled(x.row(t), in[static_cast<std::size_t>(t)], u);
    apply_curvature(curvature, u);
    const double bias = curvature.sigma2 > 0 ? curvature.sigma2 * std::accumulate(in.begin(), in.end(), 0.0) : 0.0;
    for (std::size_t t = 0; t < out.size(); ++t) {
      out[t] = h[t] * in[t] + dot(x.row(static_cast<Index>(t)), u) + bias;
    }
    passes += 2;
  }
};

NewtonSystem::NewtonSystem(const Matrix& x, std::function<bool()> stop, Index largest_factor)
    : parts_(new Parts{x, std::move(stop), {}, {}, make_preconditioner(x, largest_factor), 0}) {}

NewtonSystem::~NewtonSystem() = default;

Index NewtonSystem::passes() const {
  return parts_->passes;
}
std::string NewtonSystem::form() const {
  return parts_->preconditioner->form();
}
std::string NewtonSystem::why() const {
  return parts_->preconditioner->why();
}

void NewtonSystem::assemble(std::span<const double> h, const Curvature& curvature) {
  parts_->h.assign(h.begin(), h.end());
  parts_->curvature = curvature;
  parts_->preconditioner->assemble(h, curvature);
  parts_->passes += 1;
}

namespace {

// Rounding moves the sum of delta away from its given value. It is brought back along the direction that changes the
// residual least.
void restore_total(const Preconditioner& preconditioner, double total, std::span<double> delta) {
  const std::vector<double> zero(delta.size(), 0.0);
  std::vector<double> back(delta.size());
  for (int round = 0; round < 3; ++round) {
    CompensatedSum sum;
    double size = std::abs(total);
    for (const double value : delta) {
      sum.add(value);
      size = std::max(size, std::abs(value));
    }
    const double error = sum.value() - total;
    if (!(std::abs(error) > 1e-15 * size)) return;
    preconditioner.solve(zero, -error, back);
    for (std::size_t t = 0; t < delta.size(); ++t) delta[t] += back[t];
  }
}

}  // namespace

// Preconditioned conjugate gradients from the preconditioner's own solution. Under a flat bias every search direction
// sums to 0, because the preconditioner's solutions do. No such direction can lower the part b 1 of the residual. It is
// subtracted as soon as it is known; otherwise its product with the rounding of those sums would drown the rest.
double NewtonSystem::solve(std::span<const double> r, double total, std::span<double> delta) {
  const std::size_t size = r.size();
  const Preconditioner& preconditioner = *parts_->preconditioner;
  const auto inner = [](std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  std::vector<double> residual(r.begin(), r.end()), z(size), q(size);
  preconditioner.solve(r, total, delta);
  parts_->multiply(delta, q);
  for (std::size_t t = 0; t < size; ++t) residual[t] -= q[t];
  const double target = preconditioner.accuracy() * preconditioner.accuracy() * inner(delta, q);
  double b = 0, best = HUGE_VAL;
  const auto precondition = [&] {
    const double shift = preconditioner.solve(residual, 0.0, z);
    for (double& each : residual) each -= shift;
    b += shift;
    return inner(residual, z);
  };
  double rz = precondition();
  std::vector<double> p(z);
  int worse = 0;
  for (int step = 0; step < preconditioner.max_steps() && rz > target; ++step) {
    parts_->multiply(p, q);
    const double pq = inner(p, q);
    if (!(pq > 0)) break;
    const double alpha = rz / pq;
    for (std::size_t t = 0; t < size; ++t) {
      delta[t] += alpha * p[t];
      residual[t] -= alpha * q[t];
    }
    if (parts_->stop && parts_->stop()) break;
    const double next = precondition();
    if (!(next >= 0)) break;
    worse = next < 0.5 * best ? 0 : worse + 1;
    best = std::min(best, next);
    if (worse > 60) break;  // only rounding is left
    const double beta = next / rz;
    for (std::size_t t = 0; t < size; ++t) p[t] = z[t] + beta * p[t];
    rz = next;
  }
  if (parts_->curvature.flat) restore_total(preconditioner, total, delta);
  return b;
}

}  // namespace medlar
