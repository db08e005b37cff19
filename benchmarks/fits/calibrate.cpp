#include "calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"

namespace medlar::bench {

namespace {

constexpr double kRounding = 1e-9;  // of sums over the data

struct Try {
  double tolerance, seconds, value;  // F
  bool exhausted;                    // cut short: says nothing about the one before it
};

double excess(double value, double bound) {
  return (value - bound) / value;
}

// A later fit that ended by itself, differs, and is hardly better.
bool confirms(const Try& later, const Try& earlier, double accuracy) {
  return !later.exhausted && later.value != earlier.value &&
         std::abs(later.value - earlier.value) <= 0.2 * accuracy * earlier.value;
}

// Fits from the loosest tolerance on, until one is proved accurate. The gap of a lasso is of first order in the error
// of the weights, so the proof may come late and then serve the earlier fits. With a free bias it comes too late, and
// our own fit may fail to bound a loss with a kink: then two fits that agree end the search.
std::vector<Try> search(Entry& entry, const ContestSet& set, Bounds& bounds, double accuracy, double limit_seconds,
                        Bound& bound) {
  const PeerProblem& problem = *entry.who->problem;
  const bool proves_itself = problem.smooth() && problem.bias == PeerBias::penalised;
  if (!problem.smooth()) bound = bounds.from_our_fit(problem);
  std::vector<Try> tries;
  double spent = 0;
  for (const double tolerance : entry.who->tolerances) {
    const Outcome outcome = entry.who->run(tolerance, limit_seconds);
    entry.why_not = outcome.ok() ? "" : outcome.end;
    if (!outcome.ok()) return tries;
    bound.value = std::max(bound.value, bounds.from_weights(problem, outcome));
    const double value = primal(problem, set, outcome.w, outcome.bias);
    tries.push_back({tolerance, outcome.seconds, value, outcome.exhausted});
    if (excess(value, bound.value) <= accuracy) return tries;
    entry.why_not = outcome.exhausted ? kExhausted : "time limit";
    if (outcome.exhausted || (spent += outcome.seconds) > 3 * limit_seconds) return tries;
    const bool agreed = tries.size() > 1 && confirms(tries.back(), tries[tries.size() - 2], accuracy);
    if (agreed && !proves_itself && !bound.precise) return tries;
  }
  entry.why_not = "its least tolerance";
  return tries;
}

void choose(Entry& entry, const Try& one, const Bound& bound, Accuracy known) {
  entry.tolerance = one.tolerance;
  entry.first_seconds = one.seconds;
  entry.gap = excess(one.value, bound.value);
  entry.accuracy = known;
  if (entry.usable()) entry.why_not.clear();
}

}  // namespace

std::string to_string(Accuracy accuracy) {
  constexpr const char* kWords[] = {"proved", "confirmed", "unknown", "inaccurate"};
  return kWords[static_cast<int>(accuracy)];
}

void calibrate(Entry& entry, const ContestSet& set, Bounds& bounds, double accuracy, double limit_seconds) {
  Bound bound;
  const std::vector<Try> tries = search(entry, set, bounds, accuracy, limit_seconds, bound);
  if (tries.empty()) return;
  const auto least = std::min_element(tries.begin(), tries.end(), [](auto& a, auto& b) { return a.value < b.value; });
  if (excess(least->value, bound.value) > accuracy && !bound.precise) {
    const Bound ours = bounds.from_our_fit(*entry.who->problem);
    if (ours.precise || ours.value > bound.value) bound = {std::max(ours.value, bound.value), ours.precise};
  }
  if (least->value < bound.value * (1 - kRounding)) {
    throw Error(fmt::format("{}: F = {:.17g} lies below its bound {:.17g}; a certificate of the comparison is wrong",
                            entry.who->name, least->value, bound.value));
  }
  for (const Try& one : tries) {
    if (excess(one.value, bound.value) <= accuracy) return choose(entry, one, bound, Accuracy::proved);
  }
  if (bound.precise) return choose(entry, *least, bound, Accuracy::inaccurate);
  for (auto one = tries.begin(); one != tries.end(); ++one) {
    if (excess(one->value, least->value) > accuracy) continue;
    const bool confirmed =
        std::any_of(one + 1, tries.end(), [&](const Try& later) { return confirms(later, *one, 5 * accuracy); });
    return choose(entry, *one, bound, confirmed ? Accuracy::confirmed : Accuracy::unknown);
  }
}

}  // namespace medlar::bench
