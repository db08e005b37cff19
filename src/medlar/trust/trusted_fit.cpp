// A fit to all examples, how often its features are chosen again, which beat their knockoffs, and which stand for each
// other.
#include "medlar/fit.hpp"
#include "medlar/selection.hpp"
#include "medlar/trust/checks.hpp"

namespace medlar {

std::optional<TrustedFit> fit_with_trust(const Dataset& data, const Settings& settings, const TrustOptions& how,
                                         Observer* observer) {
  constexpr double for_fit = 0.5, for_refits = 0.5;  // of the time, and of what is then left when knockoffs follow
  check_stability(data, settings, how.stability);
  if (how.knockoffs) check_discoveries(data, settings, *how.knockoffs);
  Deadline deadline(observer, settings.max_seconds);
  Settings within = settings;
  within.max_seconds = for_fit * settings.max_seconds;
  TrustedFit made{fit(data, within, observer), true, false};
  if (made.model.report.status == Status::interrupted) return std::nullopt;
  within.max_seconds = (how.knockoffs ? for_refits : 1.0) * deadline.left();
  made.model.stability = measure_stability(data, within, how.stability, observer);
  if (!made.model.stability) return std::nullopt;
  made.complete = made.model.stability->refits == how.stability.refits;
  const bool stopped = observer != nullptr && observer->stop_requested();
  if (how.knockoffs && !stopped) {
    within.max_seconds = deadline.left();
    made.model.discoveries = discover(data, within, *how.knockoffs, observer);
  }
  if (how.knockoffs && !made.model.discoveries) made.complete = false;
  if (how.correlation) made.model.clusters = find_clusters(made.model, data, *how.correlation);
  made.out_of_time = !made.complete && !(observer != nullptr && observer->stop_requested());
  return made;
}

}  // namespace medlar
