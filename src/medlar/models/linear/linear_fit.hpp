// A linear model over one dataset, for one fit or many: the data is prepared once, and a fit may begin from its
// neighbour with another p0, c or prior variance. What all outputs share stands here: two labels and numbers have one
// output (one_output_fit.hpp), several classes one each (fit_multiclass.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "medlar/fit.hpp"
#include "medlar/linalg/filled_columns.hpp"
#include "medlar/models/linear/evident.hpp"
#include "medlar/models/linear/kept_columns.hpp"
#include "medlar/models/linear/solve_flat.hpp"
#include "medlar/models/linear/solver_units.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/neighbour.hpp"

namespace medlar {

class LinearFit {
 public:
  virtual ~LinearFit() = default;
  LinearFit(const LinearFit&) = delete;
  LinearFit& operator=(const LinearFit&) = delete;

  const Settings& settings() const { return settings_; }  // as resolved: no "auto" is left
  const std::vector<std::string>& names() const { return prepared_.names; }
  const std::vector<std::string>& labels() const { return labels_; }  // none of a regression

  // `settings` are those above, except p0, c, the prior variance and the limits.
  Solution solve(const Settings& settings, Observer* observer, const Neighbour* from = nullptr) const;

  // The fitted distribution of each coefficient; MulticlassPart says in what sense for several classes.
  std::vector<Feature> features(const Settings& settings, const Solution& solution) const;
  // The coefficients and biases of several classes, or the bias of one output.
  std::optional<MulticlassPart> classes(const Solution& solution) const;
  virtual double bias(const Solution&) const { return 0; }
  // Of each fitted example, over its rivals; signed where there is one output.
  virtual std::vector<double> multipliers(const Solution& solution) const = 0;
  // Of the fitted examples: the share of wrong labels, or the RMSE.
  double training_error(const Solution& solution) const;
  Model model(const Settings& settings, const Solution& solution) const;
  // Those of these features that stand out by themselves (evident.hpp).
  std::vector<Index> evident(const std::vector<Feature>& features) const;

 protected:
  // Resolves the task; the examples follow, when their weights are known.
  LinearFit(const Dataset& data, const Settings& asked);
  void take_examples(std::span<const double> weights);
  // Without empty columns, if that saves much.
  const Matrix& rows() const { return filled_ ? filled_->x : prepared_.x; }

  // Over all coefficients, output by output, in the units of solvers.
  virtual ParameterPrior prior(const Settings& settings) const;
  // Over rows as solvers see them, and with these parts of the scores known, output by output; empty: none are.
  virtual Solution solve_rows(const ParameterPrior& prior, const Matrix& x, std::span<const double> known,
                              const Settings& settings, Observer* observer, const Neighbour* from) const = 0;
  // The same with flat columns, whose coefficients begin at `t`.
  virtual FlatSolution solve_flat(const ParameterPrior& prior, const FlatRows& rows, std::vector<double> t,
                                  const Settings& settings, Observer* observer, const Neighbour* from) const = 0;
  // F without any feature.
  virtual double loss_of_bias(const Settings& settings) const = 0;
  // In whose units coefficients are told: the spread of the target, or the margin that classes ask for.
  virtual double score_unit(const Settings& settings) const = 0;
  std::size_t outputs() const { return labels_.size() > 2 ? labels_.size() : 1; }
  // Where a solve from nothing gets stuck: easier settings that lead to these, the last of which are these.
  virtual std::vector<Settings> steps_to(const Settings& settings) const = 0;
  // What example t adds to the training error.
  virtual double error(std::size_t t, const PrimalPoint& point) const = 0;

  const Dataset& data_;
  Settings settings_;
  std::vector<std::string> labels_;
  Examples examples_;
  Prepared prepared_;
  Grouping grouping_;
  std::optional<FilledColumns> filled_;  // what is solved for, unless it is all

 private:
  mutable std::optional<Standing> standing_;  // when it was asked for first
  // The rows as solvers see them. Fits of a path that sweeps the prior variance need others in each step.
  struct SolverRows {
    SolverUnits units;
    double unit_of_kept = 0, scale = 0;  // of the kept columns
    Matrix x;
  };
  void fill_solver_rows() const;
  // Makes those for these settings; false if they are there already.
  bool make_solver_rows(const Settings& settings) const;
  Solution solve_at_once(const Settings& settings, Observer* observer, const Neighbour* from) const;
  Solution solve_kept(Settings settings, Observer* observer, Neighbour* from) const;
  const std::vector<double>& kept_alone(const Settings& settings, Observer* observer) const;

  mutable std::optional<KeptColumns> kept_;  // made with the first of these rows
  mutable SolverRows solver_rows_;           // of the last solve
  // Flat coefficients of a fit without other features, and what that took.
  mutable std::vector<double> kept_alone_;
  mutable double kept_alone_seconds_ = 0;
};

// Whether more than two labels are told apart.
bool has_several_classes(const Dataset& data, const Settings& settings);

// The dataset and the settings have been checked.
std::unique_ptr<LinearFit> linear_fit(const Dataset& data, const Settings& asked);
std::unique_ptr<LinearFit> several_classes_fit(const Dataset& data, const Settings& asked);

// Whether the multipliers of one fit lie in the domain of the other.
bool same_margins(const Settings& a, const Settings& b);

}  // namespace medlar
