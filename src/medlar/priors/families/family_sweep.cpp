#include "medlar/priors/families/family_sweep.hpp"

#include <algorithm>
#include <utility>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/backtrack.hpp"

namespace medlar {

namespace {

constexpr double kLeft = 0.5;  // the share of a quantity of the domain that a step must leave

}  // namespace

FamilySweep::FamilySweep(const ClassPartition& partition, Row row)
    : partition_(partition),
      read_(std::move(row)),
      classes_(static_cast<std::size_t>(partition.classes())),
      statistics_(static_cast<std::size_t>(partition.statistics())),
      row_(statistics_),
      mean_(classes_ * statistics_) {
  for (std::size_t k = 0; k < classes_; ++k) {
    for (const Member& member : partition.members()) {
      bend_.emplace_back(static_cast<std::size_t>(member.family->curvature_size()));
    }
  }
}

FamilySweep ClassPartition::sweep_families(std::function<void(Index t, std::span<double> u)> row) const {
  return {*this, std::move(row)};
}

std::span<const double> FamilySweep::own(std::size_t member) const {
  const Member& which = partition_.members()[member];
  return std::span(row_).subspan(static_cast<std::size_t>(which.first),
                                 static_cast<std::size_t>(which.family->statistics()));
}

std::span<double> FamilySweep::at(std::vector<double>& all, std::size_t member, std::size_t k) const {
  const Member& which = partition_.members()[member];
  return std::span(all).subspan(k * statistics_ + static_cast<std::size_t>(which.first),
                                static_cast<std::size_t>(which.family->statistics()));
}

std::span<double> FamilySweep::bend(std::size_t member, std::size_t k) {
  return bend_[k * partition_.members().size() + member];
}

void FamilySweep::measure(std::size_t member, std::size_t k) {
  const Family& family = *partition_.members()[member].family;
  family.gradient(at(chi_, member, k), at(mean_, member, k));
  family.curvature(at(chi_, member, k), bend(member, k));
}

void FamilySweep::start(std::span<const double> v) {
  chi_.assign(partition_.prior().begin(), partition_.prior().end());
  for (std::size_t i = 0; i < chi_.size(); ++i) chi_[i] += v[i];
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t j = 0; j < partition_.members().size(); ++j) measure(j, k);
    pause_after(kNumbersOfALog * statistics_);
  }
}

void FamilySweep::scores(Scores& f) const {
  f.setZero(static_cast<Eigen::Index>(classes_));
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t i = 0; i < statistics_; ++i) {
      f[static_cast<Eigen::Index>(k)] += row_[i] * mean_[k * statistics_ + i];
    }
  }
}

void FamilySweep::look(Index t, Look& out) {
  read_(t, row_);
  scores(out.f);
  Scores curvature = Scores::Zero(static_cast<Eigen::Index>(classes_));
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t j = 0; j < partition_.members().size(); ++j) {
      curvature[static_cast<Eigen::Index>(k)] += partition_.members()[j].family->variance(bend(j, k), own(j));
    }
  }
  out.q = curvature.max(0.0).matrix().asDiagonal();
  out.own = curvature.mean();
  out.round = false;
}

double FamilySweep::largest_part(Index t, const Scores& change) {
  read_(t, row_);
  double part = 1;
  std::vector<double> before, after, moved;
  for (std::size_t j = 0; j < partition_.members().size(); ++j) {
    const Family& family = *partition_.members()[j].family;
    const auto u = own(j);
    before.resize(static_cast<std::size_t>(family.barriers()));
    after.resize(before.size());
    for (std::size_t k = 0; k < classes_; ++k) {
      const double by = change[static_cast<Eigen::Index>(k)];
      if (by == 0) continue;
      const auto chi = at(chi_, j, k);
      family.barriers_at(chi, before);
      part = backtrack(part, 0.7, 1e-30, [&](double shorter) {
        moved.assign(chi.begin(), chi.end());
        for (std::size_t i = 0; i < u.size(); ++i) moved[i] += shorter * by * u[i];
        family.barriers_at(moved, after);
        return std::equal(after.begin(), after.end(), before.begin(),
                          [](double a, double b) { return a >= kLeft * b; });
      });
    }
  }
  return part;
}

void FamilySweep::move(Index t, const Scores& change, Scores& f) {
  read_(t, row_);
  for (std::size_t k = 0; k < classes_; ++k) {
    const double by = change[static_cast<Eigen::Index>(k)];
    if (by == 0) continue;
    for (std::size_t i = 0; i < statistics_; ++i) chi_[k * statistics_ + i] += by * row_[i];
    for (std::size_t j = 0; j < partition_.members().size(); ++j) measure(j, k);
  }
  scores(f);
}

}  // namespace medlar
