// P0(U | x) of a finite set of transformations, as the fit and the predictions take it (docs/theory.md#latent).
#include "medlar/transformations.hpp"

#include "medlar/error.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_maps.hpp"

namespace medlar {

std::vector<Shift> shifts_of(const Model& model) {
  if (!model.latent || !model.latent->transformation || model.latent->transformation->kind != LatentKind::shifts)
    return {};
  const TransformationPart& part = *model.latent->transformation;
  const bool signal = part.height == 1;
  std::vector<Shift> shifts;
  for (const double turn :
       part.rotation > 0 ? std::vector<double>{0, part.rotation, -part.rotation} : std::vector<double>{0}) {
    for (const Index down : steps_up_to(signal ? 0 : part.reach)) {
      for (const Index right : steps_up_to(part.reach)) shifts.push_back({down, right, turn});
    }
  }
  return shifts;
}

std::vector<std::vector<double>> transformation_probabilities(const Model& model, const Matrix& x) {
  if (!model.latent || !model.latent->transformation || model.latent->transformation->kind == LatentKind::translation) {
    throw OptionError("the model has no finite set of transformations; train it with --model latent --latent shifts:R");
  }
  require_features(model, x);
  const TransformationPart& part = *model.latent->transformation;
  const Maps maps = maps_of(part, x.columns());
  const MeanTemplate about{part.mean, part.variance};
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> mapped(maps.count() * n);
  std::vector<std::vector<double>> all;
  for (Index t = 0; t < x.rows(); ++t) {
    if (about.mean.empty()) {
      all.emplace_back(maps.count(), 1.0 / static_cast<double>(maps.count()));
      continue;
    }
    const std::vector<double> row = dense_row(x, t);
    for (std::size_t map = 0; map < maps.count(); ++map) maps.apply(map, row, {mapped.data() + map * n, n});
    all.push_back(about.posterior(mapped));
  }
  return all;
}

}  // namespace medlar
