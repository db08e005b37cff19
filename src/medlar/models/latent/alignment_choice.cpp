// Sequences are few, so one split would choose among hundreds of candidates by chance, and all splits for all of them
// would take long. Candidates race: after each of the first splits the better half goes on.
#include "medlar/models/latent/alignment_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/alignment.hpp"
#include "medlar/folds.hpp"
#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/models/latent/latent_states.hpp"
#include "medlar/models/latent/left_out_error.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/thresholds/race.hpp"

namespace medlar {
namespace {

constexpr Index kKeptNumbers = 32'000'000;  // feature values kept from split to split, a quarter of a gigabyte

// Adds narrower and wider priors for each choice. A regression scales its own prior.
std::vector<AlignmentChoice> with_widths(std::vector<AlignmentChoice> choices, const Dataset& data) {
  const bool classify = resolve_task(subset(data, labelled_rows(data)), choices.front().settings) == Task::classify;
  std::vector<AlignmentChoice> all;
  Index kept = 0;
  for (AlignmentChoice& choice : choices) {
    auto features = std::make_shared<const Dataset>(measured(data, choice.part));
    if ((kept += features->examples() * features->features()) <= kKeptNumbers) choice.features = features;
    if (!classify || choice.settings.prior_variance || choice.settings.p0 != 1) {
      all.push_back(std::move(choice));
      continue;
    }
    resolve_latent_scale_of(*features, choice.settings);
    const double unit = *choice.settings.prior_variance;
    for (const double factor : {0.1, 1.0, 10.0}) {
      choice.settings.prior_variance = factor * unit;
      all.push_back(choice);
    }
  }
  return all;
}

void judge(AlignmentChoice& choice, const Dataset& data, Index split, const FitTime& time) {
  Settings settings = choice.settings;
  settings.max_seconds = time.left();
  choice.error += choice.features ? left_out_error(*choice.features, settings, split)
                                  : left_out_error(measured(data, choice.part), settings, split);
  ++choice.splits;
}

}  // namespace

Dataset measured(const Dataset& data, const AlignmentPart& part) {
  Dataset states = data;
  states.x = state_rows(part, data.x);
  const auto S = static_cast<std::size_t>(part.states), C = static_cast<std::size_t>(part.channels);
  const std::vector<std::string> channels = channel_names(data.schema, part.channels);
  states.names = state_feature_names(S, channels, part.statistics);
  states.group_of = state_feature_groups(S, C, part.statistics);
  states.group_names.clear();
  for (std::size_t s = 1; s <= S; ++s) {
    states.group_names.push_back(fmt::format("state{}", s));
    for (const std::string& channel : channels) states.group_names.push_back(fmt::format("state{}:{}", s, channel));
  }
  return states;
}

// One split of a few signals would choose by chance, and many splits for every choice would take long. After each of
// the first splits the better half goes on.
AlignmentChoice choose_alignment(std::vector<AlignmentChoice> choices, const Dataset& data, const FitTime& time,
                                 std::string& why) {
  choices = with_widths(std::move(choices), data);
  const std::size_t tried = choices.size();
  constexpr double share_of_time = 0.5;
  bool cut = false;
  for (Index split = 0; split < kSplitsOfAlignments && !cut; ++split) {
    for (AlignmentChoice& choice : choices) {
      if ((cut = time.over(share_of_time))) break;
      judge(choice, data, split, time);
    }
    std::stable_sort(choices.begin(), choices.end(), [](const AlignmentChoice& a, const AlignmentChoice& b) {
      return a.splits > 0 && (b.splits == 0 || a.mean_error() < b.mean_error());
    });
    if (choices.size() > kAlignmentsOnAllSplits) {
      const std::size_t kept = std::max(kAlignmentsOnAllSplits, choices.size() / 2);
      choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(kept), choices.end());
    }
  }
  AlignmentChoice& best = choices.front();
  why = best.splits == 0 ? fmt::format("no time to judge {} choices of states, the first taken", tried)
                         : fmt::format("{} choices of states judged on examples left out{}, the least error {:.3g}",
                                       tried, cut ? " until time was over" : "", best.mean_error());
  return std::move(best);
}

}  // namespace medlar
