#include "medlar/models/generative/values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/families/families.hpp"

namespace medlar {

namespace {

// How a refusal names a feature and its family. A feature without a family takes any value.
struct Judge {
  std::string name;
  FamilyKind family = FamilyKind::automatic;
  std::shared_ptr<const Family> law;
};
using Place = std::function<std::string(Index row)>;

std::string place_in(const Dataset& data, Index row) {
  return data.lines.empty() ? fmt::format("{}: example {}", data.source, row + 1)
                            : fmt::format("{}:{}", data.source, data.lines[at(row)]);
}

void refuse_values(const Matrix& x, const std::vector<Judge>& judges, std::string_view remedy, const Place& place) {
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      const Judge& judge = judges[at(i)];
      if (!judge.law || std::isnan(value)) return;
      const std::string objection = judge.law->objection(value);
      if (objection.empty()) return;
      throw DataError(fmt::format("{}: '{}' is {}, but a value of family {} {}; {}", place(t), judge.name, value,
                                  judge.family, objection, remedy));
    });
  }
}

void require_values(const Model& model, const Matrix& x, const Place& place) {
  if (!model.generative) return;
  std::vector<Judge> judges(model.features.size());
  const auto judge = [&](const std::vector<Index>& columns, FamilyKind family, FamilyKind law) {
    const FamilyRow* row = find_family(law);
    if (row == nullptr) return;  // GenerativeScores refuses it
    const std::shared_ptr<const Family> single = row->make(1);
    for (const Index i : columns) {
      if (i >= 0 && i < std::ssize(judges)) judges[at(i)] = {model.features[at(i)].name, family, single};
    }
  };
  for (const GenerativeMember& member : model.generative->members) judge(member.columns, member.family, member.family);
  for (const auto& variable : model.generative->variables) judge(variable, FamilyKind::tree, FamilyKind::bernoulli);
  Index before = 0;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& rows) {
    refuse_values(rows, judges, "mend it, or train a model with another --family for the column",
                  [&](Index row) { return place(before + row); });
    before += rows.rows();
  });
}

}  // namespace

void check_values(const Dataset& data, const Prepared& prepared, const Examples& examples,
                  const std::vector<SourceColumn>& columns) {
  std::vector<Judge> judges(at(prepared.x.columns()));
  for (const SourceColumn& column : columns) {
    const std::shared_ptr<const Family> law = find_family(column.family)->make(1);
    for (const Index i : column.features) judges[at(i)] = {column.name, column.family, law};
  }
  refuse_values(prepared.x, judges, "give the column another --family",
                [&](Index row) { return place_in(data, examples.rows[at(row)]); });
}

void require_values(const Model& model, const Matrix& x) {
  require_values(model, x, [](Index row) { return fmt::format("example {}", row + 1); });
}

void check_values(const Model& model, const Dataset& data) {
  require_values(model, data.x, [&](Index row) { return place_in(data, row); });
}

}  // namespace medlar
