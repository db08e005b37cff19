// A stop may come in the middle of a step, when the present point has no gap yet. The last point with a known gap is
// kept, and it is the best one because Phi never rises. Several parts share one set of limits, so passes and seconds
// are counted across them.
#include "medlar/models/latent/variables/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "medlar/thresholds/rough_fits.hpp"

namespace medlar {
namespace {

constexpr Index kMostAlternations = 2000;

}  // namespace

LatentPoint LatentDrive::origin(double bias) const {
  LatentPoint point;
  point.v.assign(static_cast<std::size_t>(prior_.dimension()), 0.0);
  point.bias = bias;
  return point;
}

LatentPoint LatentDrive::part(const Terms& terms, LatentPoint start, const std::string& stage, double tolerance,
                              bool last, bool keep_kl) {
  const Descent descent(prior_, terms, bias_);
  const Index passes_before = passes_;
  LatentPoint latest;
  run_.report.status = Status::stalled;
  run_.report.message.clear();
  const auto watch = [&](const LatentPoint& point, double gap) {
    passes_ = passes_before + descent.evaluations();
    bounds_ = {point.primal() - gap, point.primal()};
    const TracePoint seen{iterations_++,          passes_, run_.seconds(), bounds_.objective, bounds_.primal,
                          bounds_.relative_gap(), stage};
    if (keep_kl) kl_.push_back(point.value);
    if (last) run_.report.trace.push_back(seen);
    if (observer_ != nullptr) observer_->on_iteration(seen);
    latest = point;
    return last ? run_.reached(bounds_, passes_) : stopped();
  };
  const LatentPoint first = descent.at(std::move(start.v), start.bias);
  LatentPoint point = first;
  const bool whole = run_.whole([&] { point = descent.descend(first, tolerance, watch); });
  if (!whole) {  // takes the last point whose gap is known; Phi never rises, so no earlier one was better
    if (latest.v.empty()) watch(first, descent.gap(first));
    point = std::move(latest);
    run_.reached(bounds_, passes_);
  }
  if (last && run_.report.message.empty()) {  // nothing moves any more, and the last point has not been seen yet
    const double gap = descent.gap(point);
    if (!watch(point, gap)) run_.give_up(bounds_);
  }
  passes_ = passes_before + descent.evaluations();
  return point;
}

LatentPoint LatentDrive::descend(const Terms& terms, LatentPoint start, const std::string& stage, bool last) {
  if (last) kl_.clear(), run_.report.trace.clear();
  return part(terms, std::move(start), stage, last ? limits_.tolerance : std::max(kGapOfParts, limits_.tolerance), last,
              last);
}

LatentPoint LatentDrive::alternate(std::unique_ptr<Terms> frozen, const Freeze& freeze, LatentPoint start) {
  LatentPoint point = std::move(start);
  for (Index round = 1;; ++round) {
    const auto traced = std::ssize(run_.report.trace);
    point = part(*frozen, std::move(point), fmt::format("round {}", round), limits_.tolerance, true, false);
    run_.report.trace.erase(run_.report.trace.begin() + traced, run_.report.trace.end() - 1);  // one point per round
    std::unique_ptr<Terms> next = freeze(point.w, point.bias);
    const double total = point.value - point.terms.value + next->at(point.w, point.bias).value;
    ++passes_;
    const double change = kl_.empty() ? HUGE_VAL : kl_.back() - total;
    kl_.push_back(total);
    const bool settled = change <= limits_.tolerance * gap_scale(total);
    if (settled && run_.report.status == Status::converged) {
      run_.report.message +=
          fmt::format("; {} rounds, the last lowered the total KL by {:.1e} to {:.6g}", round, change, total);
      return point;
    }
    if (run_.report.status != Status::converged || stopped() || round == kMostAlternations) {
      if (run_.report.status == Status::converged) {
        run_.reached(Bounds{-HUGE_VAL, 0}, passes_);  // finds out who asked to stop, if anybody
        if (run_.report.status == Status::converged) run_.report.status = Status::limit;
        run_.report.message = fmt::format("stopped after {} rounds that still lowered the total KL by {:.1e} to {:.6g}",
                                          round, change, total);
      }
      return point;
    }
    frozen = std::move(next);
  }
}

LatentSolution LatentDrive::finished(LatentPoint point) && {
  run_.report.iterations = iterations_;
  // Rounds have said how they ended, which the gap of the last one alone does not tell.
  tell(bounds_, run_.report);
  run_.report.passes = passes_;
  run_.report.seconds = run_.seconds();
  return {std::move(point), std::move(kl_), std::move(run_.report)};
}

}  // namespace medlar
