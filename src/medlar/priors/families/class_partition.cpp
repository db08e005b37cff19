// A is finite only on a convex domain, and a step that leaves it must be cut back, never clamped
// (docs/theory.md#generative). Tied switches couple the classes: their part of A'' needs the sum K' . d over all
// classes before any class can be written. A switch per class adds a base measure at the end of each class, so the
// layout of V depends on the kind of switch.
#include "medlar/priors/families/class_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/error.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/numerics/log_mix.hpp"
#include "medlar/numerics/sum.hpp"

namespace medlar {

namespace {

constexpr double kShrink = 0.1;  // the smallest share of a quantity of the domain that a step may leave

}  // namespace

ClassPartition::ClassPartition(std::vector<Member> members, Index classes, std::vector<double> chi, SwitchKind kind,
                               std::vector<double> p)
    : members_(std::move(members)), classes_(classes), chi_(std::move(chi)), kind_(kind), p_(std::move(p)) {
  for (Member& member : members_) {
    member.first = statistics_;
    statistics_ += member.family->statistics();
    curvature_first_.push_back(curvature_);
    curvature_ += member.family->curvature_size();
  }
  base_first_ = statistics_;
  if (kind_ == SwitchKind::per_class) {  // room for the base measures at the end of each class
    const auto old = static_cast<std::size_t>(statistics_);
    statistics_ += static_cast<Index>(members_.size());
    std::vector<double> wider(static_cast<std::size_t>(dimension()), 0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(classes_); ++k) {
      std::copy_n(chi_.begin() + static_cast<std::ptrdiff_t>(k * old), old,
                  wider.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(statistics_)));
    }
    chi_ = std::move(wider);
  }
  for (std::size_t j = 0; j < members_.size(); ++j) {
    for (Index k = 0; k < classes_; ++k) {
      at_prior_.push_back(members_[j].family->value(part(std::span<const double>(chi_), j, k)));
      if (!std::isfinite(at_prior_.back())) {
        throw OptionError(
            fmt::format("the prior of family {} lies outside its domain; raise --prior-strength, or scale "
                        "values beyond 1e150, whose squares are too large for a number",
                        word_of(members_[j].family->kind())));
      }
    }
  }
}

std::span<const double> ClassPartition::part(std::span<const double> all, std::size_t member, Index k) const {
  return all.subspan(static_cast<std::size_t>(k * statistics_ + members_[member].first),
                     static_cast<std::size_t>(members_[member].family->statistics()));
}
std::span<double> ClassPartition::part(std::span<double> all, std::size_t member, Index k) const {
  return all.subspan(static_cast<std::size_t>(k * statistics_ + members_[member].first),
                     static_cast<std::size_t>(members_[member].family->statistics()));
}

std::vector<double> ClassPartition::shifted(std::span<const double> v) const {
  std::vector<double> at(chi_);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] += v[i];
  return at;
}

double ClassPartition::exponent(std::span<const double> at, std::span<const double> v, std::size_t member,
                                Index k) const {
  const double value = members_[member].family->value(part(at, member, k));
  const Index base = base_place(member);
  return value - at_prior_[member * static_cast<std::size_t>(classes_) + static_cast<std::size_t>(k)] +
         (base < 0 ? 0.0 : v[static_cast<std::size_t>(k * statistics_ + base)]);
}

// Calls visit(member, first class, number of classes it turns on, exponent) for each switch; without switches, for each
// member and class.
template <class Visit>
void ClassPartition::for_each_switch(std::span<const double> at, std::span<const double> v, Visit visit) const {
  for (std::size_t j = 0; j < members_.size(); ++j) {
    if (kind_ == SwitchKind::tied) {
      double sum = 0;
      for (Index k = 0; k < classes_; ++k) sum += exponent(at, v, j, k);
      visit(j, Index{0}, classes_, sum);
    } else {
      for (Index k = 0; k < classes_; ++k) visit(j, k, Index{1}, exponent(at, v, j, k));
    }
  }
}

