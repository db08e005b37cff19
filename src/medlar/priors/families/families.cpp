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
template <FamilyKind kind, class F>
std::shared_ptr<const Family> per_column(Index) {
  static const auto family = std::make_shared<const ScalarFamily<F>>(kind);
  return family;
}
template <FamilyKind kind, class F>
constexpr FamilyRow single() {
  return {kind, false, per_column<kind, F>};
}

template <class F>
std::shared_ptr<const Family> over(Index columns) {
  return std::make_shared<const F>(columns);
}

constexpr std::array table{
    single<FamilyKind::gaussian, GaussianUnit>(),
    single<FamilyKind::gaussian_diagonal, GaussianDiagonal>(),
    FamilyRow{FamilyKind::gaussian_full, true, over<GaussianFull>},
    FamilyRow{FamilyKind::multinomial, true, over<Dirichlet>},
    single<FamilyKind::bernoulli, Bernoulli>(),
    single<FamilyKind::poisson, Poisson>(),
    single<FamilyKind::exponential, Exponential>(),
};

}  // namespace

std::span<const FamilyRow> families() {
  return table;
}

const FamilyRow* find_family(FamilyKind kind) {
  for (const FamilyRow& row : table) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

}  // namespace medlar
