// A sweep over one setting of the linear model, each fit begun from the one before it (theory 11).
#include "medlar/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/model/checks.hpp"
#include "medlar/model/linear_fit.hpp"
#include "medlar/model/preparing.hpp"

namespace medlar {
namespace {

void set_swept(Settings& settings, std::string_view over, double value) {
  if (over == "p0") {
    settings.p0 = value;
  } else if (over == "c") {
    settings.c = value;
  } else {
    settings.prior_variance = value;
  }
}

// Each value is checked as the option of that name is.
void check_values(const Settings& settings, std::string_view over, std::span<const double> values) {
  if (over != "p0" && over != "c" && over != "prior-variance") {
    throw OptionError(fmt::format("a path over '{}' is not known; use p0, c or prior-variance", over));
  }
  if (values.empty()) throw OptionError("a path needs at least one value");
  if (settings.model != "linear") {
    throw OptionError(fmt::format("a path fits linear models, but model = {}; use --model linear", settings.model));
  }
  Settings tried = settings;
  for (const double value : values) {
    set_swept(tried, over, value);
    check_settings(tried);
  }
}

// How far to go on for `next`, of the change of the multipliers from `before` to `last`.
double reach(double before, double last, double next) {
  const double done = std::log(last / before), ahead = std::log(next / last);
  return done * ahead > 0 ? std::min(ahead / done, 2.0) : 0;
}

bool even(double reach) {
  return std::abs(reach - 1) < 1e-6;
}

constexpr double kNothing = 1e-6;     // a change of the coefficients, of their size, that is none
constexpr double kFinest = 1.0 / 16;  // of an even step, below which none is halved
constexpr double kGone = 1e-9;        // coefficients, of those of the first step, that are none

double size_of(const PathStep& step) {
  double squares = 0;
  for (const double w : step.coefficient) squares += w * w;
  return std::sqrt(squares);
}

// || w' - w || / max || w ||; 0 where both are 0.
double change(const PathStep& a, const PathStep& b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.coefficient.size(); ++i) {
    difference += std::pow(b.coefficient[i] - a.coefficient[i], 2);
  }
  const double size = std::max(size_of(a), size_of(b));
  return size > 0 ? std::sqrt(difference) / size : 0;
}

PathStep step_of(const LinearFit& linear, const Settings& tried, double value, const Solution& solution) {
  PathStep step;
  step.value = value;
  step.bias = linear.bias(solution);
  step.training_error = linear.training_error(solution);
  for (const Feature& feature : linear.features(tried, solution)) {
    step.inclusion.push_back(feature.inclusion);
    step.coefficient.push_back(feature.coefficient);
    step.selected += feature.inclusion > 0.5 ? 1 : 0;
  }
  for (const double beta : solution.dual.beta) step.support += beta != 0 ? 1 : 0;
  step.report = solution.report;
  return step;
}

// Calls `step` with the settings and the solution of each value; false ends the path.
template <class Step>
bool along(const LinearFit& linear, std::string_view over, std::span<const double> values, Observer* observer,
           Step step) {
  const auto start = std::chrono::steady_clock::now();
  Settings settings = linear.settings();
  const double most_seconds = settings.max_seconds;
  Neighbour from;
  for (std::size_t k = 0; k < values.size(); ++k) {
    set_swept(settings, over, values[k]);
    from.reach = k > 1 ? reach(values[k - 2], values[k - 1], values[k]) : 0;
    if (k < 3 || !even(from.reach) || !even(reach(values[k - 3], values[k - 2], values[k - 1]))) from.earlier = {};
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    settings.max_seconds = std::max(0.0, most_seconds - spent.count());
    Solution solution = linear.solve(settings, observer, k > 0 ? &from : nullptr);
    const Status status = solution.report.status;
    step(settings, solution);
    if (status == Status::interrupted || (status == Status::limit && spent.count() >= most_seconds)) {
      return k + 1 == values.size();
    }
    if (from.foretells()) from.straight = from.is_straight(solution.dual.lambda);
    from.earlier = std::exchange(from.before, over == "c" ? DualPoint{} : std::move(from.dual));
    from.dual = std::move(solution.dual);
    from.primal = std::move(solution.primal);
    from.same_margins = over != "c";
    from.rows = std::move(solution.rows);
    from.columns = std::move(solution.columns);
    from.gram = std::move(solution.gram);
    from.curved = std::move(solution.curved);
  }
  return true;
}

}  // namespace

