// A solve for a kernel problem as it goes on: the run of its certificates, and Newton on the free multipliers, which
// finishes what rounds of working sets (smo.hpp) or sweeps (class_kernel_ascent.hpp) have made slow.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "medlar/problem/run.hpp"
#include "medlar/solvers/kernel/kernel_newton.hpp"
#include "medlar/solvers/kernel/kernel_state.hpp"

namespace medlar {

template <class P>
class KernelRun : public Run {
 public:
  KernelRun(const P& problem, const Gram& gram, KernelState<P>& state, const Limits& limits, Observer* observer)
      : Run(limits, observer), state_(state), newton_(problem, gram, state, [this] { return asked(); }) {}

  Index rounds = 0;  // passes between certificates, which are passes too
  Index passes() const { return rounds + state_.certificates(); }

  bool converged() const { return state_.relative_gap() <= tolerance(); }
  bool over() { return reached(state_.bounds(), passes()); }

  // The certificate at the state's multipliers; `hint` as there.
  void certify(const char* stage, std::vector<double> hint) {
    state_.certify(std::move(hint));
    ++report.iterations;
    record(state_.bounds(), passes(), stage);
  }
  void certify(const char* stage) { certify(stage, state_.bias()); }

  Index free_count() const { return newton_.free_count(); }
  // Newton's rounds until one converges or moves nothing; the solver adopts what the others have certified.
  template <class Adopt>
  void polish(Adopt adopt) {
    while (newton_.round() && !asked()) {
      certify("newton", P::kOne ? state_.bias() : newton_.bias());
      if (converged()) return;
      adopt();
    }
  }

  // `free`: what Newton is over.
  Report finish(std::string solver, const char* free, std::string why) {
    report.solver = std::move(solver);
    if (newton_.steps() > 0) report.solver += std::string(", then Newton over free ") + free;
    report.why = std::move(why);
    return Run::finish(state_.bounds(), passes());
  }

 private:
  KernelState<P>& state_;
  KernelNewton<P, KernelState<P>, Gram> newton_;
};

}  // namespace medlar
