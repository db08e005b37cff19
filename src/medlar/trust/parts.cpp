// Every part must have examples of every label, or its fit would fail, and groups must stay together. Groups with the
// same set of labels form a stratum, and each part takes its share of every stratum. What could go wrong in some part
// is refused at the start.
#include "medlar/trust/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "medlar/error.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {
namespace {

std::vector<std::vector<Index>> groups_of(const Dataset& data) {
  std::map<Index, std::vector<Index>> by_group;
  for (Index t = 0; t < data.examples(); ++t) {
    by_group[data.fold_group.empty() ? t : data.fold_group[static_cast<std::size_t>(t)]].push_back(t);
  }
  std::vector<std::vector<Index>> groups;
  for (auto& [number, members] : by_group) groups.push_back(std::move(members));
  return groups;
}

// Groups with the same labels form a stratum; a regression has a single one.
struct Strata {
  std::vector<Index> of;                 // by group
  std::vector<std::set<Index>> labels;   // by stratum
  std::vector<Index> size;               // how many groups each has
  std::vector<std::string> label_names;  // empty: a regression
};

Strata strata_of(const Dataset& data, const Settings& settings, const std::vector<std::vector<Index>>& groups) {
  const bool classify = resolve_task(data, settings) == Task::classify;
  const ClassLabels classes = classify ? class_labels(data, settings) : ClassLabels{};
  Strata strata;
  strata.label_names = classes.labels;
  std::map<std::set<Index>, Index> number;
  for (const auto& group : groups) {
    std::set<Index> labels;
    for (const Index t : group) {
      if (classify) labels.insert(classes.y[static_cast<std::size_t>(t)]);
    }
    const auto [at, is_new] = number.emplace(labels, std::ssize(strata.size));
    if (is_new) strata.labels.push_back(std::move(labels)), strata.size.push_back(0);
    strata.of.push_back(at->second);
    ++strata.size[static_cast<std::size_t>(at->second)];
  }
  return strata;
}

// Every part has something of a stratum of two groups or more, and so of each label in it.
void check(const Dataset& data, const Strata& strata, double share) {
  const char* const kind = data.fold_group.empty() ? "examples" : "groups of examples";
  const auto require_some = [&](Index count, const char* of) {
    if (share * static_cast<double>(count) >= 0.5) return;
    throw OptionError(fmt::format("share = {} of {} {}{} is none; give at least {:.3g}", share, count, kind, of,
                                  0.5 / static_cast<double>(count)));
  };
  if (std::ssize(strata.of) < 2) {
    throw OptionError(
        fmt::format("stability needs at least two {}, but {} has {}", kind, data.source, strata.of.size()));
  }
  require_some(std::ssize(strata.of), "");
  std::vector<Index> together(strata.label_names.size(), 0);  // by label: groups of the largest stratum that has it
  for (std::size_t s = 0; s < strata.size.size(); ++s) {
    for (const Index label : strata.labels[s]) {
      Index& most = together[static_cast<std::size_t>(label)];
      most = std::max(most, strata.size[s]);
    }
  }
  const auto missing = std::count(together.begin(), together.end(), 0);
  for (std::size_t k = 0; k < together.size(); ++k) {
    if (together[k] > 0 && missing + 1 == std::ssize(together)) {
      throw OptionError(
          fmt::format("every example has the label '{}', but stability needs at least two {} of another; add some",
                      strata.label_names[k], kind));
    }
  }
  for (std::size_t k = 0; k < together.size(); ++k) {
    if (together[k] < 2) {
      throw OptionError(fmt::format(
          "stability needs at least two {} of each label{}, but '{}' has {}; leave it out, or put labels "
          "together by --positive",
          kind, data.fold_group.empty() ? "" : ", with the same other labels", strata.label_names[k], together[k]));
    }
    require_some(together[k], " of a label");
  }
}

// In an order given by the seed, with the groups of a stratum together.
std::vector<Index> shuffled_by(const std::vector<Index>& stratum, std::uint64_t seed) {
  std::vector<Index> order(stratum.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random(seed);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  const auto of = [&](Index g) { return stratum[static_cast<std::size_t>(g)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a) < of(b); });
  return order;
}

}  // namespace

Parts::Parts(const Dataset& data, const Settings& settings, double share) : share_(share), seed_(settings.seed) {
  if (data.examples() < 2) {
    throw OptionError(
        fmt::format("stability needs at least two examples, but {} has {}", data.source, data.examples()));
  }
  groups_ = groups_of(data);
  Strata strata = strata_of(data, settings, groups_);
  check(data, strata, share);
  stratum_ = std::move(strata.of);
}

std::vector<Index> Parts::of(Index k) const {
  const bool halves = share_ == kHalves;
  std::seed_seq words{static_cast<std::uint64_t>(seed_), static_cast<std::uint64_t>(halves ? k / 2 : k)};
  std::vector<std::uint32_t> mixed(2);
  words.generate(mixed.begin(), mixed.end());
  const std::vector<Index> order = shuffled_by(stratum_, (std::uint64_t{mixed[0]} << 32) | mixed[1]);
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
    if (opens || due >= 0.5) take(order[j]);
    due -= 1;
  }
  std::sort(part.begin(), part.end());
  return part;
}

}  // namespace medlar
