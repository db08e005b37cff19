// Most of this file decides what a dataset cannot be fitted by, before anything is computed: columns that never occur
// together, values without digits, switches with nothing to select. Leave-one-out scores take an example out of the
// sums of its own class; an example that is 0 in a member changes it as all such examples do, so that change is
// computed once.
#include "medlar/models/generative/generative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/models/generative/generative_scores.hpp"
#include "medlar/models/generative/values.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {

namespace {

bool has_missing(const Matrix& x) {
  for (std::size_t j = 0; j < x.values().size(); ++j) {
    if (std::isnan(x.values()[j])) return true;
  }
  return false;
}

// The columns of a member in the rows that miss none of them, row after row.
std::vector<double> whole_rows(const Matrix& x, const std::vector<Index>& columns) {
  std::vector<double> all, row(at(x.columns()));
  for (Index t = 0; t < x.rows(); ++t) {
    std::fill(row.begin(), row.end(), 0.0);
    for_each(x.row(t), [&](Index i, double value) { row[at(i)] = value; });
    const std::size_t before = all.size();
    for (const Index i : columns) all.push_back(row[at(i)]);
    const bool missing = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                                     [](double value) { return std::isnan(value); });
    if (missing) all.resize(before);
  }
  return all;
}

// A normal law is kept as sums of x and x^2. For such a column their difference has no digits left.
void require_digits(const Dataset& data, const Prepared& prepared, const Member& member,
                    const std::vector<ColumnMoments>& moments) {
  constexpr double least = 1e-10;  // of the mean's square
  if (member.family->kind() != FamilyKind::gaussian_diagonal && member.family->kind() != FamilyKind::gaussian_full)
    return;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const auto& [mean, variance, count] = moments[i];
    if (variance == 0 || variance >= least * mean * mean) continue;
    throw DataError(
        fmt::format("{}: '{}' varies by {:.3g} about {:.6g}, which squares in double precision do not tell; subtract "
                    "{:.6g} from it, or use --scale standard",
                    data.source, prepared.names[at(member.columns[i])], std::sqrt(variance), mean, mean));
  }
}

void refuse_options_of_other_models(const Settings& settings) {
  refuse_unused(settings, {"groups", "feature-priors", "prior-mean", "prior-variance", "epsilon"},
                "a generative model");
  if (settings.solver != SolverKind::automatic && settings.solver != SolverKind::newton &&
      settings.solver != SolverKind::ascent) {
    throw OptionError(
        fmt::format("solver = {}, but a generative model is fitted by newton or ascent; use auto", settings.solver));
  }
  if (settings.switches == SwitchKind::none && settings.p0 != Settings{}.p0 && settings.p0 != 1) {
    throw OptionError(fmt::format(
        "p0 = {}, but this generative model has no switches; add --switches tied, or leave p0 out", settings.p0));
  }
}

}  // namespace

GenerativeData generative_data(const Dataset& data, const Examples& examples, Settings& settings) {
  refuse_options_of_other_models(settings);
  GenerativeData laid_out;
  if (settings.scale == ScaleKind::automatic)
    settings.scale = settings.family == FamilyKind::gaussian ? ScaleKind::standard : ScaleKind::none;
  if (settings.expand != ExpansionKind::none && has_missing(data.x)) {
    throw OptionError(
        fmt::format("expand = {}, but the data has missing cells, whose products nobody knows; use --missing mean",
                    settings.expand));
  }
  laid_out.prepared = prepare(data, examples, settings);
  const std::vector<SourceColumn> columns = columns_with_families(data, laid_out.prepared, settings);
  check_values(data, laid_out.prepared, examples, columns);
  laid_out.members = members_of(columns);
  const bool per_class = settings.switches == SwitchKind::per_class;
  if (settings.switches != SwitchKind::none && laid_out.members.size() < 2) {
    const bool one = laid_out.members[0].columns.size() == 1;
    throw OptionError(
        fmt::format("switches = {}, but {}, so that there is none to select", settings.switches,
                    one ? std::string("there is one column only")
                        : fmt::format("{} takes all columns together", laid_out.members[0].family->kind())));
  }
  const std::vector<ColumnMoments> moments = column_moments(laid_out.prepared.x, examples.weights);
  for (Member& member : laid_out.members) {
    std::vector<ColumnMoments> own;
    for (const Index i : member.columns) own.push_back(moments[at(i)]);
    require_digits(data, laid_out.prepared, member, own);
    const bool gaps = member.columns.size() > 1 && has_missing(laid_out.prepared.x);
    if (gaps || member.family->products() > 0) {
      const std::vector<double> seen = whole_rows(laid_out.prepared.x, member.columns);
      if (seen.empty()) {
        throw DataError(
            fmt::format("{}: no example has a value in all {} columns that {} takes together, so that nothing is known "
                        "of them; use --missing mean, or give the columns a family of one column each",
                        data.source, member.columns.size(), member.family->kind()));
      }
      const auto smaller = member.family->for_examples(seen, own, settings.prior_strength);
      if (smaller) member.family = smaller;
    }
    member.first = laid_out.statistics;
    laid_out.statistics += member.family->statistics();
    laid_out.prior.resize(at(laid_out.statistics));
    member.family->prior(settings.prior_strength, own, std::span(laid_out.prior).subspan(at(member.first)));
  }
  const Index wide = laid_out.statistics + (per_class ? std::ssize(laid_out.members) : 0);
  laid_out.rows =
      StatisticMaker(laid_out.members, wide, per_class, laid_out.prepared.x.columns()).rows(laid_out.prepared.x);
  return laid_out;
}

