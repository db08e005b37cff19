#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bounds.hpp"
#include "calibrate.hpp"
#include "contestant.hpp"

namespace medlar::bench {

namespace {

using nlohmann::json;

void say(const std::string& line) {
  std::fprintf(stderr, "  %s\n", line.c_str());
}

void calibrate_and_say(Entry& entry, const ContestSet& set, Bounds& bounds, double accuracy, double limit_seconds) {
  calibrate(entry, set, bounds, accuracy, limit_seconds);
  say(fmt::format("{} at tolerance {:g}: accuracy {}, gap at most {:.1e}, {:.3g} s{}{}", entry.who->name,
                  entry.tolerance, to_string(entry.accuracy), entry.gap, entry.first_seconds,
                  entry.usable() ? "" : ", stopped by ", entry.why_not));
}

bool kinder(const Entry& a, const Entry& b) {
  const auto rank = [](const Entry& entry) { return entry.usable() ? 0 : entry.accuracy == Accuracy::unknown ? 1 : 2; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a.accuracy == Accuracy::inaccurate ? a.gap < b.gap : a.first_seconds < b.first_seconds;
}

// One solver of LIBLINEAR at several bias values: the kindest to it enters, and 1. Once a value serves, another has
// twice its time to be kinder; where two have met LIBLINEAR's limit of iterations, so would the others.
std::vector<Entry> liblinear_entries(const std::shared_ptr<LiblinearRows>& rows, const json& spec,
                                     const ContestSet& set, Bounds& bounds, const ContestRules& rules) {
  std::vector<Entry> candidates, chosen;
  double hurried = rules.limit_seconds;
  int exhausted = 0;
  for (const json& value : spec.at("biases")) {
    const double bias = value.is_number() ? value.get<double>() : set.row_length;
    const bool is_one = bias == 1;
    if (value.is_string() && std::abs(bias - 1) < 0.1) continue;  // 1 is tried already
    if (exhausted == 2 && !is_one) continue;
    Entry& entry = candidates.emplace_back();
    entry.who = liblinear_contestant(rows, spec.at("solver").get<int>(), spec.at("c").get<double>(), bias,
                                     spec.value("epsilon", 0.0));
    calibrate_and_say(entry, set, bounds, rules.accuracy, is_one ? rules.limit_seconds : hurried);
    if (is_one) entry.roles.push_back("B = 1");
    if (entry.why_not == kExhausted) ++exhausted;
    if (entry.usable()) hurried = std::min(hurried, 2 * entry.first_seconds + 0.1);
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

// Time, gap and status are of one visit: the fastest that ended by itself, or the last if none did.
const Outcome& told_by(const Entry& entry) {
  const Outcome* best = nullptr;
  for (const Outcome& outcome : entry.visits) {
    if (outcome.ok() && (!best || outcome.seconds < best->seconds)) best = &outcome;
  }
  return best ? *best : entry.visits.back();
}

json result_of(const Entry& entry) {
  json result{{"id", entry.id}, {"name", entry.who->name}, {"roles", entry.roles}, {"tolerance", entry.tolerance}};
  result["why_not"] = entry.why_not;
  const bool ours = !entry.who->problem;
  if (!ours) result["accuracy"] = to_string(entry.accuracy);
  if (entry.visits.empty()) return result;
  const Outcome& told = told_by(entry);
  std::vector<double> seconds;
  for (const Outcome& outcome : entry.visits) {
    if (outcome.ok()) seconds.push_back(outcome.seconds);
    result["peak_mb"] = std::max(result.value("peak_mb", 0.0), outcome.peak_mb);
  }
  result["visits"] = seconds;
  if (told.ok())
    result["seconds"] = told.seconds;
  else
    result["why_not"] = told.end;
  if (ours) result["accuracy"] = told.ok() && told.status == "converged" ? "proved" : "inaccurate";
  const double gap = ours ? told.relative_gap : entry.gap;
  if (std::isfinite(gap) && (told.ok() || !told.status.empty())) result["gap"] = gap;
  result["passes"] = told.passes;
  result["weights"] = large_weights(told.w);
  result["status"] = told.status;
  result["solver"] = told.solver;
  return result;
}

void run_rounds(std::vector<Entry>& entries, const ContestRules& rules) {
  for (int round = 0; round < rules.rounds; ++round) {
    for (Entry& entry : entries) {
      const bool gave_up = !entry.visits.empty() && !entry.visits.back().ok();
      const bool hopeless = entry.who->problem && !std::isfinite(entry.first_seconds);
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
      calibrate_and_say(more.back(), set, bounds, rules.accuracy, rules.limit_seconds);
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
