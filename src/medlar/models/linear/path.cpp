// A sweep over one setting of a linear model, each fit begun from the one before it (docs/theory.md#paths).
#include "medlar/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/models/checks.hpp"
#include "medlar/models/linear/path_fits.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/preparing.hpp"

namespace medlar {
namespace {

void set_swept(Settings& settings, Swept over, double value) {
  if (over == Swept::p0) {
    settings.p0 = value;
  } else if (over == Swept::c) {
    settings.c = value;
  } else {
    settings.prior_variance = value;
  }
}

void require_path(const Settings& settings) {
  if (settings.model != ModelKind::linear) {
    throw OptionError(fmt::format("a path fits linear models, but model = {}; use --model linear", settings.model));
  }
  if (settings.task == Task::anomaly) throw OptionError("a path needs a target, but task = anomaly; use train");
}

// Each value is checked as the option of that name is.
void check_values(const Settings& settings, Swept over, std::span<const double> values) {
  require_path(settings);
  if (values.empty()) throw OptionError("a path needs at least one value");
  Settings tried = settings;
  for (const double value : values) {
    set_swept(tried, over, value);
    check_settings(tried);
  }
}

constexpr double kNothing = 1e-6;     // a change of the coefficients, of their size, that is none
constexpr double kFinest = 1.0 / 16;  // of an even step, below which none is halved
constexpr double kGone = 1e-9;        // coefficients, of those of the first step, that are none

// All coefficients, of several classes those of each.
const std::vector<double>& coefficients_of(const PathStep& step) {
  return step.classes ? step.classes->coefficient : step.coefficient;
}

double size_of(const PathStep& step) {
  double squares = 0;
  for (const double w : coefficients_of(step)) squares += w * w;
  return std::sqrt(squares);
}

// || w' - w || / max || w ||; 0 where both are 0.
double change(const PathStep& a, const PathStep& b) {
  const std::vector<double>&from = coefficients_of(a), &to = coefficients_of(b);
  double difference = 0;
  for (std::size_t i = 0; i < from.size(); ++i) difference += std::pow(to[i] - from[i], 2);
  const double size = std::max(size_of(a), size_of(b));
  return size > 0 ? std::sqrt(difference) / size : 0;
}

Path begun_path(const LinearFit& fit, Swept over) {
  Path path;
  path.over = over;
  path.names = fit.names();
  if (fit.labels().size() > 2) path.labels = fit.labels();
  path.settings = fit.settings();
  return path;
}

// What is left of the seconds for the whole path, and whether a fit ended it.
class PathTime {
 public:
  explicit PathTime(double most) : most_(most), start_(std::chrono::steady_clock::now()) {}
  double left() const { return std::max(0.0, most_ - spent()); }
  bool ended(const Report& report) const {
    return report.status == Status::interrupted || (report.status == Status::limit && spent() >= most_);
  }

 private:
  double spent() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double most_;
  std::chrono::steady_clock::time_point start_;
};

// Calls `step` after the solve of each value. False: the observer or the time ended the path before the last.
template <class Step>
bool along(PathFits& fits, Swept over, std::span<const double> values, Observer* observer, Step step) {
  Settings settings = fits.fit().settings();
  const PathTime time(settings.max_seconds);
  for (std::size_t k = 0; k < values.size(); ++k) {
    set_swept(settings, over, values[k]);
    settings.max_seconds = time.left();
    const Report& report = fits.next(settings, values[k], observer);
    step();
    if (time.ended(report)) return k + 1 == values.size();
  }
  return true;
}

}  // namespace

PathRange usual_range(const Dataset& data, const Settings& settings, Swept over) {
  check_dataset(data);
  require_path(settings);
  if (over == Swept::p0) return {};
  Settings usual = settings;
  usual.c.reset();
  usual.prior_variance.reset();
  usual = linear_fit(data, usual)->settings();
  if (over == Swept::prior_variance) return {10 * *usual.prior_variance, 1e-4 * *usual.prior_variance};
  if (usual.task == Task::regress) return {10 * *usual.c, 0.01 * *usual.c};  // the default is 10 / sd(y)
  const double location = usual.margin_location.value_or(1);                 // 1 where it has no use
  return {100 / location, (usual.margin == MarginKind::exponential ? 1.1 : 0.01) / location};
}

std::vector<double> even_values(PathRange range, Index count) {
  if (count < 1) throw OptionError(fmt::format("a path needs at least one value, but {} were asked for", count));
  std::vector<double> values{range.from};
  const double from = std::log10(range.from), to = std::log10(range.to);  // so that powers of ten are met exactly
  for (Index k = 1; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(k + 1 == count ? range.to : std::pow(10, from + (to - from) * share));
  }
  return values;
}

std::vector<double> usual_p0_path(Index count) {
  return even_values({}, count);
}

Path fit_path(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
              Observer* observer) {
  check_dataset(data);
  check_values(settings, over, values);
  set_linear_algebra_threads(settings.threads);
  return heard_by(observer, [&] {
    PathFits fits(data, settings, over);
    Path path = begun_path(fits.fit(), over);
    path.complete = along(fits, over, values, observer, [&] {
      path.steps.push_back(fits.step());
      set_swept(path.settings, over, path.steps.back().value);
    });
    return path;
  });
}

// Half of the steps are evenly spaced, each begun from the ones before it; each of the others halves the gap across
// which the coefficients change most, and begins between its two neighbours.
Path fit_adaptive_path(const Dataset& data, const Settings& settings, Swept over, PathRange range, Index steps,
                       Observer* observer) {
  check_dataset(data);
  const auto [from, to] = range;
  const double ends[] = {from, to};
  check_values(settings, over, ends);
  if (steps < 2) throw OptionError(fmt::format("a path needs at least two steps, but {} were asked for", steps));
  set_linear_algebra_threads(settings.threads);
  PathFits fits(data, settings, over);
  Path path = begun_path(fits.fit(), over);
  std::vector<double> moved;  // from each step to the next
  Settings tried = fits.fit().settings();
  const PathTime time(tried.max_seconds);
  const auto add = [&](double value, std::size_t place) {
    set_swept(tried, over, value);
    tried.max_seconds = time.left();
    path.complete = !time.ended(fits.insert(tried, value, place, observer));
    const auto at = static_cast<std::ptrdiff_t>(place);
    path.steps.insert(path.steps.begin() + at, fits.step());
    if (place > 0) moved.insert(moved.begin() + at - 1, change(path.steps[place - 1], path.steps[place]));
    if (place < moved.size()) moved[place] = change(path.steps[place], path.steps[place + 1]);
    return path.complete;
  };
  const Index even = std::max<Index>(2, (steps + 1) / 2);
  for (const double value : even_values(range, even)) {
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

void fit_along(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
               const OnModel& on_model, Observer* observer) {
  check_dataset(data);
  check_values(settings, over, values);
  set_linear_algebra_threads(settings.threads);
  heard_by(observer, [&] {
    PathFits fits(data, settings, over);
    along(fits, over, values, observer, [&] { on_model(fits.model()); });
  });
}

}  // namespace medlar
