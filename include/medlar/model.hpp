// A fitted distribution over linear discriminants: what is stored, predicted from, written and read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/answer.hpp"
#include "medlar/dataset.hpp"
#include "medlar/report.hpp"
#include "medlar/settings.hpp"
#include "medlar/trust.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

// The kernel of a feature map.
struct KernelOfMap {
  KernelKind kind = KernelKind::rbf;
  double gamma = 0, coef0 = 0;
  Index degree = 0;
  friend bool operator==(const KernelOfMap&, const KernelOfMap&) = default;
};

// One recorded step from file features to model features, replayed at prediction.
struct Transform {
  TransformKind kind = TransformKind::expand;
  // expand: feature j of the output is the product of the input features in factors[j].
  std::vector<std::vector<Index>> factors;
  // scale: output i = (input i - shift[i]) * factor[i]. shift is empty if nothing was centred.
  std::vector<double> shift, factor;
  // fourier, nystrom: `basis` holds frequencies or examples, row by row, each with `inputs` numbers. fourier has a
  // phase for each of them, nystrom a row of `whitening` for each output.
  Index inputs = 0;
  KernelOfMap kernel = {};
  std::vector<double> basis = {}, phase = {}, whitening = {};
  // fourier, nystrom: number of outputs.
  Index outputs() const;
  friend bool operator==(const Transform&, const Transform&) = default;
};

struct Feature {
  std::string name;
  // P(s_i = 1).
  double inclusion = 1;
  // E[theta_i s_i], for the scaled feature.
  double coefficient = 0;
  // sqrt(Var[theta_i s_i]).
  double sd = 0;
  // Features with the same group >= 0 share one switch.
  Index group = -1;
  // It stays in (Settings::keep): without a switch, and with a flat coefficient, of which sd says nothing.
  bool kept = false;
  friend bool operator==(const Feature&, const Feature&) = default;
};

struct Prediction {
  // E[L(x)]: the discriminant (with several classes the winner's), or the predicted value.
  double score = 0;
  // The standard deviation of L(x) under the fitted distribution.
  double sd = 0;
  // classify: probability of the positive label, or with several classes of the winner.
  double probability = 0;
  // classify: index into Model::labels.
  Index label = -1;
  // One per label if there are more than two; else empty.
  std::vector<double> probabilities = {};
};

// The part of a linear model of more than two classes: L_k(x) = w_k . x + b_k. One switch turns a feature on in all
// classes, so it has one inclusion. Feature::coefficient is then the length of its vector of class coefficients, and
// Feature::sd the root of their mean variance.
struct MulticlassPart {
  // Feature by feature, one number per class.
  std::vector<double> coefficient;
  // One per class; they sum to 0 if the bias is flat.
  std::vector<double> class_bias;
  friend bool operator==(const MulticlassPart&, const MulticlassPart&) = default;
};

// One member of a generative model: the fitted prior of each class, in the statistics of its family.
struct GenerativeMember {
  FamilyKind family = FamilyKind::gaussian;
  // Features after the transforms.
  std::vector<Index> columns;
  // One per class: sums of statistics, pseudo-examples included.
  std::vector<std::vector<double>> chi;
  // Inclusion of its switch: one number, or one per class; empty without switches.
  std::vector<double> inclusion;
  // Only for jointly normal columns that outnumber the examples: M outside the directions of the examples, the scale of
  // each column, then direction by direction. chi is in those directions.
  std::vector<double> shape = {};
  friend bool operator==(const GenerativeMember&, const GenerativeMember&) = default;
};
// A class's distribution over trees: fixed tables, and a weight for each edge u < v, in the order 0-1, 0-2, 1-2, 0-3,
// ... The probability of a tree is proportional to e^{sum of the weights of its edges}.
struct GenerativeTree {
  // log p(x_u), by variable and level.
  std::vector<std::vector<double>> single;
  // log p(x_u, x_v)/(p(x_u) p(x_v)), by edge; one row per level of u.
  std::vector<std::vector<double>> pair;
  // One per edge.
  std::vector<double> weight;
  friend bool operator==(const GenerativeTree&, const GenerativeTree&) = default;
};
struct GenerativePart {
  std::vector<GenerativeMember> members;
  // Family tree: the features that are the levels of each variable.
  std::vector<std::vector<Index>> variables;
  // Family tree: one per class, instead of members.
  std::vector<GenerativeTree> trees;
  // One per class; they sum to 0.
  std::vector<double> class_bias;
  // As it was used. For an anomaly detector, the level of the log-likelihood.
  double margin_location = 1;
  // Median absolute leave-one-out margin.
  double margin_scale = 1;
  // Probabilities are proportional to e^{slope score}.
  double slope = 1;
  // anomaly: scores below it are odd.
  double threshold = 0;
  // anomaly: scores of normal examples that were left out, sorted.
  std::vector<double> levels;
  // anomaly: mean contribution of each feature (anomaly.hpp).
  std::vector<double> typical;
  friend bool operator==(const GenerativePart&, const GenerativePart&) = default;
};