std::vector<double> usual_p0_path(Index count) {
  if (count < 1) throw OptionError(fmt::format("a path needs at least one value, but {} were asked for", count));
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) {
    values.push_back(count == 1 ? 1 : std::pow(10, -8.0 * static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  return values;
}

Path fit_path(const Dataset& data, const Settings& settings, std::string_view over, std::span<const double> values,
              Observer* observer) {
  check_dataset(data);
  check_values(settings, over, values);
  set_linear_algebra_threads(settings.threads);
  return heard_by(observer, [&] {
    const LinearFit linear(data, settings);
    Path path;
    path.over = over;
    path.names = linear.names();
    path.settings = linear.settings();
    path.complete = along(linear, over, values, observer, [&](const Settings& tried, const Solution& solution) {
      path.steps.push_back(step_of(linear, tried, values[path.steps.size()], solution));
      set_swept(path.settings, over, path.steps.back().value);
    });
    return path;
  });
}

// Half of the steps are evenly spaced, each begun from the ones before it; each of the others halves the gap across
// which the coefficients change most, and begins between its two neighbours.
Path fit_adaptive_path(const Dataset& data, const Settings& settings, std::string_view over, double from, double to,
                       Index steps, Observer* observer) {
  check_dataset(data);
  const double ends[] = {from, to};
  check_values(settings, over, ends);
  if (steps < 2) throw OptionError(fmt::format("a path needs at least two steps, but {} were asked for", steps));
  set_linear_algebra_threads(settings.threads);
  const LinearFit linear(data, settings);
  Path path;
  path.over = over;
  path.names = linear.names();
  path.settings = linear.settings();
  std::vector<Neighbour> solved;  // beside path.steps
  std::vector<double> moved;      // from each step to the next
  Neighbour prepared;             // what the steps share
  const auto start = std::chrono::steady_clock::now();
  Settings tried = linear.settings();
  const double most_seconds = tried.max_seconds;
  const auto begun = [&](double value, std::size_t place) {
    Neighbour& before = solved[place - 1];
    const bool between = place < solved.size();
    before.rows = prepared.rows;
    before.gram = prepared.gram;
    before.curved = prepared.curved;
    before.columns = between ? nullptr : prepared.columns;
    before.before = {};
    if (over == "c" || (!between && place < 2)) return &before;
    before.before = solved[between ? place : place - 2].dual;
    before.reach = between ? -0.5 : reach(path.steps[place - 2].value, path.steps[place - 1].value, value);
    return &before;
  };
  const auto add = [&](double value, std::size_t place) {
    set_swept(tried, over, value);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    tried.max_seconds = std::max(0.0, most_seconds - spent.count());
    Solution solution = linear.solve(tried, observer, place > 0 ? begun(value, place) : nullptr);
    const Status status = solution.report.status;
    const auto at = static_cast<std::ptrdiff_t>(place);
    path.steps.insert(path.steps.begin() + at, step_of(linear, tried, value, solution));
    if (place > 0) moved.insert(moved.begin() + at - 1, change(path.steps[place - 1], path.steps[place]));
    if (place < moved.size()) moved[place] = change(path.steps[place], path.steps[place + 1]);
    Neighbour next;
    next.dual = std::move(solution.dual);
    next.primal = std::move(solution.primal);
    next.same_margins = over != "c";
    solved.insert(solved.begin() + at, std::move(next));
    prepared.rows = std::move(solution.rows);
    prepared.columns = std::move(solution.columns);
    prepared.gram = std::move(solution.gram);
    prepared.curved = std::move(solution.curved);
    path.complete = status != Status::interrupted && !(status == Status::limit && spent.count() >= most_seconds);
    return path.complete;
  };
  const Index even = std::max<Index>(2, (steps + 1) / 2);
  for (Index k = 0; k < even; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(even - 1);
    const double value = k + 1 == even ? to : from * std::pow(to / from, share);
    if (!add(value, path.steps.size())) return path;
    if (size_of(path.steps.back()) <= kGone * size_of(path.steps.front())) break;  // nothing is left to change
  }
  // A jump that is no wider than a sixteenth of an even step is one of the tolerance, not of the path.
  const double finest = kFinest * std::abs(std::log(to / from)) / static_cast<double>(even);
  while (std::ssize(path.steps) < steps) {
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (std::abs(std::log(path.steps[k + 1].value / path.steps[k].value)) < finest) moved[k] = 0;
    }
    const auto widest = std::max_element(moved.begin(), moved.end());
    if (widest == moved.end() || *widest <= kNothing) break;
    const auto place = static_cast<std::size_t>(widest - moved.begin()) + 1;
    const double middle = std::sqrt(path.steps[place - 1].value * path.steps[place].value);
    if (!add(middle, place)) break;
  }
  set_swept(path.settings, over, path.steps.back().value);
  return path;
}

void fit_along(const Dataset& data, const Settings& settings, std::string_view over, std::span<const double> values,
               const OnModel& on_model, Observer* observer) {
  check_dataset(data);
  check_values(settings, over, values);
  set_linear_algebra_threads(settings.threads);
  heard_by(observer, [&] {
    const LinearFit linear(data, settings);
    along(linear, over, values, observer,
          [&](const Settings& tried, const Solution& solution) { on_model(linear.model(tried, solution)); });
  });
}

}  // namespace medlar
