// Latent transformations (docs/theory.md#latent; [MED 7]). Anchored: an ordinary fit of the features expected under
// P0(U | x), where a template fitted without labels ties U to x. Literal: the paper's alternation over a uniform or
// Gaussian P0(U).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/models/latent/latent_literal.hpp"
#include "medlar/models/latent/latent_maps.hpp"
#include "medlar/models/linear/coefficients.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/grouping.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

// Directions in the units of the scaled features.
std::vector<std::vector<double>> scaled_directions(const TransformationPart& part, const Prepared& prepared) {
  std::vector<std::vector<double>> directions = directions_of(part, prepared.x.columns());
  for (const Transform& transform : prepared.transforms) {
    for (std::vector<double>& d : directions) {
      for (std::size_t i = 0; i < d.size(); ++i) d[i] *= transform.factor[i];
    }
  }
  return directions;
}

Model fit_literal(const Dataset& data, const Settings& asked, TransformationPart part, Observer* observer) {
  Model model;
  model.settings = asked;
  model.latent.emplace();
  const KnownLabels known = known_labels_of(data, model);
  const bool translation = part.kind == LatentKind::translation;
  if (translation && asked.expand != ExpansionKind::none) {
    throw OptionError(
        fmt::format("expand = {}, but a translation in closed form needs the features as they are; use "
                    "--expand none",
                    asked.expand));
  }
  const Matrix x = select_rows(data.x, known.rows);
  Dataset mean = data;  // E[phi] under P0(U), from which the transforms are made
  const std::optional<Maps> maps = translation ? std::nullopt : std::optional<Maps>(maps_of(part, x.columns()));
  mean.x = translation ? x : expected_rows(*maps, {}, x);
  Examples all{std::vector<Index>(known.rows.size()), known.weight};
  std::iota(all.rows.begin(), all.rows.end(), Index{0});
  Prepared prepared = prepare(mean, all, model.settings);
  resolve_latent_scale(model.settings, prepared.x);
  const Grouping grouping = grouping_of(data, model.settings, prepared.names);
  if (translation) {
    TranslationTerms terms;
    terms.x = prepared.x;
    terms.directions = scaled_directions(part, prepared);
    part.multiplier = solve_literal(model, terms, known, prepared.names, grouping, observer);
  } else {
    FiniteTerms terms;
    terms.x = maps->apply_all(x);
    for (const Transform& transform : prepared.transforms) terms.x = apply(transform, terms.x);
    terms.prior.assign(maps->count(), 1.0 / static_cast<double>(maps->count()));
    part.multiplier = solve_literal(model, terms, known, prepared.names, grouping, observer);
  }
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.examples = data.examples();
  model.latent->transformation = std::move(part);
  return model;
}

}  // namespace

Model fit_latent_transformation(const Dataset& data, const Settings& asked, Observer* observer) {
  TransformationPart part = transformation_of(asked, data);
  if (asked.latent_mode == LatentMode::literal) return fit_literal(data, asked, std::move(part), observer);
  std::string restarts;
  if (part.kind != LatentKind::translation) {
    const MeanTemplate about = fit_template(maps_of(part, data.features()), data.x);
    part.mean = about.mean;
    part.variance = about.variance;
    if (about.starts > 0) restarts = fmt::format("; the template is the likeliest of {} starts", about.starts);
  }
  Dataset expected = data;
  expected.x = expected_rows(part, data.x);
  Model model = fit_expected(expected, asked, observer);
  model.latent->transformation = std::move(part);
  model.report.why += restarts;
  return model;
}

}  // namespace medlar
