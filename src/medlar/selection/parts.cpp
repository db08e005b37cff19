// See the header.
#include "medlar/selection/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/model/prepare.hpp"

namespace medlar {
namespace {

struct Strata {
  std::vector<std::vector<Index>> groups;
  std::vector<double> of;           // by group: its label as a number, 0 for all of a regression
  std::vector<std::string> labels;  // empty: a regression
};

std::vector<std::vector<Index>> groups_of(const Dataset& data) {
  std::map<Index, std::vector<Index>> by_group;
  for (Index t = 0; t < data.examples(); ++t) {
    by_group[data.fold_group.empty() ? t : data.fold_group[static_cast<std::size_t>(t)]].push_back(t);
  }
  std::vector<std::vector<Index>> groups;
  for (auto& [number, members] : by_group) groups.push_back(std::move(members));
  return groups;
}

// Groups whose examples differ in their labels are a stratum of their own, the last.
Strata strata_of(const Dataset& data, const Settings& settings) {
  Strata strata{groups_of(data), {}, {}};
  strata.of.assign(strata.groups.size(), 0.0);
  if (resolve_task(data, settings) != "classify") return strata;
  const ClassLabels classes = class_labels(data, settings);
  strata.labels = classes.labels;
  for (std::size_t g = 0; g < strata.groups.size(); ++g) {
    const auto label = [&](Index t) { return classes.y[static_cast<std::size_t>(t)]; };
    const auto& group = strata.groups[g];
    const bool one = std::all_of(group.begin(), group.end(), [&](Index t) { return label(t) == label(group.front()); });
    strata.of[g] = static_cast<double>(one ? label(group.front()) : std::ssize(classes.labels));
  }
  return strata;
}

void check(const Dataset& data, const Strata& strata, double share) {
  const char* const kind = data.fold_group.empty() ? "examples" : "groups of examples";
  const auto require_some = [&](Index count, const char* of) {
    if (share * static_cast<double>(count) >= kHalf) return;
    throw OptionError(fmt::format("share = {} of {} {}{} is none; give at least {:.3g}", share, count, kind, of,
                                  kHalf / static_cast<double>(count)));
  };
  if (std::ssize(strata.groups) < 2) {
    throw OptionError(
        fmt::format("stability needs at least two {}, but {} has {}", kind, data.source, strata.groups.size()));
  }
  require_some(std::ssize(strata.groups), "");
  const auto with = [&](std::size_t stratum) {
    return std::count(strata.of.begin(), strata.of.end(), static_cast<double>(stratum));
  };
  const Index mixed = with(strata.labels.size());
  for (std::size_t k = 0; k < strata.labels.size() && mixed < 2; ++k) {
    if (with(k) == std::ssize(strata.groups)) {
      throw OptionError(
          fmt::format("every example has the label '{}', but stability needs at least two {} of another; add some",
                      strata.labels[k], kind));
    }
  }
  for (std::size_t k = 0; k < strata.labels.size() && mixed < 2; ++k) {
    if (with(k) < 2) {
      throw OptionError(
          fmt::format("stability needs at least two {} of each label, but '{}' has {}; leave it out, or put labels "
                      "together by --positive",
                      kind, strata.labels[k], with(k)));
    }
    require_some(with(k), " of a label");
  }
}

// In an order that the seed decides, those of one stratum together.
std::vector<Index> shuffled(const std::vector<double>& stratum, std::uint64_t seed) {
  std::vector<Index> order(stratum.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random(seed);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  const auto of = [&](Index g) { return stratum[static_cast<std::size_t>(g)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a) < of(b); });
  return order;
}

}  // namespace

void check_parts(const Dataset& data, const Settings& settings, double share) {
  if (data.examples() < 2) {
    throw OptionError(
        fmt::format("stability needs at least two examples, but {} has {}", data.source, data.examples()));
  }
  check(data, strata_of(data, settings), share);
}

Parts::Parts(const Dataset& data, const Settings& settings, double share) : share_(share), seed_(settings.seed) {
  Strata strata = strata_of(data, settings);
  groups_ = std::move(strata.groups);
  stratum_ = std::move(strata.of);
}

std::vector<Index> Parts::of(Index k) const {
  const bool halves = share_ == kHalf;
  std::seed_seq words{static_cast<std::uint64_t>(seed_), static_cast<std::uint64_t>(halves ? k / 2 : k)};
  std::vector<std::uint32_t> mixed(2);
  words.generate(mixed.begin(), mixed.end());
  const std::vector<Index> order = shuffled(stratum_, (std::uint64_t{mixed[0]} << 32) | mixed[1]);
  std::vector<Index> part;
  const auto take = [&](Index g) {
    const auto& group = groups_[static_cast<std::size_t>(g)];
    part.insert(part.end(), group.begin(), group.end());
  };
  double due = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    const auto stratum = [&](std::size_t place) { return stratum_[static_cast<std::size_t>(order[place])]; };
    if (halves) {
      if (static_cast<Index>(j % 2) == k % 2) take(order[j]);
      continue;
    }
    const bool opens = j == 0 || stratum(j - 1) != stratum(j);
    if (opens) due = share_ * static_cast<double>(std::count(stratum_.begin(), stratum_.end(), stratum(j)));
    if (opens || due >= kHalf) take(order[j]);
    due -= 1;
  }
  std::sort(part.begin(), part.end());
  return part;
}

}  // namespace medlar