double ClassPartition::value(std::span<const double> v) const {
  const std::vector<double> at = shifted(v);
  CompensatedSum sum;
  bool inside = true;
  for_each_switch(at, v, [&](std::size_t j, Index, Index, double exponent) {
    if (exponent == HUGE_VAL || std::isnan(exponent)) inside = false;
    if (inside) sum.add(kind_ == SwitchKind::none ? exponent : log_mix(p_[j], exponent));
  });
  return inside ? sum.value() : std::numeric_limits<double>::infinity();
}

void ClassPartition::mean(std::span<const double> v, std::span<double> out) const {
  const std::vector<double> at = shifted(v);
  const auto write = [&](std::size_t j, Index k, double on) {
    const auto to = part(out, j, k);
    members_[j].family->gradient(part(at, j, k), to);
    for (double& each : to) each *= on;
    if (const Index base = base_place(j); base >= 0) out[static_cast<std::size_t>(k * statistics_ + base)] = on;
  };
  if (kind_ == SwitchKind::none) {
    for (std::size_t j = 0; j < members_.size(); ++j) {
      for (Index k = 0; k < classes_; ++k) write(j, k, 1);
    }
    return;
  }
  for_each_switch(at, v, [&](std::size_t j, Index first, Index count, double exponent) {
    const double on = mix_weights(p_[j], exponent).on;
    for (Index k = first; k < first + count; ++k) write(j, k, on);
  });
}

std::vector<double> ClassPartition::inclusion(std::span<const double> v) const {
  if (kind_ == SwitchKind::none) return {};
  const std::vector<double> at = shifted(v);
  std::vector<double> on;
  for_each_switch(at, v,
                  [&](std::size_t j, Index, Index, double exponent) { on.push_back(mix_weights(p_[j], exponent).on); });
  return on;
}

bool ClassPartition::counts_only() const {
  return members_.size() == 1 && kind_ == SwitchKind::none && members_[0].family->kind() == FamilyKind::multinomial;
}

double ClassPartition::largest_step(std::span<const double> v, std::span<const double> step) const {
  double length = 1;
  std::vector<double> before, after, moved;
  for (std::size_t j = 0; j < members_.size(); ++j) {
    const Family& family = *members_[j].family;
    const auto barriers = static_cast<std::size_t>(family.barriers());
    before.resize(barriers);
    after.resize(barriers);
    moved.resize(static_cast<std::size_t>(family.statistics()));
    for (Index k = 0; k < classes_; ++k) {
      const auto chi = part(std::span<const double>(chi_), j, k), from = part(v, j, k), to = part(step, j, k);
      if (std::all_of(to.begin(), to.end(), [](double each) { return each == 0; })) continue;
      const auto at = [&](double part_of_step, std::vector<double>& barrier) {
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = chi[i] + from[i] + part_of_step * to[i];
        family.barriers_at(moved, barrier);
      };
      at(0, before);
      // The quantities are concave along the step, or nearly, so shortening it finds a part that is short enough.
      length = backtrack(length, 0.7, 1e-30, [&](double shorter) {
        at(shorter, after);
        return std::equal(after.begin(), after.end(), before.begin(),
                          [](double there, double here) { return there >= kShrink * here; });
      });
    }
  }
  return length;
}

ClassPartition::Curvature ClassPartition::curvature(std::span<const double> v) const {
  const std::vector<double> at = shifted(v);
  Curvature made;
  made.owner = this;
  made.numbers.resize(static_cast<std::size_t>(classes_ * curvature_));
  made.on.assign(members_.size() * static_cast<std::size_t>(classes_), 1.0);
  made.spread.assign(made.on.size(), 0.0);
  const bool switched = kind_ != SwitchKind::none;
  if (switched) made.gradient.resize(static_cast<std::size_t>(dimension()));
  for (std::size_t j = 0; j < members_.size(); ++j) {
    for (Index k = 0; k < classes_; ++k) {
      const Family& family = *members_[j].family;
      family.curvature(part(at, j, k), std::span(made.numbers)
                                           .subspan(static_cast<std::size_t>(k * curvature_ + curvature_first_[j]),
                                                    static_cast<std::size_t>(family.curvature_size())));
      if (!switched) continue;
      family.gradient(part(at, j, k), part(std::span(made.gradient), j, k));
      if (const Index base = base_place(j); base >= 0)
        made.gradient[static_cast<std::size_t>(k * statistics_ + base)] = 1;
    }
  }
  if (switched) {
    for_each_switch(at, v, [&](std::size_t j, Index first, Index count, double exponent) {
      const MixWeights weights = mix_weights(p_[j], exponent);
      for (Index k = first; k < first + count; ++k) {
        const std::size_t place = j * static_cast<std::size_t>(classes_) + static_cast<std::size_t>(k);
        made.on[place] = weights.on;
        made.spread[place] = weights.on * weights.off;
      }
    });
  }
  return made;
}

