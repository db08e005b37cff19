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
#include "medlar/trust.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

// One recorded step from file features to model features, replayed at prediction.
struct KernelOfMap {
  KernelKind kind = KernelKind::rbf;
  double gamma = 0, coef0 = 0;
  Index degree = 0;
  friend bool operator==(const KernelOfMap&, const KernelOfMap&) = default;
};

struct Transform {
  TransformKind kind = TransformKind::expand;
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
  double score = 0;        // E[L(x)]: the discriminant (of several classes: the winner's), or the predicted value
  double sd = 0;           // its standard deviation under the fitted distribution
  double probability = 0;  // classify: of the positive label, or of several classes the winner's
  Index label = -1;        // classify: index into Model::labels
  std::vector<double> probabilities = {};  // one per label when there are more than two; else empty
};

// What a linear model of more than two classes keeps: L_k(x) = w_k . x + b_k. One switch turns a feature on in all
// classes, so that it has one inclusion; Feature::coefficient is then the length of its vector of class coefficients,
// and Feature::sd the root of their mean variance.
struct MulticlassPart {
  std::vector<double> coefficient;  // feature by feature, one per class
  std::vector<double> class_bias;   // one per class, 0 in sum if flat
  friend bool operator==(const MulticlassPart&, const MulticlassPart&) = default;
};

// What a generative model keeps: the fitted prior of each class, in the statistics of its families.
struct GenerativeMember {
  FamilyKind family = FamilyKind::gaussian;
  std::vector<Index> columns;            // features after the transforms
  std::vector<std::vector<double>> chi;  // one per class: sums of statistics, pseudo-examples included
  std::vector<double> inclusion;         // of its switch: one, or one per class; empty without switches
  // More columns that are normal together than examples: what M is outside the directions that hold these, the scale of
  // each column, then direction by direction; chi is in those directions. Empty otherwise.
  std::vector<double> shape = {};
  friend bool operator==(const GenerativeMember&, const GenerativeMember&) = default;
};
// A class's distribution over trees: fixed tables, and a weight for each edge u < v, in the order 0-1, 0-2, 1-2, 0-3,
// ... A tree is as likely as e^{sum of the weights of its edges}.
struct GenerativeTree {
  std::vector<std::vector<double>> single;  // log p(x_u), by variable and level
  std::vector<std::vector<double>> pair;    // log p(x_u, x_v)/(p(x_u) p(x_v)), by edge; levels of u row by row
  std::vector<double> weight;               // of each edge
  friend bool operator==(const GenerativeTree&, const GenerativeTree&) = default;
};
struct GenerativePart {
  std::vector<GenerativeMember> members;
  std::vector<std::vector<Index>> variables;  // family tree: the features that are the levels of each variable
  std::vector<GenerativeTree> trees;          // family tree: one per class, instead of members
  std::vector<double> class_bias;             // one per class, 0 in sum
  double margin_location = 1;                 // as it was used; of an anomaly detector the level of the log-likelihood
  double margin_scale = 1;                    // median absolute leave-one-out margin
  double slope = 1;                           // probabilities in proportion to e^{slope score}
  double threshold = 0;                       // anomaly: scores below it are odd
  std::vector<double> levels;                 // anomaly: scores of normal examples that were left out, in order
  std::vector<double> typical;                // anomaly: mean contribution of each feature (anomaly.hpp)
  friend bool operator==(const GenerativePart&, const GenerativePart&) = default;
};

// What a kernel model keeps: the support vectors, as the transforms left them, and their weights v beta_t in the score.
// A precomputed kernel has no vectors; Model::support says which columns of a row count. Several classes are told apart
// two by two, in the order (0, 1), (0, 2), ..., (1, 2), ...: a positive score of a pair speaks for its first; or
// jointly, by a score for each.
struct KernelPart {
  Index columns = 0;
  bool sparse = false;
  std::vector<Index> starts;      // sparse: where each vector begins
  std::vector<Column> column_of;  // sparse
  std::vector<double> values;     // by vector
  std::vector<double> weights;    // one per vector; of several classes one per pair (or class) and vector, pair by pair
  std::vector<double> pair_bias;  // of several classes, two by two: one per pair
  std::vector<double> class_bias;  // of several classes, jointly: one per class, 0 in sum if flat
  double mean_diagonal = 0;        // of k(x_t, x_t) in training: precomputed rows do not tell k(x, x)
  Matrix vectors() const;
  friend bool operator==(const KernelPart&, const KernelPart&) = default;
};