// The part of a kernel model: the support vectors after the transforms, and their weights v beta_t in the score. A
// precomputed kernel has no vectors; Model::support says which columns of a row count.
//
// Several classes are told apart two by two, in the order (0, 1), (0, 2), ..., (1, 2), ..., where a positive score of a
// pair is for its first class; or jointly, by a score for each class.
struct KernelPart {
  Index columns = 0;
  bool sparse = false;
  // sparse: where each vector begins.
  std::vector<Index> starts;
  // sparse: the column of each value.
  std::vector<Column> column_of;
  // Vector by vector.
  std::vector<double> values;
  // One per vector. With several classes one per pair (or class) and vector, pair by pair.
  std::vector<double> weights;
  // Several classes two by two: one per pair.
  std::vector<double> pair_bias;
  // Several classes jointly: one per class; they sum to 0 if the bias is flat.
  std::vector<double> class_bias;
  // Mean of k(x_t, x_t) in training. Precomputed rows do not contain k(x, x).
  double mean_diagonal = 0;
  Matrix vectors() const;
  friend bool operator==(const KernelPart&, const KernelPart&) = default;
};

// Rows of a dataset as a model stores and writes them.
struct KeptRows {
  Index columns = 0;
  bool sparse = false;
  // sparse: as in Matrix.
  std::vector<Index> starts;
  // sparse: the column of each value.
  std::vector<Column> column_of;
  // Row by row.
  std::vector<double> values;
  friend bool operator==(const KeptRows&, const KeptRows&) = default;
};

// Transformations U of an example and the prior P0(U | x) of each, from a template that was fitted without labels.
struct TransformationPart {
  // shifts, matrices or translation.
  LatentKind kind = LatentKind::shifts;
  Index height = 1, width = 0, reach = 0;
  double rotation = 0;
  // Images: the value that a map takes from outside; if none, the nearest pixel.
  std::optional<double> background;
  // matrices: one n x n map after the other; translation: one direction of n numbers after the other.
  std::vector<double> maps;
  // Mean of the template. If empty, P0(U) is uniform.
  std::vector<double> mean;
  // Variance of each feature about the mean.
  std::vector<double> variance;
  // literal: the typical lambda of each problem, which tilts U at prediction.
  std::vector<double> multiplier;
  friend bool operator==(const TransformationPart&, const TransformationPart&) = default;
};

// States of a Markov chain along a sequence, and what is measured in each of them.
struct AlignmentPart {
  Index states = 0, channels = 0;
  // As in the settings, with automatic resolved.
  StatePath path = StatePath::hmm;
  StateStatistics statistics = StateStatistics::levels;
  // hmm, left-to-right: the chain.
  std::vector<double> start, transition;
  // hmm: the emissions, state by state.
  std::vector<double> mean, variance;
  // Each channel is replaced by (x - shift) * factor before anything else.
  std::vector<double> shift, factor;
  // literal: the typical lambda of each problem.
  std::vector<double> multiplier;
  friend bool operator==(const AlignmentPart&, const AlignmentPart&) = default;
};