void ClassPartition::Curvature::crosses(Index k, std::span<const double> z, std::span<double> out) const {
  const Family& family = *owner->members_[0].family;
  family.crosses(std::span(numbers).subspan(static_cast<std::size_t>(k * owner->curvature_),
                                            static_cast<std::size_t>(family.curvature_size())),
                 z, out);
}

// P K'' d + P (1 - P) K' (K' . d), summed over the classes that share the switch.
void ClassPartition::Curvature::product(std::span<const double> d, std::span<double> out) const {
  const ClassPartition& a = *owner;
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < a.members_.size(); ++j) {
    const Family& family = *a.members_[j].family;
    const Index base = a.base_place(j);
    double shared = 0;  // K' . d of this switch
    for (Index k = 0; k < a.classes_; ++k) {
      const std::size_t place = j * static_cast<std::size_t>(a.classes_) + static_cast<std::size_t>(k);
      const auto from = a.part(d, j, k);
      const auto to = a.part(out, j, k);
      if (std::any_of(from.begin(), from.end(), [](double each) { return each != 0; })) {
        family.product(std::span(numbers).subspan(static_cast<std::size_t>(k * a.curvature_ + a.curvature_first_[j]),
                                                  static_cast<std::size_t>(family.curvature_size())),
                       from, to);
        for (double& each : to) each *= on[place];
      }
      if (a.kind_ == SwitchKind::none) continue;
      const auto slope = a.part(std::span<const double>(gradient), j, k);
      double along = 0;
      for (std::size_t i = 0; i < slope.size(); ++i) along += slope[i] * from[i];
      const auto at_base = static_cast<std::size_t>(k * a.statistics_ + base);
      if (base >= 0) along += d[at_base];
      if (a.kind_ == SwitchKind::tied) {
        shared += along;
        continue;
      }
      for (std::size_t i = 0; i < slope.size(); ++i) to[i] += spread[place] * along * slope[i];
      out[at_base] += spread[place] * along;
    }
    if (a.kind_ != SwitchKind::tied || shared == 0) continue;
    for (Index k = 0; k < a.classes_; ++k) {
      const std::size_t place = j * static_cast<std::size_t>(a.classes_) + static_cast<std::size_t>(k);
      const auto slope = a.part(std::span<const double>(gradient), j, k);
      const auto to = a.part(out, j, k);
      for (std::size_t i = 0; i < slope.size(); ++i) to[i] += spread[place] * shared * slope[i];
    }
  }
}

void ClassPartition::Curvature::variances(std::span<const double> u, std::span<double> out) const {
  const ClassPartition& a = *owner;
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < a.members_.size(); ++j) {
    const Family& family = *a.members_[j].family;
    const auto own =
        u.subspan(static_cast<std::size_t>(a.members_[j].first), static_cast<std::size_t>(family.statistics()));
    const Index base = a.base_place(j);
    for (Index k = 0; k < a.classes_; ++k) {
      const std::size_t place = j * static_cast<std::size_t>(a.classes_) + static_cast<std::size_t>(k);
      double& to = out[static_cast<std::size_t>(k)];
      to += on[place] * family.variance(std::span(numbers).subspan(
                                            static_cast<std::size_t>(k * a.curvature_ + a.curvature_first_[j]),
                                            static_cast<std::size_t>(family.curvature_size())),
                                        own);
      if (a.kind_ == SwitchKind::none) continue;
      const auto slope = a.part(std::span<const double>(gradient), j, k);
      double along = base >= 0 ? u[static_cast<std::size_t>(base)] : 0.0;
      for (std::size_t i = 0; i < slope.size(); ++i) along += slope[i] * own[i];
      to += spread[place] * along * along;
    }
  }
}

}  // namespace medlar
