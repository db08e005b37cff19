#include "medlar/priors/families/families.hpp"

#include <array>

#include "medlar/priors/families/bernoulli.hpp"
#include "medlar/priors/families/dirichlet.hpp"
#include "medlar/priors/families/exponential.hpp"
#include "medlar/priors/families/gaussian_diagonal.hpp"
#include "medlar/priors/families/gaussian_full.hpp"
#include "medlar/priors/families/gaussian_unit.hpp"
#include "medlar/priors/families/poisson.hpp"

namespace medlar {
namespace {

// It has no parameters of its own, so one object serves all columns.
template <class F>
std::shared_ptr<const Family> per_column(Index) {
  static const auto family = std::make_shared<const ScalarFamily<F>>();
  return family;
}

template <class F>
std::shared_ptr<const Family> over(Index columns) {
  return std::make_shared<const F>(columns);
}

constexpr std::array table{
    FamilyRow{GaussianUnit::kName, false, per_column<GaussianUnit>},
    FamilyRow{GaussianDiagonal::kName, false, per_column<GaussianDiagonal>},
    FamilyRow{"gaussian-full", true, over<GaussianFull>},
    FamilyRow{"multinomial", true, over<Dirichlet>},
    FamilyRow{Bernoulli::kName, false, per_column<Bernoulli>},
    FamilyRow{Poisson::kName, false, per_column<Poisson>},
    FamilyRow{Exponential::kName, false, per_column<Exponential>},
};

}  // namespace

std::span<const FamilyRow> families() {
  return table;
}

const FamilyRow* find_family(std::string_view name) {
  for (const FamilyRow& row : table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace medlar
