// The generative classifier: L_k(x) = log p(x | theta_k) + b_k, each theta_k with a conjugate prior that has seen its
// own class, moved by the constraints between classes (docs/theory.md#generative, #generative-switches).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/generative/class_scores.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {

namespace {

// The log Bayes factor of "each class has its own distribution" against "all share one", for each member.
std::vector<double> bayes_factors(const GenerativeData& data, std::span<const double> chi, Index classes) {
  const auto n = at(data.statistics);
  std::vector<double> factors, pooled;
  for (const Member& member : data.members) {
    const auto size = at(member.family->statistics()), first = at(member.first);
    const auto prior = std::span<const double>(data.prior).subspan(first, size);
    const double at_prior = member.family->value(prior);
    pooled.assign(prior.begin(), prior.end());
    double factor = 0;
    for (std::size_t k = 0; k < at(classes); ++k) {
      const auto own = chi.subspan(k * n + first, size);
      factor += member.family->value(own) - at_prior;
      for (std::size_t i = 0; i < size; ++i) pooled[i] += own[i] - prior[i];
    }
    factors.push_back(factor - (member.family->value(pooled) - at_prior));
  }
  return factors;
}

// The prior probability of each member's switch.
std::vector<double> switch_priors(const GenerativeData& data, std::span<const double> chi, Index classes,
                                  const Settings& settings) {
  if (settings.switches == SwitchKind::none) return {};
  std::vector<double> p(data.members.size(), settings.p0);
  if (settings.switch_evidence == SwitchEvidence::none || settings.p0 == 1) return p;
  const std::vector<double> factors = bayes_factors(data, chi, classes);
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double logit = std::log(settings.p0) - std::log1p(-settings.p0) + factors[j];
    p[j] = logit >= 0 ? 1 / (1 + std::exp(-logit)) : std::exp(logit) / (1 + std::exp(logit));
  }
  return p;
}

// Scores of each class before the fit, class by class. The example itself is left out of its own class.
struct LeftOut {
  std::vector<double> scores;  // with the bias log share of each class, and those of gaps
  std::vector<double> change;  // of the own class: left out minus left in
  std::vector<double> gaps;    // class by class: the part that comes from no statistic
};

LeftOut left_out_scores(const GenerativeData& data, const ClassPartition& partition, std::span<const double> chi,
                        std::span<const Index> y, std::span<const double> weights, const Settings& settings,
                        std::span<const double> bias) {
  const auto examples = y.size(), n = at(partition.statistics()), classes = at(partition.classes());
  std::vector<double> w(at(partition.dimension()));
  partition.mean(std::vector<double>(w.size(), 0.0), w);
  std::vector<double> counted(examples, settings.statistics_weight);
  for (std::size_t t = 0; t < weights.size(); ++t) counted[t] *= weights[t];
  LeftOut left{std::vector<double>(classes * examples),
               leave_one_out(data, chi, y, counted, partition.prior_inclusion()),
               gap_scores(data, chi, partition.prior_inclusion())};
  for (std::size_t k = 0; k < classes; ++k) {
    data.rows.scores(std::span(w).subspan(k * n, n), std::span(left.scores).subspan(k * examples, examples));
    for (std::size_t t = 0; t < examples; ++t) left.scores[k * examples + t] += bias[k] + left.gaps[k * examples + t];
  }
  for (std::size_t t = 0; t < examples; ++t) left.scores[at(y[t]) * examples + t] += left.change[t];
  return left;
}

// The median margin of the generative classifier. A prior that has seen no class has no margins worth the name. In that
// case they are taken under the prior that has seen the classes.
double scale_of(const GenerativeData& data, const LabelledExamples& given, std::span<const double> shares,
                const LeftOut& left, Settings settings) {
  const Index K = given.classes();
  if (settings.statistics_weight > 0) return margin_scale(left.scores, given.y, K);
  settings.statistics_weight = 1;
  const std::vector<double> chi = empirical_priors(data, shares, K, 1);
  const ClassPartition seen(data.members, K, chi, settings.switches, switch_priors(data, chi, K, settings));
  return margin_scale(
      left_out_scores(data, seen, chi, given.y, given.examples.weights, settings, given.wanted_bias).scores, given.y,
      K);
}

