// What classifiers and anomaly detectors of --model generative share: from a dataset to members, statistics and priors,
// and from a solution to a model.
#pragma once

#include <optional>
#include <vector>

#include "medlar/models/generative/generative_columns.hpp"
#include "medlar/models/generative/generative_statistics.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/prepare/time_left.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

class TreePartition;

// A dataset laid out in the statistics of its members.
struct GenerativeData {
  Prepared prepared;
  std::vector<Member> members;
  Index statistics = 0;  // per class
  StatisticRows rows;
  std::vector<double> prior;  // the weak prior, one class
};

// Resolves settings.scale, and refuses options that a generative model has no use for.
GenerativeData generative_data(const Dataset& data, const Examples& examples, Settings& settings);

// The empirical priors, class by class: the weak prior plus omega times the weighted statistics of the class. shares
// holds the weight of each example in each class.
std::vector<double> empirical_priors(const GenerativeData& data, std::span<const double> shares, Index classes,
                                     double omega);

// For each example, in its own class: the difference of u . K'(chi) without and with the example itself. `counted` is
// its weight there. Members are weighted by `on`, the prior probability of their switch.
std::vector<double> leave_one_out(const GenerativeData& data, std::span<const double> chi, std::span<const Index> y,
                                  std::span<const double> counted, std::span<const double> on);

// For examples that miss some columns of a member that takes several together: the score of the remaining ones, class
// by class, under the marginal of chi. Such examples have no statistic there, so the fit does not move this score.
std::vector<double> gap_scores(const GenerativeData& data, std::span<const double> chi, std::span<const double> on);

// Biases with a prior are centred on the wanted ones. Flat biases take the wanted values where the losses leave them
// open.
Solution solve_classes(const ClassPartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                       const Settings& settings, double location, const std::vector<double>& wanted_bias,
                       const FitTime& time);
Solution solve_classes(const TreePartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                       const Settings& settings, double location, const std::vector<double>& wanted_bias,
                       const FitTime& time);

// The fields of a model that follow from its data and its solution: all but the probabilities and the threshold.
Model generative_model(const Dataset& data, const Examples& examples, GenerativeData& laid_out,
                       const ClassPartition& partition, const ClassConstraints& constraints, const Solution& solution,
                       const Settings& settings);

// A cell that is missing at prediction says nothing, unless there is a mean to fill in.
void leave_open(Model& model);

// Coefficients of the features, from the members of a model.
void describe_features(Model& model, const std::vector<std::string>& names);

Model fit_anomaly(const Dataset& data, const Settings& asked, Observer* observer);

// Trees over discrete columns, as a classifier and as an anomaly detector; what both refuse, and the fields that both
// fill.
Model fit_tree(const Dataset& data, const Settings& asked, Observer* observer);
Model fit_tree_anomaly(const Dataset& data, const Settings& asked, Observer* observer);
void refuse_for_trees(const Settings& settings);
void describe_tree_model(Model& model, const Dataset& data, const Examples& examples,
                         std::span<const double> multipliers, const Report& report);

}  // namespace medlar
