// Cells without a value that hold the mean of their column, and that mean over some of the examples.
#pragma once

#include <span>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// Those of these rows, with their places among them.
std::vector<ImputedCell> imputed_of(const std::vector<ImputedCell>& all, std::span<const Index> rows);

// Their features, each once, in order.
std::vector<Index> features_of(const std::vector<ImputedCell>& cells);

// Sets the fill of the columns of these features to the weighted mean over the examples that have a value; to 0 where
// none has.
void learn_means(Dataset& data, std::span<const Index> features);

// Puts the fills of `schema` into the cells of `data` without a value, and takes them over.
void put_means(Dataset& data, const Schema& schema);

}  // namespace medlar
