#include "medlar/problem/pair_tables.hpp"

#include <utility>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

PairTables::PairTables(std::vector<Column> sizes, std::vector<Column> levels, std::vector<std::vector<double>> tables)
    : sizes_(std::move(sizes)), levels_(std::move(levels)), tables_(std::move(tables)) {
  std::size_t cells = 0;
  for (std::size_t v = 1; v < sizes_.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      first_.push_back(cells);
      cells += static_cast<std::size_t>(sizes_[u]) * static_cast<std::size_t>(sizes_[v]);
    }
  }
}

void PairTables::add(std::span<const double> r, std::span<double> v) const {
  if (tables_.empty()) return;
  std::vector<double> received(tables_[0].size(), 0.0);  // of each cell
  Pauses pauses;
  for (std::size_t t = 0; t < r.size(); ++t) {
    if (r[t] == 0) continue;
    pauses.after(2 * pairs());
    for_each_cell(t, [&](std::size_t, std::size_t cell) { received[cell] += r[t]; });
  }
  for (std::size_t k = 0; k < classes(); ++k) {
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
      double sum = 0;
      for (std::size_t cell = first_[pair]; cell < end(pair); ++cell) sum += received[cell] * tables_[k][cell];
      v[k * pairs() + pair] += sum;
    }
  }
}

template <class Of>
void PairTables::add_cells(std::span<const double> weight, std::span<double> f, Of of) const {
  if (tables_.empty()) return;
  std::vector<double> gives(tables_[0].size(), 0.0);  // each cell
  for (std::size_t k = 0; k < classes(); ++k) {
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
      const double own = weight[k * pairs() + pair];
      if (own == 0) continue;
      for (std::size_t cell = first_[pair]; cell < end(pair); ++cell) gives[cell] += own * of(tables_[k][cell]);
    }
  }
  Pauses pauses;
  for (std::size_t t = 0; t < f.size(); ++t) {
    pauses.after(2 * pairs());
    double sum = 0;
    for_each_cell(t, [&](std::size_t, std::size_t cell) { sum += gives[cell]; });
    f[t] += sum;
  }
}

void PairTables::add_scores(std::span<const double> w, std::span<double> f) const {
  add_cells(w, f, [](double u) { return u; });
}

void PairTables::add_squares(std::span<const double> d, std::span<double> f) const {
  add_cells(d, f, [](double u) { return u * u; });
}

void PairTables::row(std::size_t t, std::span<double> out) const {
  for_each_cell(t, [&](std::size_t pair, std::size_t cell) {
    for (std::size_t k = 0; k < classes(); ++k) out[k * pairs() + pair] = tables_[k][cell];
  });
}

}  // namespace medlar
