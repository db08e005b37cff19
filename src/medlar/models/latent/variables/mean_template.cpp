// EM finds only a local maximum, so many starts are tried, but each step costs a pass over all maps of all rows. Starts
// are therefore judged on a sample, after few steps. A feature that never varied would otherwise get variance 0 and
// decide everything by itself.
#include "medlar/models/latent/variables/mean_template.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/models/latent/variables/witnesses.hpp"

namespace medlar {
namespace {

constexpr int kMostTemplateRounds = 100;
constexpr int kTrialRounds = 5;            // enough to see whether one start explains the examples better
constexpr Index kStarts = 8;               // examples that are tried as templates
constexpr Index kSample = 200;             // examples that judge them
constexpr double kVarianceSettled = 1e-6;  // relative change of the variances that ends EM
constexpr double kNegligible = 1e-17;      // a weight that changes no sum
constexpr double kLeastSpread = 1e-3;      // of the mean variance: a feature that never varied may still vary

// All maps of every row, one after the other: kept, or computed each time they are asked for.
class MappedRows {
 public:
  MappedRows(const Maps& maps, const Matrix& x, bool keep) : maps_(maps), x_(x) {
    if (!keep) return;
    const Matrix all = maps.apply_all(x);
    for (Index k = 0; k < all.rows(); ++k) {
      const std::vector<double> row = dense_row(all, k);
      kept_.insert(kept_.end(), row.begin(), row.end());
    }
  }
  const Maps& maps() const { return maps_; }
  Index rows() const { return x_.rows(); }

  // Calls visit(t, all maps of row t).
  template <class Visit>
  void for_each(Visit visit) const {
    const auto n = static_cast<std::size_t>(maps_.features()), width = maps_.count() * n;
    std::vector<double> mapped(kept_.empty() ? width : 0);
    for (Index t = 0; t < x_.rows(); ++t) {
      if (!kept_.empty()) {
        visit(t, std::span<const double>(kept_).subspan(static_cast<std::size_t>(t) * width, width));
        continue;
      }
      const std::vector<double> row = dense_row(x_, t);
      for (std::size_t map = 0; map < maps_.count(); ++map) maps_.apply(map, row, {mapped.data() + map * n, n});
      visit(t, std::span<const double>(mapped));
    }
  }

