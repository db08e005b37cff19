// Each kind of model scores its classes in its own file; only the order of the numbers is made equal here.
#include "medlar/scores_by_class.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/models/generative/values.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

// w_k . x + b_k
std::vector<std::vector<double>> linear_class_scores(const Model& model, const Matrix& x) {
  const MulticlassPart& part = *model.multiclass;
  const std::size_t classes = part.class_bias.size();
  std::vector<std::vector<double>> all;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& inputs) {
    for (Index t = 0; t < inputs.rows(); ++t) {
      std::vector<double>& f = all.emplace_back(part.class_bias);
      for_each(inputs.row(t), [&](Index i, double value) {
        const double* w = part.coefficient.data() + at(i) * classes;
        for (std::size_t k = 0; k < classes; ++k) f[k] += w[k] * value;
      });
    }
  });
  return all;
}

std::vector<std::vector<double>> scores_by_class(const Model& model, const Matrix& x) {
  require_features(model, x);
  if (model.labels.size() <= 2) {
    throw OptionError(
        fmt::format("the model has {} labels and one score; more than two have one each", model.labels.size()));
  }
  if (model.multiclass && model.latent && !scores_latent_features(model)) return literal_class_scores(model, x);
  if (model.multiclass) return linear_class_scores(model, model.latent ? latent_features(model, x) : x);
  if (model.kernel) return kernel_class_scores(model, x);
  if (!model.generative) throw DataError("the model has several labels, but no part that scores them");
  require_values(model, x);
  const std::vector<double> f = generative_class_scores(model, x);  // class by class
  const std::size_t examples = at(x.rows());
  std::vector<std::vector<double>> all(examples);
  for (std::size_t j = 0; j < f.size(); ++j) all[j % examples].push_back(f[j]);
  return all;
}

}  // namespace medlar
