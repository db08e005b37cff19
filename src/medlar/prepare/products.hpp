// Products of features, arranged so that a sparse row finds the ones it makes without asking all of them.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/model.hpp"

namespace medlar {

class Products {
 public:
  // Output j is the product of the inputs in factors[j], which lie in 0 .. inputs - 1.
  Products(const std::vector<std::vector<Index>>& factors, Index inputs);

  Index inputs() const { return inputs_; }
  Index outputs() const { return static_cast<Index>(starts_.size()) - 1; }

  // Every product of a dense row.
  void dense(NumbersView row, std::span<double> out) const;

  // The non-zero products of a row, by increasing output; `row` holds (column, value != 0) by increasing column.
  using Entries = std::vector<std::pair<Column, double>>;
  void sparse(const Entries& row, Entries& out);

 private:
  struct Bucket {  // products that share their first factor, by that factor
    std::vector<Index> starts;
    std::vector<Column> second, output;
  };
  void add_pairs(std::span<const std::pair<Column, double>> suffix, Entries& out) const;
  void add_longer(Column first, Entries& out) const;

  Index inputs_ = 0;
  std::vector<Index> starts_;     // factors of output j: factor_[starts_[j]] .. factor_[starts_[j + 1]]
  std::vector<Column> factor_;    // flat, sorted within an output
  std::vector<Column> single_;    // output that is the feature itself, or -1
  Bucket pairs_, longer_;         // products of two, sorted by the second factor; of three and more
  std::vector<double> value_of_;  // the current sparse row, spread out; zero between calls
};

}  // namespace medlar
