// A stop may come in the middle of a step, when the present point has no gap yet. The last point with a known gap is
// kept, and it is the best one because Phi never rises. Several parts share one set of limits, so passes and seconds
// are counted across them.
#include "medlar/models/latent/variables/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace medlar {
namespace {

constexpr double kLooseTolerance = 1e-4;  // of all parts but the last: their end is only a start
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
  report_.status = Status::stalled;
  report_.message.clear();
  const auto watch = [&](const LatentPoint& point, double gap) {
    passes_ = passes_before + descent.evaluations();
    report_.primal = point.primal();
    report_.objective = point.primal() - gap;
    report_.gap = gap;
    report_.relative_gap = gap / std::max(point.primal(), 1e-10);
    TracePoint seen{iterations_++,        passes_, stopping_.seconds(), report_.objective, report_.primal,
                    report_.relative_gap, stage};
    if (keep_kl) kl_.push_back(point.value);
    if (last) report_.trace.push_back(seen);
    if (observer_ != nullptr) observer_->on_iteration(seen);
    latest = point;
    return last ? stopping_.reached(report_.relative_gap, passes_, report_) : stopped();
  };
  const LatentPoint first = descent.at(std::move(start.v), start.bias);
  LatentPoint point = first;
  const bool whole = stopping_.whole([&] { point = descent.descend(first, tolerance, watch); });
  if (!whole) {  // takes the last point whose gap is known; Phi never rises, so no earlier one was better
    if (latest.v.empty()) watch(first, descent.gap(first));
    point = std::move(latest);
    stopping_.reached(report_.relative_gap, passes_, report_);
  }
  if (last && report_.message.empty()) {  // nothing moves any more, and the last point has not been seen yet
    const double gap = descent.gap(point);
    if (!watch(point, gap)) stopping_.give_up(report_.relative_gap, report_);
  }
  passes_ = passes_before + descent.evaluations();
  return point;
}

LatentPoint LatentDrive::descend(const Terms& terms, LatentPoint start, const std::string& stage, bool last) {
  if (last) kl_.clear(), report_.trace.clear();
  return part(terms, std::move(start), stage, last ? limits_.tolerance : std::max(kLooseTolerance, limits_.tolerance),
              last, last);
}

LatentPoint LatentDrive::alternate(std::unique_ptr<Terms> frozen, const Freeze& freeze, LatentPoint start) {
  LatentPoint point = std::move(start);
  for (Index round = 1;; ++round) {
    const auto traced = std::ssize(report_.trace);
    point = part(*frozen, std::move(point), fmt::format("round {}", round), limits_.tolerance, true, false);
    report_.trace.erase(report_.trace.begin() + traced, report_.trace.end() - 1);  // one point per round
    std::unique_ptr<Terms> next = freeze(point.w, point.bias);
    const double total = point.value - point.terms.value + next->at(point.w, point.bias).value;
    ++passes_;
    const double change = kl_.empty() ? HUGE_VAL : kl_.back() - total;
    kl_.push_back(total);
    const bool settled = change <= limits_.tolerance * std::max(total, 1e-10);
    if (settled && report_.status == Status::converged) {
      report_.message +=
          fmt::format("; {} rounds, the last lowered the total KL by {:.1e} to {:.6g}", round, change, total);
      return point;
    }
    if (report_.status != Status::converged || stopped() || round == kMostAlternations) {
      if (report_.status == Status::converged) {
        stopping_.reached(HUGE_VAL, passes_, report_);  // finds out who asked to stop, if anybody
        if (report_.status == Status::converged) report_.status = Status::limit;
        report_.message = fmt::format("stopped after {} rounds that still lowered the total KL by {:.1e} to {:.6g}",
                                      round, change, total);
      }
      return point;
    }
    frozen = std::move(next);
  }
}

LatentSolution LatentDrive::finished(LatentPoint point) && {
  report_.tolerance = limits_.tolerance;
  report_.iterations = iterations_;
  report_.passes = passes_;
  report_.seconds = stopping_.seconds();
  return {std::move(point), std::move(kl_), std::move(report_)};
}

}  // namespace medlar
