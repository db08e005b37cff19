// Statistics must stay sparse: a cell of 0 has none, and the count of a member, which every example raises, is stored
// apart and only corrected where a cell is missing. The products of normal columns are not stored at all. Means and
// variances take two passes, so that a constant column has variance 0 exactly.
#include "medlar/models/generative/generative_statistics.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"

#include <algorithm>
#include <cmath>

namespace medlar {

StatisticMaker::StatisticMaker(const std::vector<Member>& members, Index statistics, bool with_base_measures,
                               Index features)
    : members_(members), statistics_(statistics), base_measures_(with_base_measures), place_(at(features)) {
  for (std::size_t j = 0; j < members.size(); ++j) {
    for (std::size_t i = 0; i < members[j].columns.size(); ++i) {
      place_[at(members[j].columns[i])] = {static_cast<Index>(j), static_cast<Index>(i)};
    }
  }
}

template <class Visit>
void StatisticMaker::visit(const RowView& row, Visit visit) const {
  std::vector<std::pair<Place, double>> found;
  for_each(row, [&](Index i, double value) {
    if (value != 0) found.push_back({place_[at(i)], value});
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.member < b.first.member; });
  std::vector<double> values;
  for (std::size_t begin = 0; begin < found.size();) {
    const auto member = at(found[begin].first.member);
    values.assign(members_[member].columns.size(), 0.0);
    bool missing = false;
    std::size_t end = begin;
    for (; end < found.size() && at(found[end].first.member) == member; ++end) {
      values[at(found[end].first.position)] = found[end].second;
      missing = missing || std::isnan(found[end].second);
    }
    visit(member, values, missing);
    begin = end;
  }
}

StatisticRows StatisticMaker::rows(const Matrix& x) const {
  std::vector<Index> starts{0}, counts;
  std::vector<Column> column_of;
  std::vector<double> stored, u;
  std::vector<SecondMoments> moments;
  std::vector<std::size_t> moments_of(members_.size(), 0);
  for (std::size_t j = 0; j < members_.size(); ++j) {
    const Family& family = *members_[j].family;
    if (family.count() >= 0) counts.push_back(members_[j].first + family.count());
    if (family.products() == 0) continue;
    moments_of[j] = moments.size();
    moments.push_back({members_[j].first + family.products(), family.products(),
                       std::vector<double>(at(x.rows() * family.products()), 0.0)});
  }
  for (Index t = 0; t < x.rows(); ++t) {
    pause_after(20 * x.row(t).values.size());
    std::vector<std::pair<Index, double>> entries, base;
    visit(x.row(t), [&](std::size_t j, const std::vector<double>& values, bool missing) {
      const Member& member = members_[j];
      const Family& family = *member.family;
      if (missing) {
        if (family.count() >= 0) entries.push_back({member.first + family.count(), -1.0});
        return;
      }
      u.resize(at(family.statistics()));
      family.statistics_of(values, u);
      const auto r = at(family.products());
      if (r > 0) std::copy_n(u.begin(), r, moments[moments_of[j]].x.begin() + t * family.products());
      for (std::size_t i = 0; i < u.size(); i = i + 1 == r ? r + r * r : i + 1) {
        if (u[i] != 0) entries.push_back({member.first + static_cast<Index>(i), u[i]});
      }
      if (!base_measures_) return;
      const double h = family.base_measure(values);
      if (h != 0) base.push_back({statistics_ - std::ssize(members_) + static_cast<Index>(j), h});
    });
    for (const auto& list : {entries, base}) {
      for (const auto& [place, value] : list) {
        column_of.push_back(static_cast<Column>(place));
        stored.push_back(value);
      }
    }
    starts.push_back(static_cast<Index>(stored.size()));
  }
  return {Matrix::sparse(x.rows(), statistics_, std::move(starts), std::move(column_of), std::move(stored)),
          std::move(counts), std::move(moments)};
}

double StatisticMaker::base_measure(const RowView& row, std::span<double> each) const {
  double sum = 0;
  visit(row, [&](std::size_t j, const std::vector<double>& values, bool missing) {
    if (missing) return;
    const double h = members_[j].family->base_measure(values);
    sum += h;
    if (!each.empty()) each[j] += h;
  });
  return sum;
}

void StatisticMaker::for_each_gap(const RowView& row,
                                  const std::function<void(std::size_t, std::span<const double>)>& visit_gap) const {
  visit(row, [&](std::size_t j, const std::vector<double>& values, bool missing) {
    if (missing && values.size() > 1) visit_gap(j, values);
  });
}

std::vector<ColumnMoments> column_moments(const Matrix& x, std::span<const double> weights) {
  struct Sums {
    double weight = 0, sum = 0, squares = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;  // of the stored values
    Index seen = 0, stored = 0;
    bool constant() const { return low == high && stored == seen; }
  };
  std::vector<Sums> sums(at(x.columns()));
  double total = 0;
  const auto weight = [&](Index t) { return weights.empty() ? 1.0 : weights[at(t)]; };
  // Cells that are not stored are 0. They are counted as all cells, less the missing ones.
  for (Index t = 0; t < x.rows(); ++t) {
    total += weight(t);
    pause_after(x.row(t).values.size());
    for_each(x.row(t), [&](Index i, double value) {
      Sums& of = sums[at(i)];
      if (std::isnan(value)) {
        of.weight -= weight(t);
        --of.seen;
      } else {
        of.sum += weight(t) * value;
        of.low = std::min(of.low, value);
        of.high = std::max(of.high, value);
        ++of.stored;
      }
    });
  }
  std::vector<ColumnMoments> moments(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].weight += total;
    sums[i].seen += x.rows();
    moments[i].mean = sums[i].weight > 0 ? sums[i].sum / sums[i].weight : 0;
    if (sums[i].constant())
      moments[i].mean = sums[i].low;  // exact to the last digit, so the variance is 0 and not
                                      // rounding
    moments[i].count = sums[i].seen;
  }
  std::vector<double> stored(sums.size(), 0.0);
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      if (std::isnan(value)) return;
      const double away = value - moments[at(i)].mean;
      sums[at(i)].squares += weight(t) * away * away;
      stored[at(i)] += weight(t);
    });
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double zeros = sums[i].weight - stored[i];
    const double squares = sums[i].squares + zeros * moments[i].mean * moments[i].mean;
    moments[i].variance = sums[i].weight > 0 ? squares / sums[i].weight : 0;
  }
  return moments;
}

}  // namespace medlar