// The part of a latent model beyond the fields of every model.
struct LatentPart {
  // Total KL divergence after each round; it never rises.
  std::vector<double> kl;
  // labels: r of the balance constraint, for the positive class or for each; empty without one.
  std::vector<double> share;
  // labels: the training examples before the transforms; transduce() adds others.
  KeptRows rows;
  // P0(y = positive), or with more than two classes P0(y = k), example by example.
  std::vector<double> belief;
  // Weight of each row.
  std::vector<double> weight;
  // The rows without a label.
  std::vector<Index> unlabelled;
  std::optional<TransformationPart> transformation;
  std::optional<AlignmentPart> alignment;
  friend bool operator==(const LatentPart&, const LatentPart&) = default;
};

struct Model {
  // Never automatic.
  Task task = Task::classify;
  // As resolved for this fit; nothing automatic is left.
  Settings settings;
  // classify: negative, positive; or one per class.
  std::vector<std::string> labels;
  Schema schema;
  std::vector<Transform> transforms;
  std::vector<Feature> features;
  std::vector<std::string> group_names;
  double bias = 0;
  // 0 for a flat bias or none.
  double bias_sd = 0;
  // For two labels, the root mean square of Prediction::sd over up to 256 fitted examples. Otherwise 0, and for
  // generative models too.
  double typical_sd = 0;
  Index examples = 0;
  // Examples with a non-zero multiplier.
  std::vector<Index> support;
  // Their multipliers, signed: y_t lambda_t, or beta_t.
  std::vector<double> multipliers;
  // Only for settings.model = kernel.
  std::optional<KernelPart> kernel;
  Report report;
  std::optional<MulticlassPart> multiclass;
  std::optional<GenerativePart> generative;
  // Only for settings.model = latent.
  std::optional<LatentPart> latent;
  std::optional<Recalibration> recalibration;
  // regress: of examples that were left out.
  std::optional<LeftOutErrors> errors;
  // The features that stand out by themselves in a linear model that was not tuned: correlated with the target beyond
  // chance, and with a coefficient that is large among the others. In increasing order; nothing if it was not asked.
  std::optional<std::vector<Index>> evident;
  // How its settings were chosen.
  std::optional<Tuning> tuning;
  // What cross-validation says of it, and the list that was found beside it.
  std::optional<LeftOutAnswer> answer;
  std::optional<FeatureList> list;
  std::optional<Stability> stability;
  std::optional<Discoveries> discoveries;
  std::optional<Clusters> clusters;

  // The rule that selects features: one with bounded errors if that was measured (docs/selection.md). knockoffs:
  // discovered at the rate asked for. stability: stable. Otherwise the list of a tuned model; the evident features of a
  // linear one; or inclusion above 1/2, which bounds nothing.
  SelectedBy selected_by() const;
  bool is_selected(std::size_t feature) const;
  // Number of selected features.
  Index selected() const;

  // The prior over the coefficients.
  PriorKind prior() const;
  // v of each feature, whose coefficients have it where they are in; 0 for kept ones, which have none. Empty where the
  // settings have no prior-variance.
  std::vector<double> prior_variances() const;

  // Predicts rows that were read with this model's schema, before its transforms.
  std::vector<Prediction> predict(const Matrix& x) const;
  friend bool operator==(const Model&, const Model&) = default;
};

// Model files are JSON, {"format": "medlar-model", "version": 1, ...}. Reading back gives the same bits. A value that
// is no JSON number is written as "inf", "-inf" or "nan". A byte that is not UTF-8 is written as U+001A and two
// hexadecimal digits. Reading throws DataError with `source` and the field at fault.
std::string to_json(const Model& model);
Model model_from_json(std::string_view text, const std::string& source);
void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path);

}  // namespace medlar