// If all rows of a class miss something of columns that are taken together, only the weak prior is left there; the
// report says so.
void tell_of_classes_unseen(Model& model, const GenerativeData& data, std::span<const double> shares) {
  const Matrix& x = data.prepared.x;
  const StatisticMaker maker(data.members, data.statistics, false, x.columns());
  const std::size_t T = at(x.rows()), members = data.members.size();
  std::vector<bool> seen(members * model.labels.size(), false), gap(members);
  for (std::size_t t = 0; t < T; ++t) {
    std::fill(gap.begin(), gap.end(), false);
    maker.for_each_gap(x.row(static_cast<Index>(t)), [&](std::size_t j, std::span<const double>) { gap[j] = true; });
    for (std::size_t place = 0; place < seen.size(); ++place) {
      if (shares[place / members * T + t] > 0 && !gap[place % members]) seen[place] = true;
    }
  }
  for (std::size_t place = 0; place < seen.size(); ++place) {
    const Member& member = data.members[place % members];
    if (seen[place] || member.columns.size() < 2) continue;
    model.report.message += fmt::format(
        "; no row of the label '{}' has a value in all {} columns that {} takes together, so that its law there is the "
        "weak prior: use --missing mean, or give the columns a family of one column each",
        model.labels[place / members], member.columns.size(), member.family->kind());
  }
}

}  // namespace

Model fit_generative(const Dataset& data, const Settings& asked, Observer* observer) {
  const bool tree = asked.family == FamilyKind::tree;
  if (asked.task == Task::anomaly) return (tree ? fit_tree_anomaly : fit_anomaly)(data, asked, observer);
  if (tree) return fit_tree(data, asked, observer);
  const FitTime time(asked, observer);
  Settings settings = asked;
  settings.task = resolve_task(data, asked);
  if (settings.task == Task::regress) {
    throw OptionError(
        "model = generative tells classes apart, but the task is regress; use --task classify, or "
        "--model linear");
  }
  resolve_margin_and_bias(settings);
  if (!settings.c) settings.c = 1;
  const LabelledExamples given(data, settings);
  const Examples& examples = given.examples;
  const std::vector<Index>& y = given.y;
  const std::vector<double>& wanted = given.wanted_bias;
  const Index K = given.classes();

  GenerativeData laid_out = generative_data(data, examples, settings);
  std::vector<double> shares(at(K) * y.size(), 0.0);
  for (std::size_t t = 0; t < y.size(); ++t) shares[at(y[t]) * y.size() + t] = given.weight(t);
  const std::vector<double> chi = empirical_priors(laid_out, shares, K, settings.statistics_weight);
  const ClassPartition partition(laid_out.members, K, chi, settings.switches,
                                 switch_priors(laid_out, chi, K, settings));
  const LeftOut left = left_out_scores(laid_out, partition, chi, y, examples.weights, settings, wanted);
  const double scale = scale_of(laid_out, given, shares, left, settings);
  const double location = settings.margin_location.value_or(scale > 0 ? scale : 1.0);
  ClassConstraints constraints = rival_constraints(y, K, examples.weights);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    const std::size_t t = at(constraints.example[c]), up = at(constraints.up[c]), down = at(constraints.down[c]);
    constraints.offset[c] = left.gaps[down * y.size() + t] - left.gaps[up * y.size() + t];
    if (settings.offsets == Offsets::leave_one_out) constraints.offset[c] -= left.change[t];
  }
  const Solution solution = solve_classes(partition, laid_out.rows, constraints, settings, location, wanted, time);

  const std::vector<std::string> names = laid_out.prepared.names;
  Model model = generative_model(data, examples, laid_out, partition, constraints, solution, settings);
  model.labels = given.labels.labels;
  tell_of_classes_unseen(model, laid_out, shares);
  model.generative->margin_location = location;
  model.generative->margin_scale = scale;
  set_probabilities(model, data, asked, given.labels, left.scores, y, time);
  describe_features(model, names);
  return model;
}

}  // namespace medlar
