// See the header.
#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bounds.hpp"
#include "contestant.hpp"
#include "medlar/error.hpp"

namespace medlar::bench {

namespace {

using nlohmann::json;

// A contestant at the tolerance chosen for it.
struct Entry {
  std::string id;  // as the spec calls it
  std::unique_ptr<Contestant> who;
  double tolerance = 0;
  double first_seconds = HUGE_VAL;  // of the fit that the tolerance was chosen by
  double gap = HUGE_VAL;            // that it reached
  bool accurate = false;
  bool estimated = false;  // the gap is to the least value known, not to a proved bound
  std::string why_not;
  std::vector<Outcome> visits;
  std::vector<std::string> roles;  // of one solver at several bias values: "kindest", "B = 1"
};

constexpr const char* kExhausted = "its limit of iterations";
constexpr double kRounding = 1e-9;  // of sums over the data

void say(const std::string& line) {
  std::fprintf(stderr, "  %s\n", line.c_str());
}

struct Try {
  double tolerance, seconds, value;  // F
};

// Two fits that differ, and hardly: the optimum is near, though no bound proves it.
bool settled(const std::vector<Try>& tries, double accuracy) {
  if (tries.size() < 2) return false;
  const double last = tries.back().value, before = tries[tries.size() - 2].value;
  return last != before && std::abs(last - before) <= 0.2 * accuracy * last;
}

// Fits from the loosest tolerance on, until one proves itself accurate. The gap of a lasso is of first order in the
// error of the weights, so the proof may come late and then serve the earlier fits. With a free bias it comes too late,
// and a bound by our own fit may fail: then two fits that agree end the search.
std::vector<Try> search(Entry& entry, const ContestSet& set, Bounds& bounds, const ContestRules& rules, double& bound) {
  const PeerProblem& problem = *entry.who->problem;
  const bool proves_itself = problem.smooth() && problem.bias == PeerBias::penalised;
  std::vector<Try> tries;
  double spent = 0;
  for (const double tolerance : entry.who->tolerances) {
    const Outcome outcome = entry.who->run(tolerance, rules.limit_seconds);
    entry.why_not = outcome.ok() ? "" : outcome.end;
    if (!outcome.ok()) return tries;
    const double value = primal(problem, set, outcome.w, outcome.bias);
    bound = bounds.after(problem, outcome);
    if (value < bound * (1 - kRounding)) {
      throw Error(fmt::format("{}: F = {:.17g} lies below its bound {:.17g}; a certificate of the comparison is wrong",
                              entry.who->name, value, bound));
    }
    tries.push_back({tolerance, outcome.seconds, value});
    if (value - bound <= rules.accuracy * value) return tries;
    if (!proves_itself && settled(tries, rules.accuracy)) return tries;
    entry.why_not = outcome.exhausted ? kExhausted : "time limit";
    if (outcome.exhausted || (spent += outcome.seconds) > 3 * rules.limit_seconds) return tries;
  }
  entry.why_not = "its least tolerance";
  return tries;
}

// The loosest tolerance that the best bound certifies; failing that, that the least value of a settled search confirms.
void calibrate(Entry& entry, const ContestSet& set, Bounds& bounds, const ContestRules& rules) {
  double bound = -HUGE_VAL;
  const std::vector<Try> tries = search(entry, set, bounds, rules, bound);
  const bool certified = !tries.empty() && tries.back().value - bound <= rules.accuracy * tries.back().value;
  entry.estimated = !certified && settled(tries, rules.accuracy);
  if (entry.estimated) bound = std::max(bound, (1 - 0.2 * rules.accuracy) * tries.back().value);
  for (const Try& one : tries) {
    const double gap = (one.value - bound) / one.value;
    if (entry.accurate || gap > entry.gap) continue;
    entry.tolerance = one.tolerance;
    entry.first_seconds = one.seconds;
    entry.gap = gap;
    entry.accurate = gap <= rules.accuracy;
  }
  if (entry.accurate) entry.why_not.clear();
  say(fmt::format("{} at tolerance {:g}: gap {:.1e}{}, {:.3g} s{}{}", entry.who->name, entry.tolerance, entry.gap,
                  entry.estimated ? " (estimated)" : "", entry.first_seconds, entry.accurate ? "" : ", stopped by ",
                  entry.why_not));
}

bool kinder(const Entry& a, const Entry& b) {
  if (a.accurate != b.accurate) return a.accurate;
  return a.accurate ? a.first_seconds < b.first_seconds : a.gap < b.gap;
}

// One solver of LIBLINEAR at several bias values: the kindest to it enters, and 1. Once a value serves, another has
// twice its time to be kinder; where two have met LIBLINEAR's limit of iterations, so would the others.
std::vector<Entry> liblinear_entries(const std::shared_ptr<LiblinearRows>& rows, const json& spec,
                                     const ContestSet& set, Bounds& bounds, const ContestRules& rules) {
  std::vector<Entry> candidates, chosen;
  ContestRules hurried = rules;
  int exhausted = 0;
  for (const json& value : spec.at("biases")) {
    const double bias = value.is_number() ? value.get<double>() : set.row_length;
    const bool is_one = bias == 1;
    if (value.is_string() && std::abs(bias - 1) < 0.1) continue;  // 1 is tried already
    if (exhausted == 2 && !is_one) continue;
    Entry& entry = candidates.emplace_back();
    entry.who = liblinear_contestant(rows, spec.at("solver").get<int>(), spec.at("c").get<double>(), bias,
                                     spec.value("epsilon", 0.0));
    calibrate(entry, set, bounds, is_one ? rules : hurried);
    if (is_one) entry.roles.push_back("B = 1");
    if (entry.why_not == kExhausted) ++exhausted;
    if (entry.accurate) hurried.limit_seconds = std::min(hurried.limit_seconds, 2 * entry.first_seconds + 0.1);
  }
  const auto kindest = std::min_element(candidates.begin(), candidates.end(), kinder);
  kindest->roles.push_back("kindest");
  for (Entry& entry : candidates) {
    if (!entry.roles.empty()) chosen.push_back(std::move(entry));
  }
  return chosen;
}

// Weights that count: above a thousandth of the largest. Ours are never exactly 0.
long large_weights(const std::vector<double>& w) {
  double largest = 0;
  for (const double wi : w) largest = std::max(largest, std::abs(wi));
  return std::count_if(w.begin(), w.end(), [&](double wi) { return std::abs(wi) > 1e-3 * largest; });
}

json result_of(const Entry& entry) {
  json result{{"id", entry.id}, {"name", entry.who->name}, {"roles", entry.roles}, {"tolerance", entry.tolerance}};
  result["why_not"] = entry.why_not;
  if (entry.visits.empty()) return result;
  std::vector<double> seconds;
  for (const Outcome& outcome : entry.visits) {
    if (outcome.ok()) seconds.push_back(outcome.seconds);
  }
  const Outcome& last = entry.visits.back();
  if (!seconds.empty()) result["seconds"] = *std::min_element(seconds.begin(), seconds.end());
  if (!last.ok()) result["why_not"] = last.end;
  result["visits"] = seconds;
  result["accurate"] = last.ok() && (entry.who->problem ? entry.accurate : last.status == "converged");
  const double gap = entry.who->problem ? entry.gap : last.relative_gap;
  if (std::isfinite(gap) && !(last.status.empty() && !last.ok())) result["gap"] = gap;
  result["estimated"] = entry.estimated;
  result["passes"] = last.passes;
  result["peak_mb"] = last.peak_mb;
  result["weights"] = large_weights(last.w);
  result["status"] = last.status;
  result["solver"] = last.solver;
  return result;
}

void run_rounds(std::vector<Entry>& entries, const ContestRules& rules) {
  for (int round = 0; round < rules.rounds; ++round) {
    for (Entry& entry : entries) {
      const bool gave_up = !entry.visits.empty() && !entry.visits.back().ok();
      const bool hopeless = entry.who->problem && !std::isfinite(entry.gap);
      if (gave_up || hopeless) continue;
      entry.visits.push_back(entry.who->run(entry.tolerance, rules.limit_seconds));
      const Outcome& last = entry.visits.back();
      say(fmt::format("round {}: {} {:.4g} s {}", round + 1, entry.who->name, last.seconds,
                      last.ok() ? last.status : last.end));
    }
  }
}

}  // namespace

json hold_contest(const ContestSet& set, const json& contestants, const ContestRules& rules) {
  std::shared_ptr<LiblinearRows> kept_rows;
  const auto rows = [&] { return kept_rows ? kept_rows : kept_rows = liblinear_rows(set); };
  Bounds bounds(set, rules.bounds_file, 4 * rules.limit_seconds);
  bool exported = false;
  std::vector<Entry> entries;
  for (const json& spec : contestants) {
    const std::string kind = spec.at("kind").get<std::string>();
    std::vector<Entry> more;
    if (kind == "medlar") {
      more.emplace_back().who = medlar_contestant(set, spec.at("settings"));
      more.back().tolerance = more.back().who->tolerances.front();
    } else if (kind == "liblinear") {
      more = liblinear_entries(rows(), spec, set, bounds, rules);
    } else {
      if (kind == "program" && !exported) export_set(set, rules.folder), exported = true;
      more.emplace_back().who = kind == "libsvm" ? libsvm_contestant(set, spec.at("c").get<double>())
                                                 : program_contestant(set, spec, rules.folder);
      calibrate(more.back(), set, bounds, rules);
    }
    for (Entry& entry : more) {
      entry.id = spec.at("id").get<std::string>();
      entries.push_back(std::move(entry));
    }
  }
  run_rounds(entries, rules);
  json results = json::array();
  for (const Entry& entry : entries) results.push_back(result_of(entry));
  return results;
}

}  // namespace medlar::bench
