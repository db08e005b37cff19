#include "medlar/prepare/products.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"

namespace medlar {

Products::Products(const std::vector<std::vector<Index>>& factors, Index inputs)
    : inputs_(inputs), single_(static_cast<std::size_t>(inputs), -1), value_of_(static_cast<std::size_t>(inputs), 0.0) {
  pairs_.starts.assign(static_cast<std::size_t>(inputs) + 1, 0);
  longer_.starts = pairs_.starts;
  starts_.reserve(factors.size() + 1);
  starts_.push_back(0);
  for (const std::vector<Index>& product : factors) {
    if (product.empty()) throw DataError("an expansion holds a product of no features");
    for (Index i : product) {
      if (i < 0 || i >= inputs) {
        throw DataError(fmt::format("an expansion uses feature {}, but the data has {} features", i + 1, inputs));
      }
      factor_.push_back(static_cast<Column>(i));
    }
    const auto begin = factor_.end() - static_cast<std::ptrdiff_t>(product.size());
    if (!std::is_sorted(begin, factor_.end())) std::sort(begin, factor_.end());
    starts_.push_back(static_cast<Index>(factor_.size()));
    const auto first = static_cast<std::size_t>(*begin);
    if (product.size() == 2) ++pairs_.starts[first + 1];
    if (product.size() > 2) ++longer_.starts[first + 1];
  }
  for (Bucket* bucket : {&pairs_, &longer_}) {
    for (std::size_t i = 0; i + 1 < bucket->starts.size(); ++i) bucket->starts[i + 1] += bucket->starts[i];
    bucket->output.resize(static_cast<std::size_t>(bucket->starts.back()));
  }
  pairs_.second.resize(pairs_.output.size());

  std::vector<Index> next_pair = pairs_.starts, next_longer = longer_.starts;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const Column* factor = factor_.data() + starts_[j];
    const auto first = static_cast<std::size_t>(factor[0]);
    const Index size = starts_[j + 1] - starts_[j];
    if (size == 1) {
      if (single_[first] >= 0) throw DataError(fmt::format("an expansion holds feature {} twice", first + 1));
      single_[first] = static_cast<Column>(j);
    } else if (size == 2) {
      const auto place = static_cast<std::size_t>(next_pair[first]++);
      if (place > static_cast<std::size_t>(pairs_.starts[first]) && pairs_.second[place - 1] >= factor[1]) {
        throw DataError(fmt::format("the products of feature {} in an expansion are out of order", first + 1));
      }
      pairs_.second[place] = factor[1];
      pairs_.output[place] = static_cast<Column>(j);
    } else {
      longer_.output[static_cast<std::size_t>(next_longer[first]++)] = static_cast<Column>(j);
    }
  }
}

void Products::dense(NumbersView row, std::span<double> out) const {
  for (std::size_t j = 0; j < out.size(); ++j) {
    double product = 1;
    for (Index f = starts_[j]; f < starts_[j + 1]; ++f) {
      product *= row[static_cast<std::size_t>(factor_[static_cast<std::size_t>(f)])];
    }
    out[j] = product;
  }
}

// suffix[0] is the first factor. Both lists increase; the bucket is usually the longer one, so each step gallops.
void Products::add_pairs(std::span<const std::pair<Column, double>> suffix, Entries& out) const {
  const auto first = static_cast<std::size_t>(suffix[0].first);
  const Column* at = pairs_.second.data() + pairs_.starts[first];
  const Column* const end = pairs_.second.data() + pairs_.starts[first + 1];
  for (const auto& [column, value] : suffix) {
    std::ptrdiff_t step = 1;
    while (end - at > step && at[step] <= column) {
      at += step;
      step *= 2;
    }
    at = std::lower_bound(at, std::min(end, at + step), column);
    if (at == end) return;
    if (*at == column) {
      const double product = suffix[0].second * value;
      const Column output = pairs_.output[static_cast<std::size_t>(at - pairs_.second.data())];
      if (product != 0) out.emplace_back(output, product);
    }
  }
}

void Products::add_longer(Column first, Entries& out) const {
  const auto i = static_cast<std::size_t>(first);
  for (Index k = longer_.starts[i]; k < longer_.starts[i + 1]; ++k) {
    const Column output = longer_.output[static_cast<std::size_t>(k)];
    const auto j = static_cast<std::size_t>(output);
    double product = 1;
    for (Index f = starts_[j]; f < starts_[j + 1]; ++f) {
      product *= value_of_[static_cast<std::size_t>(factor_[static_cast<std::size_t>(f)])];
    }
    if (product != 0) out.emplace_back(output, product);
  }
}

void Products::sparse(const Entries& row, Entries& out) {
  out.clear();
  for (const auto& [column, value] : row) value_of_[static_cast<std::size_t>(column)] = value;
  for (const auto& [column, value] : row) {
    const Column output = single_[static_cast<std::size_t>(column)];
    if (output >= 0) out.emplace_back(output, value);
  }
  for (std::size_t k = 0; k < row.size(); ++k) add_pairs({row.data() + k, row.size() - k}, out);
  for (const auto& [column, value] : row) add_longer(column, out);
  for (const auto& [column, value] : row) value_of_[static_cast<std::size_t>(column)] = 0;
  const auto by_output = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(out.begin(), out.end(), by_output)) std::sort(out.begin(), out.end(), by_output);
}

}  // namespace medlar
