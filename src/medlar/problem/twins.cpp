#include "medlar/problem/twins.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace medlar {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value + 0.0);
}  // -0 is 0

std::uint64_t hash_of(const RowView& row) {
  std::uint64_t hash = row.values.size();
  for_each(row, [&](Index i, double value) { hash = mixed(hash, bits(value) + static_cast<std::uint64_t>(i)); });
  return hash;
}

bool same(const RowView& a, const RowView& b) {
  if (a.values.size() != b.values.size() || !std::ranges::equal(a.columns, b.columns)) return false;
  for (std::size_t j = 0; j < a.values.size(); ++j) {
    if (a.values[j] != b.values[j]) return false;
  }
  return true;
}

}  // namespace

Twins::Twins(const Constraints& constraints) {
  const auto count = static_cast<std::size_t>(constraints.count());
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(constraints.examples()));
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t] = hash_of(constraints.x->row(static_cast<Index>(t)));
  std::vector<std::pair<std::uint64_t, std::size_t>> order(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t row = rows[static_cast<std::size_t>(constraints.example[k])];
    order[k] = {mixed(mixed(row, bits(constraints.sign[k])), bits(constraints.offset[k])), k};
  }
  std::ranges::sort(order);
  const auto twins = [&](std::size_t a, std::size_t b) {
    return constraints.sign[a] == constraints.sign[b] && constraints.offset[a] == constraints.offset[b] &&
           same(constraints.x->row(constraints.example[a]), constraints.x->row(constraints.example[b]));
  };
  for (std::size_t at = 0; at < count;) {
    const std::size_t begin = at++;
    while (at < count && order[at].first == order[begin].first && twins(order[begin].second, order[at].second)) ++at;
    if (at - begin < 2) continue;
    for (std::size_t i = begin; i < at; ++i) members_.push_back(order[i].second);
    first_.push_back(members_.size());
  }
}

void Twins::share(std::span<const double> weight, std::span<double> lambda) const {
  for (std::size_t s = 0; s + 1 < first_.size(); ++s) {
    const std::span<const std::size_t> twins{members_.data() + first_[s], first_[s + 1] - first_[s]};
    double sum = 0, weights = 0;
    for (const std::size_t k : twins) sum += lambda[k], weights += weight[k];
    for (const std::size_t k : twins) lambda[k] = sum * (weight[k] / weights);
  }
}

}  // namespace medlar