// Rows of a dataset, as a model keeps and writes them.
struct KeptRows {
  Index columns = 0;
  bool sparse = false;
  std::vector<Index> starts;      // sparse: as in Matrix
  std::vector<Column> column_of;  // sparse
  std::vector<double> values;     // row by row
  friend bool operator==(const KeptRows&, const KeptRows&) = default;
};

// Transformations U of an example and the prior P0(U | x) of each, from a template that no label entered.
struct TransformationPart {
  LatentKind kind = LatentKind::shifts;  // or matrices, translation
  Index height = 1, width = 0, reach = 0;
  double rotation = 0;
  std::optional<double> background;  // of an image: what a map takes from outside; none: the nearest pixel
  std::vector<double> maps;  // matrices: one n x n map after the other; translation: one direction of n after the other
  std::vector<double> mean;  // of the template; empty: P0(U) is uniform
  std::vector<double> variance;    // about it, of each feature
  std::vector<double> multiplier;  // literal: of each problem the typical lambda, which tilts U at prediction
  friend bool operator==(const TransformationPart&, const TransformationPart&) = default;
};

// States of a Markov chain along a sequence, and what is measured in each.
struct AlignmentPart {
  Index states = 0, channels = 0;
  StatePath path = StatePath::hmm;  // as in the settings, automatic resolved
  StateStatistics statistics = StateStatistics::levels;
  std::vector<double> start, transition;  // hmm, left-to-right: of the chain
  std::vector<double> mean, variance;     // hmm: of the emissions, state by state
  std::vector<double> shift, factor;      // of each channel, before anything else: (x - shift) * factor
  std::vector<double> multiplier;         // literal: of each problem the typical lambda
  friend bool operator==(const AlignmentPart&, const AlignmentPart&) = default;
};

// What a latent model keeps beyond the fields of every model.
struct LatentPart {
  std::vector<double> kl;     // total KL divergence after each round; never rises
  std::vector<double> share;  // labels: r of the balance constraint: of the positive class, or of each; empty: none
  // labels: the training examples, to which transduce() adds others
  KeptRows rows;                  // before the transforms
  std::vector<double> belief;     // P0(y = positive), or of more than two classes P0(y = k), example by example
  std::vector<double> weight;     // of each
  std::vector<Index> unlabelled;  // their rows
  std::optional<TransformationPart> transformation;
  std::optional<AlignmentPart> alignment;
  friend bool operator==(const LatentPart&, const LatentPart&) = default;
};

struct Model {
  Task task = Task::classify;       // never automatic
  Settings settings;                // as resolved for this fit: no "auto" is left
  std::vector<std::string> labels;  // classify: negative, positive; or one per class
  Schema schema;
  std::vector<Transform> transforms;
  std::vector<Feature> features;
  std::vector<std::string> group_names;
  double bias = 0;
  double bias_sd = 0;  // 0 for a flat bias or none
  // Two labels: root mean square of Prediction::sd over up to 256 fitted examples; else, and of a generative model, 0.
  double typical_sd = 0;
  Index examples = 0;
  std::vector<Index> support;        // examples with a non-zero multiplier
  std::vector<double> multipliers;   // theirs, signed: y_t lambda_t, or beta_t
  std::optional<KernelPart> kernel;  // settings.model = kernel
  Report report;
  std::optional<MulticlassPart> multiclass;
  std::optional<GenerativePart> generative;
  std::optional<LatentPart> latent;  // settings.model = latent
  std::optional<Recalibration> recalibration;
  std::optional<Tuning> tuning;  // how its settings were chosen
  std::optional<Stability> stability;
  std::optional<Discoveries> discoveries;
  std::optional<Clusters> clusters;

  // Selected are the features whose errors are bounded, where that was measured (docs/selection.md). The rule:
  // knockoffs, discovered at the rate asked for; stability, stable; else inclusion, above 1/2, which bounds nothing.
  SelectedBy selected_by() const;
  bool is_selected(std::size_t feature) const;
  Index selected() const;  // how many features are

  PriorKind prior() const;  // what was put over the coefficients

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