std::vector<double> empirical_priors(const GenerativeData& data, std::span<const double> shares, Index classes,
                                     double omega) {
  const auto n = at(data.statistics), wide = at(data.rows.statistics()), examples = at(data.rows.examples());
  std::vector<double> chi, sums(wide), r(examples);
  for (std::size_t k = 0; k < at(classes); ++k) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t t = 0; t < examples; ++t) r[t] = omega * shares[k * examples + t];
    if (omega > 0) data.rows.add(r, sums);
    for (std::size_t i = 0; i < n; ++i) chi.push_back(data.prior[i] + sums[i]);
  }
  return chi;
}

std::vector<double> leave_one_out(const GenerativeData& data, std::span<const double> chi, std::span<const Index> y,
                                  std::span<const double> counted, std::span<const double> on) {
  const auto n = at(data.statistics);
  std::vector<double> row(at(data.rows.statistics())), change(y.size(), 0.0);
  // Columns where x = 0 are alike for all examples that count once: what they give is kept by class and member.
  const std::size_t members = data.members.size();
  std::vector<double> at_zero(chi.size() / n * members, std::nan(""));
  std::vector<std::vector<double>> curvature;  // by class and member
  for (std::size_t place = 0; place < at_zero.size(); ++place) {
    const Member& member = data.members[place % members];
    curvature.emplace_back(at(member.family->curvature_size()));
    const std::size_t first = place / members * n + at(member.first);
    member.family->curvature(chi.subspan(first, at(member.family->statistics())), curvature.back());
  }
  for (std::size_t t = 0; t < y.size(); ++t) {
    if (counted[t] == 0) continue;
    pause_after(30 * n);
    data.rows.row(static_cast<Index>(t), row);
    for (std::size_t j = 0; j < members; ++j) {
      const Family& family = *data.members[j].family;
      const auto size = at(family.statistics()), first = at(data.members[j].first);
      const auto u = std::span<const double>(row).subspan(first, size);
      const auto here = chi.subspan(at(y[t]) * n + first, size);
      const Index count = family.count();
      bool zero = true;
      for (std::size_t i = 0; i < size && zero; ++i) zero = u[i] == (static_cast<Index>(i) == count ? 1.0 : 0.0);
      double& kept = at_zero[at(y[t]) * members + j];
      const double weight = on.empty() ? 1.0 : on[j];
      if (zero && counted[t] == 1 && !std::isnan(kept)) {
        change[t] += weight * kept;
        continue;
      }
      const double difference = family.left_out(here, curvature[at(y[t]) * members + j], counted[t], u);
      if (zero && counted[t] == 1) kept = difference;
      change[t] += weight * difference;
    }
  }
  return change;
}

std::vector<double> gap_scores(const GenerativeData& data, std::span<const double> chi, std::span<const double> on) {
  const auto n = at(data.statistics), examples = at(data.rows.examples()), classes = chi.size() / n;
  std::vector<double> scores(classes * examples, 0.0);
  if (!has_missing(data.prepared.x)) return scores;
  const StatisticMaker maker(data.members, data.statistics, false, data.prepared.x.columns());
  Marginals marginals(maker, data.members, classes, [&](std::size_t j, std::size_t k) {
    return chi.subspan(k * n + at(data.members[j].first), at(data.members[j].family->statistics()));
  });
  for (std::size_t t = 0; t < examples; ++t) {
    for (const Marginals::Gap& gap : marginals(data.prepared.x.row(static_cast<Index>(t)))) {
      const double weight = on.empty() ? 1.0 : on[gap.member];
      for (std::size_t k = 0; k < classes; ++k) scores[k * examples + t] += weight * gap.score[k];
    }
  }
  return scores;
}

