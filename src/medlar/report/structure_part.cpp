// Pictures of a model's own structure: trees over columns, and the template of a latent transformation.
#include <nlohmann/json.hpp>
#include <numeric>

#include "medlar/probable_trees.hpp"
#include "medlar/report/page_data.hpp"

namespace medlar {

PageJson tree_part(const Model& model) {
  if (!model.generative || model.generative->trees.empty()) return nullptr;
  const ProbableTrees trees = most_probable_trees(model);
  PageJson all = PageJson::array();
  for (const std::vector<TreeEdge>& edges : trees.edges) {
    PageJson list = PageJson::array();
    for (const TreeEdge& edge : edges) list.push_back(PageJson::array({edge.from, edge.to, edge.probability}));
    all.push_back(std::move(list));
  }
  return {{"variables", trees.variables}, {"edges", all}};
}

PageJson template_part(const Model& model) {
  if (!model.latent || !model.latent->transformation) return nullptr;
  const TransformationPart& part = *model.latent->transformation;
  const double mean = part.variance.empty() ? 0
                                            : std::accumulate(part.variance.begin(), part.variance.end(), 0.0) /
                                                  static_cast<double>(part.variance.size());
  PageJson said = {{"kind", word_of(part.kind)},   {"height", part.height},     {"width", part.width},
                   {"reach", part.reach},          {"rotation", part.rotation}, {"mean", page_numbers(part.mean)},
                   {"variance", page_number(mean)}};
  if (std::ssize(model.features) == part.height * part.width && model.labels.size() <= 2) {
    std::vector<double> coefficients;
    for (const Feature& feature : model.features) coefficients.push_back(feature.coefficient);
    said["coefficients"] = page_numbers(coefficients);
  }
  return said;
}

}  // namespace medlar
