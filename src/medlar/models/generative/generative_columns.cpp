// The families of columns are guessed from their values, and a wrong guess is costly: a Poisson law on ages would be
// sure of what it does not know. Columns of a joint family form one member, in the order of the file.
#include "medlar/models/generative/generative_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "medlar/error.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/families/families.hpp"

namespace medlar {

namespace {

std::vector<SourceColumn> source_columns(const Dataset& data, const Prepared& prepared, const Settings& settings) {
  std::vector<SourceColumn> columns;
  const bool as_in_file =
      settings.expand == ExpansionKind::none && !data.group_of.empty() && !data.schema.columns.empty();
  if (!as_in_file) {
    for (std::size_t i = 0; i < prepared.names.size(); ++i) {
      columns.push_back({prepared.names[i], FamilyKind::automatic, {static_cast<Index>(i)}, false});
    }
    return columns;
  }
  for (std::size_t g = 0; g < data.group_names.size(); ++g) {
    columns.push_back({data.group_names[g], FamilyKind::automatic, {}, data.schema.columns[g].categorical()});
  }
  for (std::size_t i = 0; i < data.group_of.size(); ++i) {
    columns[static_cast<std::size_t>(data.group_of[i])].features.push_back(static_cast<Index>(i));
  }
  return columns;
}

// Guesses from the values of each feature: bits, counts, or numbers. Whole numbers that scatter far more than counts of
// one rate (ages, amounts) are taken as numbers, because a Poisson law would be sure of what it does not know.
std::vector<FamilyKind> guesses(const Matrix& x) {
  constexpr double kOverdispersed = 3;  // variance over mean; a mixture of rates reaches 2
  struct Seen {
    bool bits = true, whole = true;
    double missing = 0, sum = 0, squares = 0;
  };
  std::vector<Seen> seen(static_cast<std::size_t>(x.columns()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      Seen& column = seen[static_cast<std::size_t>(i)];
      if (std::isnan(value)) {
        ++column.missing;
        return;
      }
      column.bits = column.bits && (value == 0 || value == 1);
      column.whole = column.whole && value >= 0 && value == std::floor(value);
      column.sum += value;
      column.squares += value * value;
    });
  }
  std::vector<FamilyKind> guess;
  for (const Seen& column : seen) {
    const double count = static_cast<double>(x.rows()) - column.missing, mean = column.sum / count;
    const bool count_like = column.whole && column.squares / count - mean * mean <= kOverdispersed * mean;
    guess.push_back(column.bits  ? FamilyKind::bernoulli
                    : count_like ? FamilyKind::poisson
                                 : FamilyKind::gaussian_diagonal);
  }
  return guess;
}

}  // namespace

std::vector<SourceColumn> columns_with_families(const Dataset& data, const Prepared& prepared,
                                                const Settings& settings) {
  std::vector<SourceColumn> columns = source_columns(data, prepared, settings);
  const bool by_column = settings.family == FamilyKind::by_column;
  std::map<std::string, FamilyKind> named;
  for (const auto& [column, kind] : settings.family.argument) named[column] = kind;
  std::vector<FamilyKind> guess;
  if (by_column || settings.family == FamilyKind::automatic) guess = guesses(prepared.x);
  for (SourceColumn& column : columns) {
    const auto asked = named.find(column.name);
    if (asked != named.end() && asked->second != FamilyKind::automatic) {
      column.family = asked->second;
    } else if (column.categorical) {
      column.family = FamilyKind::multinomial;
    } else {
      column.family = guess.empty() ? settings.family.kind : guess[static_cast<std::size_t>(column.features[0])];
    }
    if (column.family == FamilyKind::tree) {
      throw OptionError("family = tree takes all columns together; use --family tree alone");
    }
    if (column.categorical && column.family != FamilyKind::multinomial) {
      throw OptionError(fmt::format("family gives the column '{}' {}, but it holds categories; they are multinomial",
                                    column.name, column.family));
    }
    if (asked != named.end()) named.erase(asked);
  }
  if (!named.empty()) {
    throw OptionError(fmt::format("family names the column '{}', but there is no such column", named.begin()->first));
  }
  return columns;
}

std::vector<Member> members_of(const std::vector<SourceColumn>& columns) {
  std::vector<Member> members;
  std::map<FamilyKind, std::vector<Index>> joint;
  for (const SourceColumn& column : columns) {
    const FamilyRow& row = *find_family(column.family);
    if (row.joint && !column.categorical) {
      joint[column.family].insert(joint[column.family].end(), column.features.begin(), column.features.end());
    } else {
      members.push_back({row.make(static_cast<Index>(column.features.size())), column.features, 0});
    }
  }
  for (auto& [family, features] : joint) {
    const auto count = static_cast<Index>(features.size());
    members.push_back({find_family(family)->make(count), std::move(features), 0});
  }
  return members;
}

}  // namespace medlar
