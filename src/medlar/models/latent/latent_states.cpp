// The probabilities in a file must add up to 1 but are written with few digits, so they are normalised within a
// tolerance. A weight over time must undo each step from signal to feature: the scale of the channel, the share of time
// and the transforms.
#include "medlar/models/latent/latent_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/alignment.hpp"
#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/variables/maps.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

HiddenMarkov markov_of(const AlignmentPart& part) {
  return {{part.start, part.transition}, part.mean, part.variance};
}

}  // namespace

Chain read_chain(const std::string& path) {
  ReadOptions options;
  options.target_required = false;
  options.header = "no";
  const Dataset file = read_dataset(path, options);
  const auto S = static_cast<std::size_t>(file.features());
  if (file.examples() != file.features() + 1) {
    throw DataError(
        fmt::format("{}: it holds {} lines of {} numbers, but a chain of {} states is {} lines: the first state, then "
                    "the next one after each",
                    path, file.examples(), S, S, S + 1));
  }
  Chain chain;
  for (Index t = 0; t < file.examples(); ++t) {
    const std::vector<double> row = dense_row(file.x, t);
    double sum = 0, least = 0;
    for (const double each : row) sum += each, least = std::min(least, each);
    if (least < 0 || !(std::abs(sum - 1) <= 1e-6)) {
      throw DataError(
          fmt::format("{}:{}: the probabilities add up to {}, but must be >= 0 and add up to 1", path, t + 1, sum));
    }
    std::vector<double>& to = t == 0 ? chain.start : chain.transition;
    for (const double each : row) to.push_back(each / sum);
  }
  return chain;
}

void learn_states(AlignmentPart& part, const std::vector<Sequence>& sequences) {
  if (part.path == StatePath::segments || part.path == StatePath::given) return;
  const auto S = static_cast<std::size_t>(part.states);
  HiddenMarkov model;
  if (part.path == StatePath::hmm) {
    model = fit_hidden_markov(sequences, S);
  } else {
    double length = 0;
    for (const Sequence& each : sequences) length += static_cast<double>(each.length());
    model.chain = Chain::left_to_right(S, length / static_cast<double>(sequences.size()));
  }
  part.start = model.chain.start;
  part.transition = model.chain.transition;
  part.mean = model.mean;
  part.variance = model.variance;
}

std::vector<double> state_gamma(const AlignmentPart& part, const Sequence& sequence) {
  const auto S = static_cast<std::size_t>(part.states);
  if (part.path == StatePath::segments) return segment_gamma(sequence.length(), S);
  const HiddenMarkov model = markov_of(part);
  const std::vector<double> none(sequence.length() * S, 0.0);
  PathSums sums = forward_backward(model.chain, part.path == StatePath::hmm ? model.log_emissions(sequence) : none);
  if (sums.gamma.empty()) throw DataError(kBeyondStates);
  return std::move(sums.gamma);
}

Matrix state_rows(const AlignmentPart& part, const Matrix& x) {
  std::vector<double> values;
  for (const Sequence& sequence : sequences_of(x, part.channels, part.shift, part.factor)) {
    const std::vector<double> row =
        state_features(sequence, static_cast<std::size_t>(part.states), state_gamma(part, sequence), part.statistics);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Matrix::dense(x.rows(), state_feature_count(part), std::move(values));
}

Index state_feature_count(const AlignmentPart& part) {
  return part.states * (1 + part.channels * static_cast<Index>(statistics_of(part.statistics)));
}

std::vector<std::string> channel_names(const Schema& schema, Index channels) {
  const bool named = !schema.sequence_id.empty() && std::ssize(schema.columns) == channels;
  std::vector<std::string> names;
  for (Index c = 0; c < channels; ++c) {
    names.push_back(named ? schema.columns[static_cast<std::size_t>(c)].name : fmt::format("channel{}", c + 1));
  }
  return names;
}

std::vector<std::vector<double>> expected_alignment(const Model& model, const Matrix& x) {
  if (!model.latent || !model.latent->alignment) {
    throw OptionError("the model aligns nothing; train it with --model latent --latent alignment:S");
  }
  require_features(model, x);
  const AlignmentPart& part = *model.latent->alignment;
  std::vector<std::vector<double>> all;
  for (const Sequence& sequence : sequences_of(x, part.channels, part.shift, part.factor)) {
    all.push_back(state_gamma(part, sequence));
  }
  return all;
}

std::vector<std::vector<double>> weights_over_time(const Model& model, const Matrix& x) {
  const std::vector<std::vector<double>> paths = expected_alignment(model, x);
  const std::vector<Prediction> predictions = model.predict(x);
  const AlignmentPart& part = *model.latent->alignment;
  const bool literal = model.settings.latent_mode == LatentMode::literal;
  const auto S = static_cast<std::size_t>(part.states), C = static_cast<std::size_t>(part.channels);
  const std::size_t kinds = literal ? 1 : statistics_of(part.statistics), first = literal ? 0 : 1;
  const std::size_t width = first + C * kinds, K = model.labels.size();
  if (model.settings.expand != ExpansionKind::none) {
    throw OptionError(fmt::format("expand = {}: the score is no sum over states and channels", model.settings.expand));
  }
  std::vector<std::vector<double>> all;
  for (std::size_t t = 0; t < paths.size(); ++t) {
    const std::vector<double>& gamma = paths[t];
    const std::size_t length = gamma.size() / S;
    std::vector<double>& weight = all.emplace_back(length * C, 0.0);
    for (std::size_t s = 0; s < S; ++s) {
      double time = literal ? static_cast<double>(length) : 1.0;
      for (std::size_t tau = 0; tau < length && !literal; ++tau) time += gamma[tau * S + s];
      for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = s * width + first + c * kinds;
        double w = model.multiclass
                       ? model.multiclass->coefficient[i * K + static_cast<std::size_t>(predictions[t].label)]
                       : model.features[i].coefficient;
        for (const Transform& transform : model.transforms) w *= transform.factor[i];
        for (std::size_t tau = 0; tau < length; ++tau)
          weight[tau * C + c] += gamma[tau * S + s] / time * w * part.factor[c];
      }
    }
  }
  return all;
}

}  // namespace medlar
