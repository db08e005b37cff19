// Latent alignment of sequences (docs/theory.md#latent; [MED 7]). Anchored: one HMM is fitted to all signals without
// labels, and the means of each state under its posterior are the features of an ordinary fit. Cross-validation chooses
// the number of states, what is measured in them, equal segments instead of the HMM, and the prior variance, where they
// are not given. Literal: see literal_alignment.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/latent/alignment_choice.hpp"
#include "medlar/models/latent/latent_literal.hpp"
#include "medlar/models/latent/latent_maps.hpp"
#include "medlar/models/latent/latent_states.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {
namespace {

constexpr std::size_t kMostSegments = 256;  // a state for each time: the plain signal, resampled

std::vector<Index> numbers_of_states(const Settings& settings, std::size_t shortest) {
  const std::string_view argument = settings.latent.argument;
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

// What is given, or all that are tried.
template <Worded Kind>
std::vector<Kind> kinds_of(Kind given, std::initializer_list<Kind> all) {
  if (given != Kind::automatic) return {given};
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

}  // namespace

Model fit_latent_alignment(const Dataset& data, const Settings& asked, Observer* observer) {
  const FitTime time(asked, observer);
  AlignmentPart part;
  part.channels = std::max<Index>(1, data.schema.channels);  // rows of a table are sequences of one channel
  standardise(part, data.x);
  const std::vector<Sequence> sequences = sequences_of(data.x, part.channels, part.shift, part.factor);
  std::size_t shortest = sequences.front().length();
  for (const Sequence& each : sequences) shortest = std::min(shortest, each.length());
  std::vector<Index> states = numbers_of_states(asked, shortest);
  const bool given = asked.state_path == StatePath::given;
  if (given) {
    Chain chain = read_chain(asked.state_path.argument);
    if (states.size() != 1 || static_cast<std::size_t>(states.front()) != chain.states()) {
      throw OptionError(
          fmt::format("latent = {}, but the chain of state-path = {} has {} states; use --latent alignment:{}",
                      asked.latent, asked.state_path, chain.states(), chain.states()));
    }
    part.path = StatePath::given;
    part.start = std::move(chain.start);
    part.transition = std::move(chain.transition);
  }
  if (asked.latent_mode == LatentMode::literal) {
    if (states.size() != 1)
      throw OptionError("latent-mode = literal needs one number of states, as in --latent alignment:6");
    part.states = states.front();
    return fit_literal_alignment(data, asked, std::move(part), observer);
  }
  const auto per_time = static_cast<Index>(shortest);  // a state for each time
  const bool plain = asked.latent.argument == "auto" && per_time > states.back() && shortest <= kMostSegments;
  if (plain) states.push_back(per_time);
  std::vector<AlignmentChoice> choices;
  for (const Index S : states) {
    for (const StatePath path : kinds_of(asked.state_path.kind, {StatePath::hmm, StatePath::segments})) {
      if (plain && S == per_time && path != StatePath::segments) continue;
      if (!choices.empty() && time.over(0.25)) continue;
      AlignmentPart tried = part;
      tried.states = S;
      if (!given) tried.path = path;
      learn_states(tried, sequences);
      for (const StateStatistics statistics : kinds_of(
               asked.state_statistics,
               {StateStatistics::levels, StateStatistics::squares, StateStatistics::changes, StateStatistics::roots})) {
        tried.statistics = statistics;
        Settings settings = asked;
        settings.state_path.kind = path;
        settings.state_statistics = statistics;
        settings.latent = {LatentKind::alignment, fmt::format("{}", S)};
        choices.push_back({tried, settings});
      }
    }
  }
  std::string why;
  AlignmentChoice best =
      choices.size() == 1 ? std::move(choices.front()) : choose_alignment(std::move(choices), data, time, why);
  best.settings.max_seconds = time.for_solve();
  Model model = fit_expected(best.features ? *best.features : measured(data, best.part), best.settings, observer);
  model.settings.max_seconds = asked.max_seconds;
  if (!why.empty()) model.report.why += "; " + why;
  model.schema = data.schema;
  model.schema.features = data.features();
  model.latent->alignment = best.part;
  return model;
}

}  // namespace medlar
