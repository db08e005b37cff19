// The part may come from a file that somebody edited, so every size and domain is checked before a number is used. A
// member that misses some of its columns is scored by its marginal law instead of its statistics.
#include "medlar/models/generative/generative_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "medlar/error.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/families/families.hpp"

namespace medlar {

std::vector<Index> absent_features(const GenerativePart& part, const RowView& row) {
  std::vector<Index> absent;
  std::unordered_set<Index> said;
  for_each(row, [&](Index i, double value) {
    if (std::isnan(value)) absent.push_back(i);
    if (value != 0) said.insert(i);  // also for a NaN, which is already in the list
  });
  const auto add = [&](const std::vector<Index>& columns) {
    if (std::any_of(columns.begin(), columns.end(), [&](Index i) { return said.contains(i); })) return;
    absent.insert(absent.end(), columns.begin(), columns.end());
  };
  for (const GenerativeMember& member : part.members) {
    if (member.family == FamilyKind::multinomial) add(member.columns);
  }
  for (const std::vector<Index>& variable : part.variables) {
    if (variable.size() > 1) add(variable);
  }
  return absent;
}

GenerativeScores::GenerativeScores(const GenerativePart& part, Index features) : part_(part), features_(features) {
  classes_ = part_.class_bias.size();
  std::vector<bool> taken(static_cast<std::size_t>(features), false);
  for (const GenerativeMember& kept : part_.members) {
    const FamilyRow* row = find_family(kept.family);
    if (row == nullptr) throw DataError(fmt::format("the model has the family '{}', which is unknown", kept.family));
    Member member{row->make(static_cast<Index>(kept.columns.size())), kept.columns, statistics_};
    if (!kept.shape.empty()) member.family = member.family->shaped(kept.shape);
    if (!member.family) throw DataError(fmt::format("the model's member of family {} has no such shape", kept.family));
    const Family& family = *member.family;
    bool whole = kept.chi.size() == classes_ && std::ssize(kept.columns) == family.columns();
    for (const Index i : kept.columns) {
      whole = whole && i >= 0 && i < features && !taken[static_cast<std::size_t>(i)];
      if (whole) taken[static_cast<std::size_t>(i)] = true;
    }
    for (const std::vector<double>& chi : kept.chi) {
      whole = whole && std::ssize(chi) == family.statistics() && std::isfinite(family.value(chi));
      if (!whole) break;
      slope_.emplace_back(chi.size());
      family.gradient(chi, slope_.back());
      curvature_.emplace_back(static_cast<std::size_t>(family.curvature_size()));
      family.curvature(chi, curvature_.back());
    }
    if (!whole) {
      throw DataError(fmt::format("the model's member of family {} does not fit its columns or classes", kept.family));
    }
    statistics_ += family.statistics();
    members_.push_back(std::move(member));
  }
}

double GenerativeScores::on(std::size_t j, std::size_t k) const {
  const std::vector<double>& inclusion = part_.members[j].inclusion;
  return inclusion.empty() ? 1 : inclusion[inclusion.size() == 1 ? 0 : k];
}

double GenerativeScores::coefficient(std::size_t j, std::size_t k, std::size_t i) const {
  return on(j, k) * members_[j].family->coefficient(slope_[j * classes_ + k], static_cast<Index>(i));
}

double GenerativeScores::coefficient_variance(std::size_t j, std::size_t k, std::size_t i) const {
  const double p = on(j, k), slope = members_[j].family->coefficient(slope_[j * classes_ + k], static_cast<Index>(i));
  return p * members_[j].family->coefficient_variance(curvature_[j * classes_ + k], static_cast<Index>(i)) +
         p * (1 - p) * slope * slope;
}

Marginals GenerativeScores::marginals(const StatisticMaker& maker) const {
  return {maker, members_, classes_,
          [this](std::size_t j, std::size_t k) { return std::span<const double>(part_.members[j].chi[k]); }};
}

std::vector<GenerativeScores::Scored> GenerativeScores::operator()(const Matrix& x, bool variances) const {
  const StatisticMaker maker = this->maker();
  Marginals marginals = this->marginals(maker);
  const StatisticRows rows = maker.rows(x);
  std::vector<Scored> all(static_cast<std::size_t>(x.rows()));
  std::vector<double> u(static_cast<std::size_t>(statistics_)), base(members_.size());
  for (Index t = 0; t < x.rows(); ++t) {
    Scored& scored = all[static_cast<std::size_t>(t)];
    scored.scores.assign(classes_, 0.0);
    scored.parts.assign(classes_ * members_.size(), 0.0);
    if (variances) scored.variances.assign(scored.parts.size(), 0.0);
    rows.row(t, u);
    std::fill(base.begin(), base.end(), 0.0);
    maker.base_measure(x.row(t), base);
    for (std::size_t j = 0; j < members_.size(); ++j) {
      const auto own =
          std::span<const double>(u).subspan(static_cast<std::size_t>(members_[j].first), slope_[j * classes_].size());
      for (std::size_t k = 0; k < classes_; ++k) {
        const auto& slope = slope_[j * classes_ + k];
        const double score = std::inner_product(own.begin(), own.end(), slope.begin(), 0.0) + base[j];
        scored.parts[k * members_.size() + j] = on(j, k) * score;
        scored.scores[k] += on(j, k) * score;
        if (!variances) continue;
        scored.variances[k * members_.size() + j] = members_[j].family->variance(curvature_[j * classes_ + k], own);
      }
    }
    for (const Marginals::Gap& gap : marginals(x.row(t))) {
      const std::size_t j = gap.member;
      for (std::size_t k = 0; k < classes_; ++k) {
        scored.parts[k * members_.size() + j] = on(j, k) * gap.score[k];
        scored.scores[k] += on(j, k) * gap.score[k];
        if (variances) scored.variances[k * members_.size() + j] = gap.variance[k];
      }
    }
    for (std::size_t k = 0; k < classes_; ++k) scored.scores[k] += part_.class_bias[k];
  }
  return all;
}

std::vector<std::vector<double>> GenerativeScores::by_column(const Matrix& x, std::size_t k) const {
  const StatisticMaker maker = this->maker();
  const StatisticRows rows = maker.rows(x);
  Marginals marginals = this->marginals(maker);
  std::vector<std::vector<double>> all;
  std::vector<double> u(static_cast<std::size_t>(statistics_)), values(static_cast<std::size_t>(features_)), own, out;
  for (Index t = 0; t < x.rows(); ++t) {
    rows.row(t, u);
    std::fill(values.begin(), values.end(), 0.0);
    for_each(x.row(t), [&](Index i, double value) { values[static_cast<std::size_t>(i)] = value; });
    std::vector<double>& row = all.emplace_back(values.size(), 0.0);
    for (std::size_t j = 0; j < members_.size(); ++j) {
      const std::vector<Index>& columns = members_[j].columns;
      own.clear();
      bool missing = false;
      for (const Index i : columns) {
        own.push_back(values[static_cast<std::size_t>(i)]);
        missing = missing || std::isnan(own.back());
      }
      if (missing) continue;  // no statistic; the columns that are there follow below
      out.resize(columns.size());
      const auto statistics =
          std::span<const double>(u).subspan(static_cast<std::size_t>(members_[j].first), slope_[j * classes_].size());
      members_[j].family->contributions(slope_[j * classes_ + k], curvature_[j * classes_ + k], own, statistics, out);
      for (std::size_t i = 0; i < columns.size(); ++i) row[static_cast<std::size_t>(columns[i])] = on(j, k) * out[i];
    }
    for (const Marginals::Gap& gap : marginals(x.row(t))) {
      for (std::size_t i = 0; i < gap.there.size(); ++i) {
        const Index column = members_[gap.member].columns[static_cast<std::size_t>(gap.there[i])];
        row[static_cast<std::size_t>(column)] = on(gap.member, k) * gap.parts[k][i];
      }
    }
  }
  return all;
}

}  // namespace medlar