Model generative_model(const Dataset& data, const Examples& examples, GenerativeData& laid_out,
                       const ClassPartition& partition, const ClassConstraints& constraints, const Solution& solution,
                       const Settings& settings) {
  Model model;
  model.settings = settings;
  model.task = settings.task;
  model.schema = data.schema;
  model.schema.features = data.features();
  leave_open(model);
  model.transforms = std::move(laid_out.prepared.transforms);
  model.examples = data.examples();
  model.report = solution.report;

  GenerativePart part;
  part.class_bias = solution.primal.bias;
  const auto n = at(partition.statistics());
  const std::vector<double> inclusion = partition.inclusion(solution.primal.v);
  const std::size_t per_member = settings.switches == SwitchKind::per_class ? at(partition.classes()) : 1;
  for (std::size_t j = 0; j < partition.members().size(); ++j) {
    const Member& member = partition.members()[j];
    GenerativeMember kept{member.family->kind(), member.columns, {}, {}, member.family->shape()};
    for (std::size_t k = 0; k < at(partition.classes()); ++k) {
      std::vector<double>& chi = kept.chi.emplace_back(at(member.family->statistics()));
      const std::size_t first = k * n + at(member.first);
      for (std::size_t i = 0; i < chi.size(); ++i) chi[i] = partition.prior()[first + i] + solution.primal.v[first + i];
    }
    if (!inclusion.empty()) {
      kept.inclusion.assign(inclusion.begin() + static_cast<std::ptrdiff_t>(j * per_member),
                            inclusion.begin() + static_cast<std::ptrdiff_t>((j + 1) * per_member));
    }
    part.members.push_back(std::move(kept));
  }
  model.generative = std::move(part);
  model.bias = partition.classes() == 2 ? solution.primal.bias[1] - solution.primal.bias[0] : 0;

  // y_t times the sum of an example's multipliers, as in linear models.
  std::vector<double> sum(examples.rows.size(), 0.0);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    const bool negative = constraints.classes == 2 && constraints.up[c] == 0;
    sum[at(constraints.example[c])] += (negative ? -1 : 1) * solution.dual.lambda[c];
  }
  for (std::size_t t = 0; t < sum.size(); ++t) {
    if (sum[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(sum[t]);
  }
  return model;
}

void leave_open(Model& model) {
  const bool as_they_are = model.settings.expand == ExpansionKind::none;
  for (ColumnSchema& column : model.schema.columns) {
    if (!column.categorical()) column.open = as_they_are && !column.fill;
  }
}

// The coefficient of x_i in the discriminant. For two classes it is their difference, for more the length of the vector
// of class coefficients about its mean.
void describe_features(Model& model, const std::vector<std::string>& names) {
  const GenerativeScores scores(*model.generative, static_cast<Index>(names.size()));
  model.features.resize(names.size());
  for (std::size_t j = 0; j < scores.members().size(); ++j) {
    const Member& member = scores.members()[j];
    const GenerativeMember& kept = model.generative->members[j];
    for (std::size_t i = 0; i < member.columns.size(); ++i) {
      const std::size_t classes = kept.chi.size();
      std::vector<double> w(classes), variance(classes);
      for (std::size_t k = 0; k < classes; ++k) {
        w[k] = scores.coefficient(j, k, i);
        variance[k] = scores.coefficient_variance(j, k, i);
      }
      Feature& feature = model.features[at(member.columns[i])];
      feature.name = names[at(member.columns[i])];
      feature.inclusion =
          kept.inclusion.empty() ? 1.0 : *std::max_element(kept.inclusion.begin(), kept.inclusion.end());
      double mean = 0, sum = 0, squares = 0;
      for (std::size_t k = 0; k < classes; ++k) mean += w[k] / static_cast<double>(classes), sum += variance[k];
      for (const double each : w) squares += (each - mean) * (each - mean);
      feature.coefficient = classes == 1 ? w[0] : classes == 2 ? w[1] - w[0] : std::sqrt(squares);
      feature.sd = std::sqrt(std::max(0.0, classes > 2 ? sum / static_cast<double>(classes) : sum));
    }
  }
}

}  // namespace medlar
