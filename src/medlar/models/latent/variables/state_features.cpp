#include "medlar/models/latent/variables/state_features.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace medlar {
namespace {

constexpr std::array<std::string_view, 4> kMeans{"level", "square", "change", "change^2"};
constexpr std::array<std::string_view, 4> kRoots{"level", "rms", "change", "change rms"};

}  // namespace

std::size_t statistics_of(StateStatistics statistics) {
  return statistics == StateStatistics::levels ? 1 : statistics == StateStatistics::squares ? 2 : 4;
}

std::vector<std::string> state_feature_names(std::size_t states, const std::vector<std::string>& channels,
                                             StateStatistics statistics) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < states; ++s) {
    names.push_back(fmt::format("state{}:share", s + 1));
    for (const std::string& channel : channels) {
      for (std::size_t k = 0; k < statistics_of(statistics); ++k) {
        names.push_back(
            fmt::format("state{}:{}:{}", s + 1, channel, statistics == StateStatistics::roots ? kRoots[k] : kMeans[k]));
      }
    }
  }
  return names;
}

std::vector<Index> state_feature_groups(std::size_t states, std::size_t channels, StateStatistics statistics) {
  std::vector<Index> group_of;
  Index group = 0;
  for (std::size_t s = 0; s < states; ++s) {
    group_of.push_back(group++);
    for (std::size_t c = 0; c < channels; ++c, ++group) {
      group_of.insert(group_of.end(), statistics_of(statistics), group);
    }
  }
  return group_of;
}

std::vector<double> state_features(const Sequence& sequence, std::size_t states, const std::vector<double>& gamma,
                                   StateStatistics statistics) {
  const std::size_t C = sequence.channels, kinds = statistics_of(statistics), width = 1 + C * kinds;
  std::vector<double> features(states * width, 0.0);
  for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
    for (std::size_t s = 0; s < states; ++s) {
      const double share = gamma[tau * states + s];
      if (share == 0) continue;
      double* const out = features.data() + s * width;
      out[0] += share;
      for (std::size_t c = 0; c < C; ++c) {
        const double x = sequence.at(tau, c), change = tau == 0 ? 0 : x - sequence.at(tau - 1, c);
        const std::array<double, 4> value{x, x * x, change, change * change};
        for (std::size_t k = 0; k < kinds; ++k) out[1 + c * kinds + k] += share * value[k];
      }
    }
  }
  for (std::size_t s = 0; s < states; ++s) {
    const double total = features[s * width];
    for (std::size_t k = 0; k < width; ++k) features[s * width + k] /= 1 + total;
    if (statistics != StateStatistics::roots) continue;
    for (std::size_t k = 2; k < width; k += 2) features[s * width + k] = std::sqrt(features[s * width + k]);
  }
  return features;
}

}  // namespace medlar
