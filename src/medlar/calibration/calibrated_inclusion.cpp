// The curve is not fitted but averaged over a grid, because with few features the likelihood is nearly flat and a
// single best curve would be overconfident. Copies of features that matter are contaminated by them, so the weights of
// the copies depend on the answer; two rounds settle this.
#include "medlar/calibration/calibrated_inclusion.hpp"

#include <algorithm>
#include <cmath>

namespace medlar {
namespace {

constexpr double kPower = 0.15;
constexpr std::size_t kBins = 300, kMiddles = 40, kSlopes = 24;
constexpr double kLastMiddle = 1.05, kLeastSlope = 1, kLargestSlope = 100;  // in units of t^0.15, where the largest
                                                                            // size is 1
constexpr double kTrust = 0.6;      // power of the likelihood: all draws rest on the same features
constexpr std::size_t kRounds = 2;  // the first round counts all copies alike

// How many sizes of features and of copies fall into each bin of t^0.15, scaled so that the largest is 1.
struct Counts {
  std::vector<double> own = std::vector<double>(kBins), copied = std::vector<double>(kBins);
};

double middle_of(std::size_t bin) {
  return (static_cast<double>(bin) + 0.5) / kBins;
}

// Curve k of the grid, evaluated at the bins.
void curve(std::size_t k, std::vector<double>& pi) {
  const double middle = kLastMiddle * static_cast<double>(k % kMiddles) / (kMiddles - 1);
  const double slope =
      kLeastSlope * std::pow(kLargestSlope / kLeastSlope, static_cast<double>(k / kMiddles) / (kSlopes - 1));
  for (std::size_t bin = 0; bin < kBins; ++bin) pi[bin] = 1 / (1 + std::exp(-slope * (middle_of(bin) - middle)));
}

double log_likelihood(const Counts& counts, const std::vector<double>& pi) {
  double sum = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (counts.own[bin] + counts.copied[bin] == 0) continue;
    const double of_either = std::log(2 - pi[bin]);
    sum -= (counts.own[bin] + counts.copied[bin]) * of_either;
    if (counts.copied[bin] > 0) sum += counts.copied[bin] * std::log1p(-pi[bin]);
  }
  return kTrust * sum;
}

// The mean of the curves, weighted by their likelihoods.
std::vector<double> mean_curve(const Counts& counts) {
  std::vector<double> pi(kBins), mean(kBins), likelihood(kMiddles * kSlopes);
  for (std::size_t k = 0; k < likelihood.size(); ++k) {
    curve(k, pi);
    likelihood[k] = log_likelihood(counts, pi);
  }
  const double largest = *std::max_element(likelihood.begin(), likelihood.end());
  double total = 0;
  for (std::size_t k = 0; k < likelihood.size(); ++k) {
    const double weight = std::exp(likelihood[k] - largest);
    total += weight;
    curve(k, pi);
    for (std::size_t bin = 0; bin < kBins; ++bin) mean[bin] += weight * pi[bin];
  }
  for (double& each : mean) each /= total;
  return mean;
}

// The weight of each copy, given the probability that its feature matters. The weights sum to the number of copies.
std::vector<double> weights_of_copies(const std::vector<double>& probability) {
  std::vector<double> weight;
  double total = 0;
  for (const double each : probability) {
    weight.push_back(1 - each);
    total += weight.back();
  }
  for (double& each : weight) each = total > 0 ? each * static_cast<double>(weight.size()) / total : 1;
  return weight;
}

}  // namespace

std::vector<double> calibrated_inclusion(std::span<const std::vector<double>> own,
                                         std::span<const std::vector<double>> copied) {
  double largest = 0;
  for (const auto* draws : {&own, &copied}) {
    for (const auto& draw : *draws) {
      for (const double size : draw) largest = std::max(largest, size);
    }
  }
  std::vector<double> probability(own.empty() ? 0 : own.front().size(), 0.0);
  if (!(largest > 0)) return probability;
  const auto place = [&](double size) { return std::pow(size / largest, kPower) * kBins; };
  const auto count = [&](std::span<const std::vector<double>> draws, const std::vector<double>& weight) {
    std::vector<double> counts(kBins);
    for (const auto& draw : draws) {
      for (std::size_t i = 0; i < draw.size(); ++i) {
        counts[std::min(kBins - 1, static_cast<std::size_t>(place(draw[i])))] += weight[i];
      }
    }
    return counts;
  };
  const std::vector<double> alike(probability.size(), 1.0);
  const Counts all{count(own, alike), count(copied, alike)};
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::vector<double> mean =
        mean_curve(round == 0 ? all : Counts{all.own, count(copied, weights_of_copies(probability))});
    for (std::size_t i = 0; i < probability.size(); ++i) {
      double size = 0;
      for (const auto& draw : own) size += draw[i] / static_cast<double>(own.size());
      const double at = std::clamp(place(size) - 0.5, 0.0, kBins - 1.0);  // between the middles of two bins
      const auto below = std::min(kBins - 2, static_cast<std::size_t>(at));
      const double part = at - static_cast<double>(below);
      probability[i] = (1 - part) * mean[below] + part * mean[below + 1];
    }
  }
  return probability;
}

std::vector<double> shared_inclusion(std::span<const std::vector<double>> own,
                                     std::span<const std::vector<double>> copied, std::span<const std::size_t> group) {
  std::vector<std::size_t> numbers(group.begin(), group.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const auto place = [&](std::size_t i) {
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), group[i]) - numbers.begin());
  };
  const auto summed = [&](std::span<const std::vector<double>> draws) {
    std::vector<std::vector<double>> sums;
    for (const auto& draw : draws) {
      sums.emplace_back(numbers.size(), 0.0);
      for (std::size_t i = 0; i < draw.size(); ++i) sums.back()[place(i)] += draw[i];
    }
    return sums;
  };
  const std::vector<double> joint = calibrated_inclusion(summed(own), summed(copied));
  std::vector<double> square(group.size(), 0.0), total(numbers.size(), 0.0), members(numbers.size(), 0.0);
  for (const auto& draw : own) {
    for (std::size_t i = 0; i < draw.size(); ++i) square[i] += draw[i] * draw[i];
  }
  for (std::size_t i = 0; i < square.size(); ++i) {
    total[place(i)] += square[i];
    members[place(i)] += 1;
  }
  std::vector<double> probability(group.size(), 0.0);
  for (std::size_t i = 0; i < probability.size(); ++i) {
    const std::size_t g = place(i);
    probability[i] = joint[g] * (total[g] > 0 ? square[i] / total[g] : 1 / members[g]);
  }
  return probability;
}

}  // namespace medlar
