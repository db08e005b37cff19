// Latent alignment of sequences (theory 9; [MED 7]). Anchored: one HMM on all signals, without labels; the means of
// each state under its posterior are the features of an ordinary fit. The number of states, what is measured in them,
// equal segments instead of the HMM, and the prior variance are chosen by cross-validation where they are not given.
// Literal: the paper's alternation over the paths of a chain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/cross_validate.hpp"
#include "medlar/error.hpp"
#include "medlar/model/latent_literal.hpp"
#include "medlar/model/latent_maps.hpp"
#include "medlar/model/latent_states.hpp"
#include "medlar/model/option_text.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/rows.hpp"
#include "medlar/potentials/gaussian.hpp"

namespace medlar {
namespace {

constexpr Index kChoiceFolds = 5, kRepeats = 4;  // one split of few signals would choose by chance
constexpr std::size_t kMostSegments = 256;       // a state for each time: the plain signal, resampled

std::vector<Index> numbers_of_states(const Settings& settings, std::size_t shortest) {
  const std::string_view argument = latent_words(settings.latent).argument;
  std::vector<Index> states;
  if (argument == "auto") {
    for (const Index each : {2, 4, 8, 12, 16, 24}) {
      if (each <= std::max<Index>(2, static_cast<Index>(shortest))) states.push_back(each);
    }
    return states;
  }
  for (std::size_t begin = 0; begin <= argument.size();) {
    const std::size_t end = std::min(argument.find(',', begin), argument.size());
    states.push_back(*integer_in(argument.substr(begin, end - begin)));
    begin = end + 1;
  }
  return states;
}

std::vector<std::string> words_of(const std::string& given, std::initializer_list<const char*> all) {
  if (given != "auto") return {given};
  return {all.begin(), all.end()};
}

// Means and standard deviations of the channels, so that one channel's units do not matter.
void standardise(AlignmentPart& part, const Matrix& x) {
  const auto C = static_cast<std::size_t>(part.channels);
  std::vector<double> sum(C, 0.0), squares(C, 0.0);
  double count = 0;
  const std::vector<Sequence> all = sequences_of(x, part.channels, {}, {});
  for (const Sequence& sequence : all) {
    count += static_cast<double>(sequence.length());
    for (std::size_t k = 0; k < sequence.values.size(); ++k) sum[k % C] += sequence.values[k];
  }
  for (std::size_t c = 0; c < C; ++c) part.shift.push_back(sum[c] / count);
  for (const Sequence& sequence : all) {
    for (std::size_t k = 0; k < sequence.values.size(); ++k) {
      const double apart = sequence.values[k] - part.shift[k % C];
      squares[k % C] += apart * apart;
    }
  }
  for (std::size_t c = 0; c < C; ++c) part.factor.push_back(squares[c] > 0 ? 1 / std::sqrt(squares[c] / count) : 1.0);
}

// The dataset whose features are those of the states.
Dataset measured(const Dataset& data, const AlignmentPart& part) {
  Dataset states = data;
  states.x = state_rows(part, data.x);
  states.names = state_names(part);
  const auto S = static_cast<std::size_t>(part.states), C = static_cast<std::size_t>(part.channels);
  states.group_of = state_feature_groups(S, C, part.statistics);
  states.group_names.clear();
  for (std::size_t s = 1; s <= S; ++s) {
    states.group_names.push_back(fmt::format("state{}", s));
    for (std::size_t c = 1; c <= C; ++c) states.group_names.push_back(fmt::format("state{}:channel{}", s, c));
  }
  return states;
}

// The mean squared error on examples that were left out: of the probability of the true label, or of the value.
double left_out_error(const Dataset& states, const Settings& tried) {
  const Dataset known = subset(states, labelled_rows(states));
  const bool classify = resolve_task(known, tried) == "classify";
  const std::vector<int> y = classify ? binary_labels(known, tried).y : std::vector<int>{};
  const Index folds = std::min<Index>(kChoiceFolds, known.examples());
  double sum = 0;
  for (Index k = 0; k < kRepeats * folds; ++k) {
    const std::vector<Index> fold_of = assign_folds(known.target, known.examples(), folds, tried.seed + k / folds);
    std::vector<Index> inside, outside;
    for (Index t = 0; t < known.examples(); ++t) {
      (fold_of[static_cast<std::size_t>(t)] == k % folds ? outside : inside).push_back(t);
    }
    const Model model = fit_expected(subset(known, inside), tried, nullptr);
    const std::vector<Prediction> predicted = predict_linear(model, select_rows(known.x, outside));
    for (std::size_t j = 0; j < outside.size(); ++j) {
      const auto t = static_cast<std::size_t>(outside[j]);
      const double wrong =
          classify ? 1 / (1 + std::exp(2 * y[t] * predicted[j].score)) : predicted[j].score - known.target.values[t];
      sum += wrong * wrong;
    }
  }
  return sum / static_cast<double>(kRepeats * known.examples());
}

Model fit_literal(const Dataset& data, const Settings& asked, AlignmentPart part, Observer* observer) {
  Model model;
  model.settings = asked;
  model.latent.emplace();
  const KnownLabels known = known_labels_of(data, model);
  if (asked.state_path == "segments" || asked.state_path == "hmm") {
    throw OptionError(
        fmt::format("state-path = {}, but latent-mode = literal sums over the paths of a chain; use --state-path "
                    "left-to-right",
                    asked.state_path));
  }
  if (asked.expand != "none" || asked.state_statistics != "auto") {
    throw OptionError("latent-mode = literal scores the signal itself; leave --expand and --state-statistics alone");
  }
  if (asked.groups == "file") {
    throw OptionError(
        "groups = file, but latent-mode = literal has one switch for each state and channel; leave it out");
  }
  if (part.path != "given") model.settings.state_path = part.path = "left-to-right";
  model.settings.state_statistics = part.statistics = "levels";
  model.settings.scale = "none";
  AlignmentTerms terms;
  terms.sequences = sequences_of(select_rows(data.x, known.rows), part.channels, part.shift, part.factor);
  double length = 0;
  for (const Sequence& each : terms.sequences) length += static_cast<double>(each.length());
  terms.chain = part.path == "given" ? Chain{part.start, part.transition}
                                     : Chain::left_to_right(static_cast<std::size_t>(part.states),
                                                            length / static_cast<double>(terms.sequences.size()));
  terms.label = known.label, terms.weight = known.weight;
  part.start = terms.chain.start;
  part.transition = terms.chain.transition;
  std::vector<std::string> names;
  for (Index s = 1; s <= part.states; ++s) {
    for (Index c = 1; c <= part.channels; ++c) names.push_back(fmt::format("state{}:channel{}", s, c));
  }
  const MarginViewOf unit(GaussianMargin{1, 1});
  terms.psi = &unit;  // the rows under P0 do not depend on it
  resolve_latent_scale(model.settings, terms.frozen_prior().rows.x);
  part.multiplier = solve_literal(model, terms, known, names, {std::vector<Index>(names.size(), -1), {}}, observer);
  model.schema = data.schema;
  model.schema.features = data.features();
  model.examples = data.examples();
  model.latent->alignment = std::move(part);
  return model;
}

}  // namespace

Model fit_latent_alignment(const Dataset& data, const Settings& asked, Observer* observer) {
  AlignmentPart part;
  part.channels = std::max<Index>(1, data.schema.channels);  // rows of a table are sequences of one channel
  standardise(part, data.x);
  const std::vector<Sequence> sequences = sequences_of(data.x, part.channels, part.shift, part.factor);
  std::size_t shortest = sequences.front().length();
  for (const Sequence& each : sequences) shortest = std::min(shortest, each.length());
  std::vector<Index> states = numbers_of_states(asked, shortest);
  constexpr std::string_view file = "file:";
  const bool given = asked.state_path.starts_with(file);
  if (given) {
    Chain chain = read_chain(asked.state_path.substr(file.size()));
    if (states.size() != 1 || static_cast<std::size_t>(states.front()) != chain.states()) {
      throw OptionError(
          fmt::format("latent = {}, but the chain of state-path = {} has {} states; use --latent alignment:{}",
                      asked.latent, asked.state_path, chain.states(), chain.states()));
    }
    part.path = "given";
    part.start = std::move(chain.start);
    part.transition = std::move(chain.transition);
  }
  if (asked.latent_mode == "literal") {
    if (states.size() != 1)
      throw OptionError("latent-mode = literal needs one number of states, as in --latent alignment:6");
    part.states = states.front();
    return fit_literal(data, asked, std::move(part), observer);
  }
  const auto per_time = static_cast<Index>(shortest);  // a state for each time
  const bool plain =
      latent_words(asked.latent).argument == "auto" && per_time > states.back() && shortest <= kMostSegments;
  if (plain) states.push_back(per_time);
  struct Choice {
    AlignmentPart part;
    Settings settings;
    double error = 0;
  };
  std::optional<Choice> best;
  std::vector<Choice> choices;
  for (const Index S : states) {
    for (const std::string& path : words_of(asked.state_path, {"hmm", "segments"})) {
      if (plain && S == per_time && path != "segments") continue;
      AlignmentPart tried = part;
      tried.states = S;
      if (!given) tried.path = path;
      learn_states(tried, sequences);
      for (const std::string& statistics : words_of(asked.state_statistics, {"levels", "squares", "changes"})) {
        tried.statistics = statistics;
        Settings settings = asked;
        settings.state_path = path;
        settings.state_statistics = statistics;
        settings.latent = fmt::format("alignment:{}", S);
        choices.push_back({tried, settings, 0});
      }
    }
  }
  for (Choice& choice : choices) {
    if (observer != nullptr && observer->stop_requested()) break;
    const Dataset rows = measured(data, choice.part);
    std::vector<Settings> widths{choice.settings};
    if (!asked.prior_variance && asked.p0 == 1 && choices.size() > 1) {
      resolve_latent_scale_of(rows, choice.settings);
      widths.clear();
      for (const double factor : {0.1, 1.0, 10.0}) {
        widths.push_back(choice.settings);
        widths.back().prior_variance = factor * *choice.settings.prior_variance;
      }
    }
    for (const Settings& settings : widths) {
      const double error = choices.size() * widths.size() > 1 ? left_out_error(rows, settings) : 0;
      if (!best || error < best->error) best = Choice{choice.part, settings, error};
    }
  }
  if (!best) best = choices.front();
  Model model = fit_expected(measured(data, best->part), best->settings, observer);
  model.schema = data.schema;
  model.schema.features = data.features();
  model.latent->alignment = std::move(best->part);
  return model;
}

}  // namespace medlar
