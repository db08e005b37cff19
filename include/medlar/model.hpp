// A fitted distribution over linear discriminants: what is kept, predicted from, written and read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/report.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// One recorded step from file features to model features, replayed at prediction.
struct KernelOfMap {
  std::string name;  // linear, poly, rbf, sigmoid
  double gamma = 0, coef0 = 0;
  Index degree = 0;
  friend bool operator==(const KernelOfMap&, const KernelOfMap&) = default;
};

struct Transform {
  std::string kind;  // expand, scale, fourier, nystrom
  // expand: feature j of the output is the product of the input features in factors[j]
  std::vector<std::vector<Index>> factors;
  // scale: output i = (input i - shift[i]) * factor[i]; shift is empty when nothing was centred
  std::vector<double> shift, factor;
  // fourier, nystrom: `basis` holds frequencies or examples, row by row, each of `inputs` numbers; fourier has a phase
  // for each, nystrom a row of `whitening` for each output
  Index inputs = 0;
  KernelOfMap kernel = {};
  std::vector<double> basis = {}, phase = {}, whitening = {};
  Index outputs() const;  // of fourier and nystrom
  friend bool operator==(const Transform&, const Transform&) = default;
};

struct Feature {
  std::string name;
  double inclusion = 1;    // P(s_i = 1)
  double coefficient = 0;  // E[theta_i s_i], for the scaled feature
  double sd = 0;           // sqrt(Var[theta_i s_i])
  Index group = -1;        // features with the same group >= 0 share one switch
  friend bool operator==(const Feature&, const Feature&) = default;
};

struct Prediction {
  double score = 0;        // E[L(x)]: the discriminant, or the predicted value
  double sd = 0;           // its standard deviation under the fitted distribution
  double probability = 0;  // classify: P(L(x) > 0) in the Gaussian approximation, Phi(score / sd)
  Index label = -1;        // classify: 0 or 1, index into Model::labels
};

// What a kernel model keeps: the support vectors, as the transforms left them, and their weights v beta_t in the score.
// A precomputed kernel has no vectors; Model::support says which columns of a row count.
struct KernelPart {
  Index columns = 0;
  bool sparse = false;
  std::vector<Index> starts;      // sparse: where each vector begins
  std::vector<Column> column_of;  // sparse
  std::vector<double> values;     // by vector
  std::vector<double> weights;    // one per vector
  double mean_diagonal = 0;       // of k(x_t, x_t) in training: precomputed rows do not tell k(x, x)
  Matrix vectors() const;
  friend bool operator==(const KernelPart&, const KernelPart&) = default;
};

struct Model {
  std::string task;                 // classify, regress
  Settings settings;                // as resolved for this fit: no "auto" is left
  std::vector<std::string> labels;  // classify: negative, positive
  Schema schema;
  std::vector<Transform> transforms;
  std::vector<Feature> features;
  std::vector<std::string> group_names;
  double bias = 0;
  double bias_sd = 0;     // 0 for a flat bias or none
  double typical_sd = 0;  // two labels: root mean square of Prediction::sd over up to 256 fitted examples; else 0
  Index examples = 0;
  std::vector<Index> support;        // examples with a non-zero multiplier
  std::vector<double> multipliers;   // theirs, signed: y_t lambda_t, or beta_t
  std::optional<KernelPart> kernel;  // settings.model = kernel
  Report report;

  Index selected() const;          // features with inclusion > 1/2
  std::string_view prior() const;  // gaussian, switches or groups: what was put over the coefficients

  // Rows as read with this model's schema, before its transforms.
  std::vector<Prediction> predict(const Matrix& x) const;
  friend bool operator==(const Model&, const Model&) = default;
};

// JSON, {"format": "medlar-model", "version": 1, ...}; reading back gives the same bits. What is no JSON number is
// written as "inf", "-inf" or "nan"; a byte that is no UTF-8 is written as U+001A and two hexadecimal digits.
// Reading throws DataError with `source` and the field at fault.
std::string to_json(const Model& model);
Model model_from_json(std::string_view text, const std::string& source);
void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path);

}  // namespace medlar