 private:
  const Maps& maps_;
  Matrix x_;  // copies share what they hold
  std::vector<double> kept_;
};

// sum_i (a_i - b_i)^2 scale_i
double scaled_distance(std::span<const double> a, std::span<const double> b, std::span<const double> scale) {
  double sums[4] = {0, 0, 0, 0};  // four sums in one vector
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]) * scale[i + k];
  }
  for (; i < a.size(); ++i) sums[0] += (a[i] - b[i]) * (a[i] - b[i]) * scale[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<double> MeanTemplate::posterior(std::span<const double> mapped, double* log_sum) const {
  const std::size_t n = mean.size(), count = mapped.size() / n;
  std::vector<double> weight(count), precision(n);
  for (std::size_t i = 0; i < n; ++i) precision[i] = 1 / variance[i];
  for (std::size_t map = 0; map < count; ++map) {
    weight[map] = -0.5 * scaled_distance(mapped.subspan(map * n, n), mean, precision);
  }
  const double largest = *std::max_element(weight.begin(), weight.end());
  double sum = 0;
  for (double& each : weight) sum += each = std::exp(each - largest);
  for (double& each : weight) each /= sum;
  if (log_sum != nullptr) *log_sum = largest + std::log(sum);
  return weight;
}

namespace {

// One variance for all features until the examples are roughly in place, then one for each feature. Features that
// hardly vary, such as empty pixels around a figure, then say most about its place.
enum class Variances { common, own };

// The log-density of the mixture over all maps, up to terms that no template changes, and one step of EM from there.
struct TemplateStep {
  double log_likelihood = 0;
  MeanTemplate next;
};

// Each variance counts the mean variance as one more example.
std::vector<double> template_variances(std::vector<double> variance, double examples, Variances variances) {
  for (double& each : variance) each = std::max(each, 0.0);
  const double common = mean_of(variance);
  for (double& each : variance) {
    each = variances == Variances::common
               ? common
               : std::max((examples * each + common) / (examples + 1), kLeastSpread * common);
  }
  return variance;
}

TemplateStep em_step(const MeanTemplate& about, const MappedRows& rows, Variances variances) {
  const auto n = static_cast<std::size_t>(rows.maps().features());
  const double examples = static_cast<double>(rows.rows());
  TemplateStep step;
  step.next.mean.assign(n, 0.0);
  std::vector<double> squares(n, 0.0);  // mean over examples of E[(T_U x)_i^2]
  rows.for_each([&](Index, std::span<const double> mapped) {
    double log_sum = 0;
    const std::vector<double> weight = about.posterior(mapped, &log_sum);
    step.log_likelihood += log_sum;
    for (std::size_t map = 0; map < weight.size(); ++map) {
      if (weight[map] < kNegligible) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const double value = mapped[map * n + i];
        step.next.mean[i] += weight[map] * value / examples;
        squares[i] += weight[map] * value * value / examples;
      }
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    step.log_likelihood -= 0.5 * examples * std::log(about.variance[i]);
    squares[i] -= step.next.mean[i] * step.next.mean[i];
  }
  step.next.variance = template_variances(std::move(squares), examples, variances);
  return step;
}

// EM until the variances settle, or for `rounds` steps. The log-likelihood is that at the start of the last step.
TemplateStep run_em(MeanTemplate about, const MappedRows& rows, Variances variances, int rounds) {
  TemplateStep step{-HUGE_VAL, std::move(about)};
  for (int round = 0; round < rounds && step.next.variance.front() > 0; ++round) {
    const std::vector<double> before = step.next.variance;
    step = em_step(step.next, rows, variances);
    double change = 0;
    for (std::size_t i = 0; i < before.size(); ++i) change += std::abs(step.next.variance[i] - before[i]);
    if (change <= kVarianceSettled * mean_of(before) * static_cast<double>(before.size())) break;
  }
  return step;
}

// At most `most` rows, evenly spaced.
Matrix some_rows(const Matrix& x, Index most) {
  if (x.rows() <= most) return x;
  std::vector<double> values;
  for (Index k = 0; k < most; ++k) {
    const std::vector<double> row = dense_row(x, k * x.rows() / most);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Matrix::dense(most, x.columns(), std::move(values));
}

MeanTemplate blurred_template(const Matrix& x) {
  const auto n = static_cast<std::size_t>(x.columns());
  const double examples = static_cast<double>(x.rows());
  MeanTemplate about{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { about.mean[static_cast<std::size_t>(i)] += value / examples; });
  }
  for (Index t = 0; t < x.rows(); ++t) {
    const std::vector<double> row = dense_row(x, t);
    for (std::size_t i = 0; i < n; ++i) {
      about.variance[i] += (row[i] - about.mean[i]) * (row[i] - about.mean[i]) / examples;
    }
  }
  about.variance = template_variances(std::move(about.variance), examples, Variances::common);
  return about;
}

// Of `about` and all its maps, the one that explains the examples best after this many steps.
TemplateStep best_map(const MeanTemplate& about, const MappedRows& rows, Variances variances, int rounds) {
  const Maps& maps = rows.maps();
  TemplateStep best{-HUGE_VAL, about};
  for (std::size_t map = 0; map < maps.count(); ++map) {
    MeanTemplate start{std::vector<double>(about.mean.size()), about.variance};
    maps.apply(map, about.mean, start.mean);
    TemplateStep tried = run_em(std::move(start), rows, variances, rounds);
    if (tried.log_likelihood > best.log_likelihood) best = std::move(tried);
  }
  return best;
}

}  // namespace

MeanTemplate fit_template(const Maps& maps, const Matrix& x) {
  const MeanTemplate blurred = blurred_template(x);
  if (!(blurred.variance.front() > 0)) return {};  // all examples alike: nothing to align by
  const Index room = std::max<Index>(20, 4'000'000 / (static_cast<Index>(maps.count()) * maps.features()));
  const MappedRows sample(maps, some_rows(x, std::min(kSample, room)), true);
  const Matrix starts = some_rows(x, kStarts);
  TemplateStep start = run_em(blurred, sample, Variances::common, kMostTemplateRounds);
  for (Index t = 0; t < starts.rows(); ++t) {
    TemplateStep tried = best_map({dense_row(starts, t), blurred.variance}, sample, Variances::common, 1);
    tried = run_em(std::move(tried.next), sample, Variances::common, kMostTemplateRounds);
    if (tried.log_likelihood > start.log_likelihood) start = std::move(tried);
  }
  if (!(start.next.variance.front() > 0)) return {};
  start = best_map(start.next, sample, Variances::common, kTrialRounds);
  start = best_map(start.next, sample, Variances::own, kTrialRounds);
  MeanTemplate about =
      run_em(std::move(start.next), MappedRows(maps, x, false), Variances::own, kMostTemplateRounds).next;
  if (!(about.variance.front() > 0)) return {};
  const double together = features_that_err_together(maps, about, some_rows(x, kSample));
  for (double& each : about.variance) each *= together;
  about.starts = 1 + starts.rows();
  return about;
}

// A map less probable than this changes no score noticeably. But it would make an empty pixel vary, perhaps by 1e-300,
// and scaling would then blow that up to the size of the others.
constexpr double kNoPart = 1e-6;

Matrix expected_rows(const Maps& maps, const MeanTemplate& about, const Matrix& x) {
  const auto n = static_cast<std::size_t>(maps.features());
  std::vector<double> values(static_cast<std::size_t>(x.rows()) * n, 0.0);
  MappedRows(maps, x, false).for_each([&](Index t, std::span<const double> mapped) {
    const std::vector<double> weight = about.mean.empty()
                                           ? std::vector<double>(maps.count(), 1.0 / static_cast<double>(maps.count()))
                                           : about.posterior(mapped);
    double* const out = values.data() + static_cast<std::size_t>(t) * n;
    for (std::size_t map = 0; map < weight.size(); ++map) {
      if (weight[map] < kNoPart) continue;
      for (std::size_t i = 0; i < n; ++i) out[i] += weight[map] * mapped[map * n + i];
    }
  });
  return Matrix::dense(x.rows(), maps.features(), std::move(values));
}

}  // namespace medlar
