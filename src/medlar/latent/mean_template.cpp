// See the header.
#include "medlar/latent/mean_template.hpp"

#include <algorithm>
#include <cmath>

namespace medlar {
namespace {

constexpr int kMostTemplateRounds = 100;
constexpr int kTrialRounds = 3;            // enough to tell whether a start explains the examples better than another
constexpr Index kStarts = 8;               // examples that are tried as templates
constexpr Index kSample = 200;             // examples that judge them
constexpr double kVarianceSettled = 1e-6;  // relative change of the variance that ends EM

// Calls visit(t, all maps of row t laid one after the other).
template <class Visit>
void for_each_mapped(const Maps& maps, const Matrix& x, Visit visit) {
  const auto n = static_cast<std::size_t>(maps.features());
  std::vector<double> mapped(maps.count() * n);
  for (Index t = 0; t < x.rows(); ++t) {
    const std::vector<double> row = dense_row(x, t);
    for (std::size_t map = 0; map < maps.count(); ++map) maps.apply(map, row, {mapped.data() + map * n, n});
    visit(t, std::span<const double>(mapped));
  }
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

std::vector<double> MeanTemplate::posterior(std::span<const double> mapped, double* log_sum) const {
  const std::size_t n = mean.size(), count = mapped.size() / n;
  std::vector<double> weight(count);
  for (std::size_t map = 0; map < count; ++map) {
    weight[map] = -0.5 * squared_distance(mapped.subspan(map * n, n), mean) / variance;
  }
  const double largest = *std::max_element(weight.begin(), weight.end());
  double sum = 0;
  for (double& each : weight) sum += each = std::exp(each - largest);
  for (double& each : weight) each /= sum;
  if (log_sum != nullptr) *log_sum = largest + std::log(sum);
  return weight;
}

namespace {

// log of the density of all maps' mixture, up to what no template changes; and one step of EM from there.
struct TemplateStep {
  double log_likelihood = 0;
  MeanTemplate next;
};

TemplateStep em_step(const MeanTemplate& about, const Maps& maps, const Matrix& x) {
  const auto n = static_cast<std::size_t>(maps.features());
  const double examples = static_cast<double>(x.rows());
  TemplateStep step;
  step.next.mean.assign(n, 0.0);
  double lengths = 0;  // sum over examples of E[|T_U x|^2]
  for_each_mapped(maps, x, [&](Index, std::span<const double> mapped) {
    double log_sum = 0;
    const std::vector<double> weight = about.posterior(mapped, &log_sum);
    step.log_likelihood += log_sum;
    for (std::size_t map = 0; map < weight.size(); ++map) {
      if (weight[map] == 0) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const double value = mapped[map * n + i];
        step.next.mean[i] += weight[map] * value / examples;
        lengths += weight[map] * value * value;
      }
    }
  });
  step.log_likelihood -= 0.5 * examples * static_cast<double>(n) * std::log(about.variance);
  double norm = 0;
  for (const double each : step.next.mean) norm += each * each;
  step.next.variance = std::max(0.0, lengths / examples - norm) / static_cast<double>(n);
  return step;
}

// EM until the variance settles, or `rounds` steps; the log-likelihood is that of the last step's start.
TemplateStep run_em(MeanTemplate about, const Maps& maps, const Matrix& x, int rounds) {
  TemplateStep step{-HUGE_VAL, std::move(about)};
  for (int round = 0; round < rounds && step.next.variance > 0; ++round) {
    const double before = step.next.variance;
    step = em_step(step.next, maps, x);
    if (std::abs(step.next.variance - before) <= kVarianceSettled * before) break;
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

MeanTemplate mean_of(const Matrix& x) {
  const auto n = static_cast<std::size_t>(x.columns());
  const double examples = static_cast<double>(x.rows());
  MeanTemplate about{std::vector<double>(n, 0.0), 0};
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { about.mean[static_cast<std::size_t>(i)] += value / examples; });
  }
  for (Index t = 0; t < x.rows(); ++t) about.variance += squared_distance(dense_row(x, t), about.mean);
  about.variance /= examples * static_cast<double>(n);
  return about;
}

// Of `about` and all its maps the one that explains the examples best after a few steps.
TemplateStep best_map(const MeanTemplate& about, const Maps& maps, const Matrix& x) {
  TemplateStep best{-HUGE_VAL, about};
  for (std::size_t map = 0; map < maps.count(); ++map) {
    MeanTemplate start{std::vector<double>(about.mean.size()), about.variance};
    maps.apply(map, about.mean, start.mean);
    TemplateStep tried = run_em(std::move(start), maps, x, kTrialRounds);
    if (tried.log_likelihood > best.log_likelihood) best = std::move(tried);
  }
  return best;
}

}  // namespace

MeanTemplate fit_template(const Maps& maps, const Matrix& x) {
  MeanTemplate blurred = mean_of(x);
  if (!(blurred.variance > 0)) return {{}, 1};  // all examples alike: nothing to align by
  const Matrix sample = some_rows(x, kSample), starts = some_rows(x, kStarts);
  TemplateStep start = run_em(blurred, maps, sample, kMostTemplateRounds);
  for (Index t = 0; t < starts.rows(); ++t) {
    TemplateStep tried = best_map({dense_row(starts, t), blurred.variance}, maps, sample);
    tried = run_em(std::move(tried.next), maps, sample, kMostTemplateRounds);
    if (tried.log_likelihood > start.log_likelihood) start = std::move(tried);
  }
  start = best_map(start.next, maps, sample);
  MeanTemplate about = run_em(std::move(start.next), maps, x, kMostTemplateRounds).next;
  if (!(about.variance > 0)) return {{}, 1};
  return about;
}

Matrix expected_rows(const Maps& maps, const MeanTemplate& about, const Matrix& x) {
  const auto n = static_cast<std::size_t>(maps.features());
  std::vector<double> values(static_cast<std::size_t>(x.rows()) * n, 0.0);
  for_each_mapped(maps, x, [&](Index t, std::span<const double> mapped) {
    const std::vector<double> weight = about.mean.empty()
                                           ? std::vector<double>(maps.count(), 1.0 / static_cast<double>(maps.count()))
                                           : about.posterior(mapped);
    double* const out = values.data() + static_cast<std::size_t>(t) * n;
    for (std::size_t map = 0; map < weight.size(); ++map) {
      for (std::size_t i = 0; i < n; ++i) out[i] += weight[map] * mapped[map * n + i];
    }
  });
  return Matrix::dense(x.rows(), maps.features(), std::move(values));
}

}  // namespace medlar
