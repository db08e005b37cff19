// Anomaly detection (docs/theory.md#anomalies): one class, E[log p(x_t)] - gamma_t >= 0, with the margin prior at the
// alpha-percentile of the log-likelihoods before the fit. The empirical prior leaves out the oddest examples, round
// after round, until the same ones stay out.
#include "medlar/linalg/give_up.hpp"
#include "medlar/models/generative/detector.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/generative/generative_scores.hpp"
#include "medlar/models/generative/typical.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

std::vector<double> base_measures(const GenerativeData& data) {
  const StatisticMaker maker(data.members, data.statistics, false, data.prepared.x.columns());
  std::vector<double> h;
  for (Index t = 0; t < data.prepared.x.rows(); ++t) {
    pause_after(20 * data.prepared.x.row(t).values.size());
    h.push_back(maker.base_measure(data.prepared.x.row(t)));
  }
  return h;
}

// What examples with missing cells get besides their statistics: the marginals of members of several columns, and for
// every missing cell what is typical of its column. Their levels then compare with those of whole rows. `chi` is the
// prior of all members.
std::vector<double> gaps_before(const GenerativeData& data, std::span<const double> chi) {
  const Matrix& x = data.prepared.x;
  const auto T = at(x.rows());
  std::vector<double> gaps = gap_scores(data, chi, {});
  GenerativePart part;
  part.class_bias = {0.0};
  for (const Member& member : data.members) {
    const auto own = chi.subspan(at(member.first), at(member.family->statistics()));
    part.members.push_back(
        {member.family->kind(), member.columns, {{own.begin(), own.end()}}, {}, member.family->shape()});
  }
  bool whole = true;
  for (std::size_t t = 0; t < T && whole; ++t) whole = absent_features(part, x.row(static_cast<Index>(t))).empty();
  if (whole) return gaps;
  MeanContributions mean(part, x.columns());
  const auto rows = GenerativeScores(part, x.columns()).by_column(x, 0);
  for (std::size_t t = 0; t < T; ++t) mean.add(x.row(static_cast<Index>(t)), rows[t]);
  const std::vector<double> typical = mean.means();
  TypicalOfGaps missed(part, typical, x.columns());
  for (std::size_t t = 0; t < T; ++t) gaps[t] += missed(x.row(static_cast<Index>(t)));
  return gaps;
}

LevelsBefore levels_before(const GenerativeData& data, std::span<const double> chi, std::span<const double> h,
                           std::span<const double> counted) {
  const ClassPartition partition(data.members, 1, {chi.begin(), chi.end()});
  std::vector<double> w(at(partition.dimension()));
  partition.mean(std::vector<double>(w.size(), 0.0), w);
  LevelsBefore before{std::vector<double>(h.size()), {}, gaps_before(data, chi)};
  data.rows.scores(w, before.level);
  before.change = leave_one_out(data, chi, std::vector<Index>(h.size(), 0), counted, {});
  for (std::size_t t = 0; t < h.size(); ++t) before.level[t] += h[t] + before.change[t] + before.gaps[t];
  return before;
}

}  // namespace

Model fit_anomaly(const Dataset& data, const Settings& asked, Observer* observer) {
  const FitTime time(asked, observer);
  Settings settings = asked;
  resolve_detector(settings);
  const Examples examples = counted_examples(data, data.weights);
  GenerativeData laid_out = generative_data(data, examples, settings);
  const std::vector<double> h = base_measures(laid_out);
  const std::size_t T = examples.rows.size();

  const std::vector<double> weights = examples.weights.empty() ? std::vector<double>(T, 1.0) : examples.weights;
  std::vector<double> chi;
  const LevelsBefore before = trimmed(weights, settings.trim, time, [&](std::vector<double> counted) {
    chi = empirical_priors(laid_out, counted, 1, settings.statistics_weight);
    for (double& each : counted) each *= settings.statistics_weight;
    return levels_before(laid_out, chi, h, counted);
  });

  const double level = quantile(before.level, settings.alpha);
  const ClassPartition partition(laid_out.members, 1, chi);
  ClassConstraints constraints = single_class_constraints(static_cast<Index>(T), examples.weights);
  for (std::size_t t = 0; t < T; ++t) {
    constraints.offset[t] =
        -h[t] - before.gaps[t] - (settings.offsets == Offsets::leave_one_out ? before.change[t] : 0.0);
  }
  const Solution solution = solve_classes(partition, laid_out.rows, constraints, settings, level, {0.0}, time);

  const std::vector<std::string> names = laid_out.prepared.names;
  Model model = generative_model(data, examples, laid_out, partition, constraints, solution, settings);
  describe_features(model, names);
  complete_detector(model, data, asked, before, level, time);
  return model;
}

}  // namespace medlar
