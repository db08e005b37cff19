// Latent alignment taken literally: the paper's alternation over the paths of a chain (docs/theory.md#latent; [MED 7]).
#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/models/latent/latent_literal.hpp"
#include "medlar/models/latent/latent_states.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/priors/margins/margin.hpp"

namespace medlar {

Model fit_literal_alignment(const Dataset& data, const Settings& asked, AlignmentPart part, Observer* observer) {
  Model model;
  model.settings = asked;
  model.latent.emplace();
  const KnownLabels known = known_labels_of(data, model);
  if (asked.state_path == StatePath::segments || asked.state_path == StatePath::hmm) {
    throw OptionError(
        fmt::format("state-path = {}, but latent-mode = literal sums over the paths of a chain; use --state-path "
                    "left-to-right",
                    asked.state_path));
  }
  if (asked.expand != ExpansionKind::none || asked.state_statistics != StateStatistics::automatic) {
    throw OptionError("latent-mode = literal scores the signal itself; leave --expand and --state-statistics alone");
  }
  if (asked.groups == GroupsKind::file) {
    throw OptionError(
        "groups = file, but latent-mode = literal has one switch for each state and channel; leave it out");
  }
  if (part.path != StatePath::given) model.settings.state_path = part.path = StatePath::left_to_right;
  model.settings.state_statistics = part.statistics = StateStatistics::levels;
  model.settings.scale = ScaleKind::none;
  AlignmentTerms terms;
  terms.sequences = sequences_of(select_rows(data.x, known.rows), part.channels, part.shift, part.factor);
  double length = 0;
  for (const Sequence& each : terms.sequences) length += static_cast<double>(each.length());
  terms.chain = part.path == StatePath::given
                    ? Chain{part.start, part.transition}
                    : Chain::left_to_right(static_cast<std::size_t>(part.states),
                                           length / static_cast<double>(terms.sequences.size()));
  terms.weight = known.weight, terms.label.assign(known.y.size(), 1.0);
  part.start = terms.chain.start;
  part.transition = terms.chain.transition;
  std::vector<std::string> names;
  for (Index s = 1; s <= part.states; ++s) {
    for (const std::string& channel : channel_names(data.schema, part.channels)) {
      names.push_back(fmt::format("state{}:{}", s, channel));
    }
  }
  const Margin unit = GaussianMargin{1, 1};
  terms.psi = &unit;  // the rows under P0 do not depend on it
  resolve_latent_scale(model.settings, terms.frozen_prior().rows.x);
  part.multiplier = solve_literal(model, terms, known, names, {std::vector<Index>(names.size(), -1), {}, {}}, observer);
  model.schema = data.schema;
  model.schema.features = data.features();
  model.examples = data.examples();
  model.latent->alignment = std::move(part);
  return model;
}

}  // namespace medlar
